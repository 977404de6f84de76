import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ANSWER_CHARS } from '../../src/transports/mcp/tools/short_answer.js';
import { buildTool } from '../../src/transports/mcp/tools/tool.js';
import { operations } from '../../tools/index.js';
import { edit, makeListing, type Made } from '../core/listings/update/rig.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { readInterface } from '../published/interface.js';
import { buildMug, LINEN, TARGETS } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/* Answers about large listings as an assistant receives them. */

const { long_answers: decided } = readInterface();
const SHOPS = 50;
const SIZES = 20;
const COLORS = 20;
const LONG = 'A mug, thrown by hand, glazed twice, and fired for a day and a night. '.repeat(100);

let dashboard: TestDashboard;
let rest: Face;
let mcp: Awaited<ReturnType<typeof openMcpHttp>>;
beforeAll(async () => {
  dashboard = await startDashboard();
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  rest = openRest(dashboard.url, key);
  mcp = await openMcpHttp(dashboard.url, key);
  // After `tools/list`, the official client validates each answer against its output schema.
  await mcp.client.listTools();
});
afterAll(async () => {
  await mcp.close();
  await dashboard.close();
});

async function ask(id: string, input: Output): Promise<Output> {
  const result = (await mcp.client.callTool({ name: id, arguments: input })) as CallToolResult;
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  if (result.isError) throw new Error(text);
  expect(text.length).toBeLessThanOrEqual(decided.max_chars);
  expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(decided.max_chars);
  return result.structuredContent ?? {};
}

async function askRest(id: string, input: Output): Promise<Output> {
  const answer = await rest.call(id, input);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.output;
}

type Entry = { shop_id: string; diff?: Output[]; differs?: Output[]; details?: { drift?: Output[] } };

describe('a listing with 400 SKUs', () => {
  const sizes = Array.from({ length: SIZES }, (_, index) => `Size number ${index}`);
  const colors = Array.from({ length: COLORS }, (_, index) => `Color number ${index}`);
  const offerings = sizes.flatMap((size) =>
    colors.map((color) => ({ size, color, price: 20, quantity: 2, sku: `${size} ${color}`.slice(0, 32) })),
  );
  const properties = [
    { property_id: 513, name: 'Size', values: sizes },
    { property_id: 514, name: 'Color', values: colors },
  ];
  let made: Made;
  beforeAll(async () => {
    const more = { variations: { properties, offerings } };
    made = await makeListing(dashboard.service, { photos: 1, more, state: 'publish' });
  });

  it('is shown with both of its shops, and the answer says how to see the rest', async () => {
    const { listing_pk } = made;
    const shown = await ask('listing_get', { listing_pk });
    expect(shown['shops']).toHaveLength(2);
    expect(shown['shortened']).toContain(`GET /api/v1/listings/${listing_pk}`);
    const whole = await askRest('listing_get', { listing_pk });
    expect(whole).toMatchObject({ request: { variations: { offerings } } });
    expect(whole).not.toHaveProperty('shortened');
  });

  it('updates a long description in both shops once, and shows excerpts of edits', async () => {
    const { listing_pk } = made;
    const changes = { listing: { description: `${LONG}Blue.` } };
    const shown = (await ask('listing_update', { listing_pk, changes, dry_run: true })) as { shops: Entry[] };
    expect(shown.shops.map(({ diff }) => diff)).toMatchObject([
      [{ field: 'listing.description' }],
      [{ field: 'listing.description' }],
    ]);
    await ask('listing_update', { listing_pk, changes });
    await edit(dashboard.service, made, { description: `${LONG}Red. ${LONG}${LONG}` });
    const { results } = (await ask('listing_update', {
      listing_pk,
      changes: { listing: { description: `${LONG}Green.` } },
    })) as { results: Entry[] };
    const [first, second] = results.map(({ details }) => details?.drift?.[0]);
    expect(Object.keys((first?.['theirs'] ?? {}) as Output)).toEqual(decided.excerpt);
    expect(second).toEqual({
      field: 'listing.description',
      [decided.repeated]: String(made.shops[0]?.shop_id),
    });
  });
});

describe('a saved listing in 50 shops', () => {
  let listing_pk: number;
  beforeAll(async () => {
    const { app } = dashboard.service;
    const kept = await app.core.shops.get({ account_id: dashboard.account_id, shop_id: LINEN.shop_id });
    const targets = Array.from({ length: SHOPS }, (_, index) => ({
      ...TARGETS.linen,
      shop_id: 900_000 + index,
      overrides: { listing: { description: `${LONG}Of shop ${index}.` } },
    }));
    for (const { shop_id } of targets) {
      const details = { ...kept.details, shop_id: String(shop_id) };
      await app.store.shops.saveShop({ ...kept, shop_id, details }, new Date().toISOString());
    }
    listing_pk = Number((await ask('listing_create', buildMug(targets)))['listing_pk']);
  });

  it('is shown with an entry for each shop', async () => {
    const shown = await ask('listing_get', { listing_pk });
    expect(shown['shops']).toHaveLength(SHOPS);
    expect(shown['shortened']).toContain(`GET /api/v1/listings/${listing_pk}`);
    const { request } = (await askRest('listing_get', { listing_pk })) as {
      request: { shops: { overrides: unknown }[] };
    };
    expect(request.shops[49]?.overrides).toEqual({ listing: { description: `${LONG}Of shop 49.` } });
  });

  it('accepts another long description for each shop', async () => {
    const shops = Array.from({ length: SHOPS }, (_, index) => ({
      shop_id: 900_000 + index,
      overrides: { listing: { description: `${LONG}New, of shop ${index}.` } },
    }));
    for (const dry_run of [true, false]) {
      const answered = await ask('listing_update', { listing_pk, changes: { shops }, dry_run });
      expect(answered['status']).toBe(dry_run ? 'valid' : 'draft');
    }
  });
});

const listFields = (id: string): string[] => {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  const { outputSchema } = buildTool(operation);
  return Object.keys(outputSchema?.properties ?? {});
};

describe('the fields of a shortened answer', () => {
  it('are in the output schemas over MCP', () => {
    expect(MAX_ANSWER_CHARS).toBe(decided.max_chars);
    for (const id of ['listings_search', 'store_listings', 'listings_list', 'webhooks_deliveries']) {
      expect(listFields(id)).toEqual(expect.arrayContaining(['next_offset', 'shortened']));
    }
    for (const id of ['listing_get', 'listing_create_status', 'listing_import']) {
      expect(listFields(id)).toContain('shortened');
      expect(listFields(id)).not.toContain('next_offset');
    }
    for (const operation of operations.filter(({ id }) => /^listing_(create|update|undo|copy)$/.test(id))) {
      expect(JSON.stringify(buildTool(operation).outputSchema)).toContain(decided.repeated);
    }
  });
});
