import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { buildMug, TARGETS } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/* Values of a single shop and mistakes about them, over REST and over MCP. */

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
beforeAll(async () => {
  dashboard = await startDashboard();
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { rest: openRest(dashboard.url, key), mcp: await openMcpHttp(dashboard.url, key) };
});
afterAll(async () => {
  await faces.mcp.close();
  await dashboard.close();
});

const { clay, linen } = TARGETS;

describe.each(['rest', 'mcp'] as const)('over %s', (name) => {
  const ask = (id: string, input: Output) => faces[name].call(id, input);
  const call = async (id: string, input: Output) => {
    const answer = await ask(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
  const make = async (title: string) => {
    const overrides = { listing: { title: `${title} of linen` } };
    const mug = buildMug([clay, { ...linen, overrides }], { state: 'publish' });
    return call('listing_create', { ...mug, listing: { ...mug.listing, title } });
  };
  const readShops = async (listing_pk: unknown) => {
    const { request } = await call('listing_get', { listing_pk });
    return (request as { shops: Output[] }).shops;
  };

  it('values of one shop are stored, shown and removed', async () => {
    const { listing_pk } = await make(`Mug ${name}`);
    expect(await readShops(listing_pk)).toMatchObject([
      { shop_id: clay.shop_id },
      { shop_id: linen.shop_id, overrides: { listing: { title: `Mug ${name} of linen` } } },
    ]);
    const changes = { shops: [{ shop_id: linen.shop_id, overrides: null }] };
    const { results } = await call('listing_update', { listing_pk, changes });
    expect(results).toMatchObject([{ shop_id: `${linen.shop_id}`, status: 'ok' }]);
    expect((await readShops(listing_pk))[1]).not.toHaveProperty('overrides');
  });

  it.each(['draft', 'publish', 'active'])(
    'an error about a price of one shop names the path it was sent at (%s)',
    async (state) => {
      const refuse = async (shop: Output) => {
        const answer = await ask('listing_create', buildMug([{ ...clay, ...shop }, linen], { state }));
        if (answer.ok) throw new Error(JSON.stringify(answer.output));
        return answer.error.message.split('\n').filter((line) => line.includes('price'));
      };
      expect(await refuse({ overrides: { listing: { price: 60_000 } } })).toEqual([
        expect.stringMatching(/^shops\[0\]\.overrides\.listing\.price: /),
      ]);
      expect(await refuse({ overrides: { offerings: [{ price: 60_000 }] } })).toEqual([
        expect.stringMatching(/^shops\[0\]\.overrides\.offerings\[0\]\.price: /),
      ]);
      expect(await refuse({ price: 60_000 })).toEqual([expect.stringMatching(/^shops\[0\]\.price: /)]);
    },
  );

  it('an error names what is wrong with a call about an existing listing', async () => {
    const { listing_pk } = await make(`Slip ${name}`);
    const refuse = async (id: string, input: Output) => {
      const answer = await ask(id, { listing_pk, ...input });
      return answer.ok ? answer.output : answer.error.message;
    };
    const sections = { changes: { shops: [{ shop_id: linen.shop_id, shop_section_id: 'Mugs' }] } };
    expect(await refuse('listing_update', sections)).toMatch(
      /^changes\.shops\[0\]\.shop_section_id: .*\d \(/,
    );
    const byName = { state: 'publish', shops: ['NordLinen'] };
    expect(await refuse('listing_publish', byName)).toContain(`${linen.shop_id} ("NordLinen")`);
    const long = { shops: [{ shop_id: linen.shop_id, overrides: { listing: { title: 'x'.repeat(141) } } }] };
    expect(await refuse('listing_update', { changes: long })).toMatch(
      /^changes\.shops\[0\]\.overrides\.listing\.title: /,
    );
    expect(await refuse('listing_get', { listing_pk: 1_999_999_999_999 })).toContain('listing_import');
  });
});
