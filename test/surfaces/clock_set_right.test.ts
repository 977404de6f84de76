import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/world/clock.js';
import { edit, readListings, makeListing, type Made } from '../core/listings/update/rig.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { openMcpStateless, openRest, type Face, type Output } from './faces.js';

/*
 * This computer's clock runs an hour ahead and is then corrected: listings are still shown correctly, and
 * manual edits are neither missed nor invented. On PostgreSQL the server's clock decides, which this test
 * does not change.
 */

const HOUR_MS = 60 * 60_000;

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
let ahead_ms = 0;
beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  dashboard = await startDashboard({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { clock });
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { rest: openRest(dashboard.url, key), mcp: openMcpStateless(dashboard.url, key) };
});
afterAll(() => dashboard.close());

let made: Made;
beforeEach(async () => {
  ahead_ms = HOUR_MS;
  made = await makeListing(dashboard.service, { photos: 1 });
});

const listPrices = async () =>
  (await readListings(dashboard.service, made)).map(
    (there) => (there?.inventory.products[0]?.offering.price_amount ?? 0) / 100,
  );

describe.each(['rest', 'mcp'] as const)('a corrected clock, over %s', (name) => {
  const call = async (id: string, input: Output = {}) => {
    const answer = await faces[name].call(id, { listing_pk: made.listing_pk, ...input });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
  const update = async (listing: Output) => {
    const { results } = await call('listing_update', { changes: { listing } });
    return results as { status: string; details?: { code: string } }[];
  };
  const listShops = async () => {
    const { shops } = await call('listing_get');
    return (shops as { price: number; differs?: Output[] }[]).map(({ price, differs }) => ({
      price,
      differs,
    }));
  };

  it('does not hide the last price or make the next change look like a manual edit', async () => {
    expect(await update({ price: 30 })).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    expect(await listShops()).toEqual([{ price: 30 }, { price: 30 }]);
    ahead_ms = 0;
    expect(await update({ price: 31 })).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    expect(await listShops()).toEqual([{ price: 31 }, { price: 31 }]);
    expect(await update({ price: 32 })).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    expect(await listPrices()).toEqual([32, 32]);
  });

  it('does not hide a manual edit, or let an update overwrite it', async () => {
    await update({ price: 30 });
    ahead_ms = 0;
    await edit(dashboard.service, made, { products: [{ price: 40 }] });
    const differs = [{ field: 'listing.price', ours: 30, theirs: 40 }];
    expect(await listShops()).toEqual([
      { price: 40, differs },
      { price: 40, differs },
    ]);
    const refused = await update({ price: 31 });
    expect(refused).toMatchObject([{ details: { code: 'DRIFT' } }, { details: { code: 'DRIFT' } }]);
    expect(await listPrices()).toEqual([40, 40]);
  });
});
