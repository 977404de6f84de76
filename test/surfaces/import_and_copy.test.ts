import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { CLAY, LINEN } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/* A listing made on the marketplace is imported and copied, over REST and over MCP. */

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
let mcp: Awaited<ReturnType<typeof openMcpHttp>>;
beforeAll(async () => {
  dashboard = await startDashboard();
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  mcp = await openMcpHttp(dashboard.url, key);
  faces = { rest: openRest(dashboard.url, key), mcp };
});
afterAll(async () => {
  await faces.mcp.close();
  await dashboard.close();
});

it.each(['rest', 'mcp'] as const)('a listing is imported and copied over %s', async (name) => {
  const call = async (id: string, input: Output) => {
    const answer = await faces[name].call(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
  await call('stores_list', {});
  const inexact = { shop_id: CLAY.shop_id, listing_ids: [4_200_000_001, 1e300] };
  expect(await faces[name].call('listing_import', inexact)).toMatchObject({
    ok: false,
    error: {
      code: 'VALIDATION_FAILED',
      message: 'listing_ids[1]: is 1e+300, which is too large for an id or a count',
    },
  });
  const { listing_ids } = await dashboard.service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    is_plain: true,
    count: 2,
  });
  const imported = await call('listing_import', { shop_id: CLAY.shop_id, listing_ids });
  expect(imported).toMatchObject({
    status: 'completed',
    results: [{ status: 'imported' }, { status: 'imported' }],
  });
  expect(await call('listing_create_status', { job_id: imported['job_id'] })).toMatchObject({
    results: imported['results'],
  });
  const [{ listing_pk }, other] = imported['results'] as [{ listing_pk: number }, { listing_pk: number }];
  const target = { shop_id: LINEN.shop_id, shipping_profile_id: 223915882, shop_section_id: null };
  const refused = await faces[name].call('listing_copy', { listing_pk, shops: [target], state: 'publish' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } });
  const shops = [{ ...target, price: 19 }];
  expect(await call('listing_copy', { listing_pk, shops, state: 'publish' })).toMatchObject({
    status: 'completed',
    listing_pk,
    results: [{ shop_id: String(LINEN.shop_id), status: 'ok', price: 19 }],
  });
  const again = await faces[name].call('listing_copy', { listing_pk, shops, state: 'active' });
  expect(again).toMatchObject({ ok: false, error: { code: 'ALREADY_IN_SHOP' } });
  const live = { listing_pk: other.listing_pk, shops, state: 'active' };
  expect(await call('listing_copy', live)).toMatchObject({
    results: [{ activated: true, activation_cost_usd: 0.2 }],
  });
});

it('an assistant that cannot show the question gets a confirmation token for the fee', async () => {
  const { service } = dashboard;
  const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    is_plain: true,
  });
  const { results } = await service.call<{ results: { listing_pk: number }[] }>('listing_import', {
    shop_id: CLAY.shop_id,
    listing_ids,
  });
  const shops = [
    { shop_id: LINEN.shop_id, shipping_profile_id: 223915882, shop_section_id: null, price: 19 },
  ];
  const live = { listing_pk: results[0]?.listing_pk, shops, state: 'active' };
  // The face would send the token itself.
  const { structuredContent } = await mcp.client.callTool({ name: 'listing_copy', arguments: live });
  expect(structuredContent).toMatchObject({ status: 'confirmation_required', cost_usd: 0.2 });
});
