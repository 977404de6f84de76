import type { ImportJobResult } from '../answers.js';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { portOf } from '../media/sample.js';
import { buildMug, CLAY, LINEN, listTargets } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from '../surfaces/faces.js';
import { openMarketplaceView, type MarketplaceView } from './marketplace_view.js';

/*
 * No address is exempt, as after `npm start`: photos of the sandbox can be fetched, and no other address of
 * this machine is reached.
 */

let dashboard: TestDashboard;
let marketplace: MarketplaceView;
let rest: Face;
let mcp: Face;
let neighbour: Server;
let asked = 0;

beforeAll(async () => {
  dashboard = await startDashboard({ EGRESS_ALLOW_CIDRS: '' });
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  rest = openRest(dashboard.url, key);
  mcp = await openMcpHttp(dashboard.url, key);
  await call(rest, 'stores_list', {});
  marketplace = await openMarketplaceView(dashboard.service.data_dir);
  neighbour = createServer((_request, response) => {
    asked += 1;
    response.end('secret');
  });
  await new Promise<void>((done) => neighbour.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  neighbour.close();
  await mcp.close();
  await marketplace.close();
  await dashboard.close();
});

async function call(face: Face, id: string, input: Output): Promise<Output> {
  const answer = await face.call(id, input);
  if (!answer.ok) throw new Error(`${id}: ${answer.error.message}`);
  return answer.output;
}

it('a listing of the sandbox is imported and copied with its photos', async () => {
  const { listing_ids } = await dashboard.service.control<{ listing_ids: [number] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    is_plain: true,
    images: [{}, { alt_text: 'From above' }],
  });
  const imported = await call(rest, 'listing_import', { shop_id: CLAY.shop_id, listing_ids });
  const [result] = (imported as unknown as ImportJobResult).results;
  expect(result).toMatchObject({ status: 'imported', warnings: [] });
  const shops = [
    { shop_id: LINEN.shop_id, shipping_profile_id: 223915882, shop_section_id: null, price: 19 },
  ];
  const copied = await call(mcp, 'listing_copy', { listing_pk: result?.listing_pk, shops, state: 'publish' });
  expect(copied['results']).toMatchObject([{ status: 'ok' }]);
  const [{ listing_id }] = copied['results'] as [{ listing_id: number }];
  const { photos } = await marketplace.readAll({ shop_id: CLAY.shop_id, listing_id: listing_ids[0] });
  expect(photos).toHaveLength(2);
  expect(await marketplace.readAll({ shop_id: LINEN.shop_id, listing_id })).toMatchObject({ photos });
});

it.each(['REST', 'MCP'])(
  "a caller's address over %s is still refused: a neighbor, and the sandbox itself",
  async (name) => {
    const [target] = await listTargets(dashboard.service);
    const own = await findPhotoUrl();
    for (const url of [`http://127.0.0.1:${portOf(neighbour)}/photo.jpg`, own]) {
      const answer = await (name === 'MCP' ? mcp : rest).call(
        'listing_create',
        buildMug([target ?? {}], { state: 'publish', images: [{ url }] }),
      );
      expect(answer).toMatchObject({
        ok: false,
        error: { code: 'VALIDATION_FAILED', message: expect.stringContaining('images[0].url') },
      });
    }
    expect(asked).toBe(0);
  },
);

/** The path of a photo as the sandbox names it. */
async function findPhotoUrl(): Promise<string> {
  const { listings } = (await call(rest, 'store_listings', { shop_id: CLAY.shop_id })) as {
    listings: { image_url: string | null }[];
  };
  const url = listings.find(({ image_url }) => image_url !== null)?.image_url ?? '';
  expect(url).toContain('http://127.0.0.1:');
  expect((await fetch(url)).status).toBe(200);
  return url;
}
