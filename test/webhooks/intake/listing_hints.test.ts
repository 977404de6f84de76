import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { BURST_MS } from '../../../src/core/listings/observed/refresh_schedule.js';
import type { Hints } from '../../../src/core/orders/hints.js';
import { buildEmptyProgress } from '../../../src/core/ports/index.js';
import { createReceiveMessage } from '../../../src/webhooks/index.js';
import { buildListing } from '../../store/samples/listing_samples.js';
import { buildShop } from '../../store/samples/shop_samples.js';
import { createTwoAccounts, openWorld, START } from '../../store/world.js';

/* The effect of the marketplace's messages about listings: the listing is read again, once. */

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const FORGED = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const MINUTE_MS = 60_000;
const SHOP_ID = 101;
const LISTING_ID = 5001;
const EVENTS = [
  'inventory.created',
  'inventory.updated',
  'inventory.deleted',
  'inventory.out_of_stock',
  'listing.created',
  'listing.updated',
  'listing.deleted',
];
const NO_ORDERS: Pick<Hints, 'take'> = {
  take: () => Promise.reject(new Error('no message here is about an order')),
};

type Fields = { event_type?: string; shop_id?: number; listing_id?: number; path?: string };

/** Listing 5001 is in the shop and has just been read; returns where messages arrive. */
async function open() {
  const { store, clock, log } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const shop = { account_id: mine, shop_id: SHOP_ID };
  const tokens = { access_token: 'a', refresh_token: 'r', access_expires_at: START };
  await store.tokens.saveTokens(shop, { ...tokens, scopes: ['listings_r'] });
  await store.shops.saveShop(buildShop(mine, SHOP_ID));
  await store.listings.createListing(buildListing(mine), MINUTE_MS);
  const job = await store.listings.claimJob(mine, 'job_1', MINUTE_MS);
  if (!job) throw new Error('the job is not free');
  const progress = buildEmptyProgress();
  await store.listings.savePublication(job, { shop_id: SHOP_ID, listing_id: LISTING_ID, progress });

  /** Runs the pending re-reads, if any; returns the listings that were read. */
  async function look(): Promise<number[]> {
    clock.advance(BURST_MS);
    const claim = await store.refreshes.claimRefresh(shop, MINUTE_MS);
    if (!claim) return [];
    const managed = await store.refreshes.listManaged(shop, { is_stale: !claim.is_whole });
    const seen = managed.map(
      ({ listing_id }) => ({ listing_id, state: 'active', ends_at: null, shown: null }) as const,
    );
    await store.listings.saveSightings(shop, seen, 0);
    await store.refreshes.finishRefresh(claim, claim.is_whole ? { whole_in_ms: 60 * MINUTE_MS } : {});
    return managed.map(({ listing_id }) => listing_id);
  }
  await look();
  clock.advance(1000);

  let taken = 0;
  const receive = createReceiveMessage({
    getSecrets: () => Promise.resolve([SECRET]),
    isExpecting: () => Promise.resolve(true),
    order_hints: NO_ORDERS,
    listing_hints: store.listing_hints,
    onTaken: () => (taken += 1),
    clock,
    log,
  });

  function send(id: string, fields: Fields = {}, { secret = SECRET, age_s = 0 } = {}): Promise<void> {
    const { event_type = 'listing.updated', shop_id = SHOP_ID, listing_id = LISTING_ID } = fields;
    const { path = `/listings/${listing_id}` } = fields;
    const resource_url = `https://api.etsy.com/v3/application${path}`;
    const body = JSON.stringify({ event_type, resource_url, shop_id });
    const at = new Date(clock.now().getTime() - age_s * 1000);
    const signature = new Webhook(secret).sign(id, at, body);
    const timestamp = String(Math.floor(at.getTime() / 1000));
    return receive({ id, timestamp, signature, body: Buffer.from(body) });
  }

  return { store, clock, shop, send, look, countTaken: () => taken };
}

describe('a message about a listing', () => {
  it.each(EVENTS)('of type %s leads to one re-read', async (event_type) => {
    const { send, look } = await open();
    await send('msg_1', { event_type });
    expect(await look()).toEqual([LISTING_ID]);
    expect(await look()).toEqual([]);
  });

  it('that comes twice leads to one re-read, also if it comes again afterwards', async () => {
    const { send, look, clock, countTaken } = await open();
    await Promise.all([send('msg_1'), send('msg_1')]);
    expect(await look()).toEqual([LISTING_ID]);
    clock.advance(60 * MINUTE_MS - 3 * BURST_MS);
    await send('msg_1');
    expect(await look()).toEqual([]);
    expect(countTaken()).toBe(1);
  });

  it('leads to one re-read together with others of the same listing, in any order', async () => {
    const { send, look } = await open();
    for (const [index, event_type] of EVENTS.toReversed().entries())
      await send(`msg_${index}`, { event_type });
    expect(await look()).toEqual([LISTING_ID]);
    expect(await look()).toEqual([]);
  });

  it('that comes during a re-read leads to another', async () => {
    const { send, store, shop, clock, look } = await open();
    await send('msg_1');
    clock.advance(BURST_MS);
    const claim = await store.refreshes.claimRefresh(shop, MINUTE_MS);
    clock.advance(1000);
    await send('msg_2');
    const seen = { listing_id: LISTING_ID, state: 'active', ends_at: null, shown: null } as const;
    await store.listings.saveSightings(shop, [seen], 1000);
    await store.refreshes.finishRefresh(claim!, {});
    expect(await look()).toEqual([LISTING_ID]);
  });

  it('that is forged, too old or unsigned leads to no re-read', async () => {
    const { send, look, countTaken } = await open();
    await expect(send('msg_1', {}, { secret: FORGED })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(send('msg_1', {}, { age_s: 301 })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await look()).toEqual([]);
    // A refused message is not remembered: the valid one still counts.
    await send('msg_1');
    expect([await look(), countTaken()]).toEqual([[LISTING_ID], 1]);
  });

  it.each([
    ['a shop of a stranger', { shop_id: 999 }],
    ["a stranger's shop in the address", { path: `/shops/999/listings/${LISTING_ID}` }],
    ['a listing that was not made or imported here', { listing_id: 5002 }],
    ['a shop of ours with the listing of another', { shop_id: 102 }],
    ['something else', { path: '/users/1' }],
  ] satisfies [string, Fields][])(
    'that names %s leads to no re-read, and is not stored',
    async (_what, fields) => {
      const { send, look, store, clock, countTaken } = await open();
      await send('msg_1', fields);
      expect(await look()).toEqual([]);
      clock.advance(8 * 24 * 60 * MINUTE_MS);
      expect([countTaken(), await store.listing_hints.sweepHints(0)]).toEqual([0, 0]);
    },
  );

  it('leads to no re-read once the shop is disconnected', async () => {
    const { send, store, shop, countTaken } = await open();
    await store.shops.deleteShop(shop);
    await send('msg_1');
    expect(countTaken()).toBe(0);
  });

  it('is recognized for as long as it may be sent again', async () => {
    const { send, store, clock } = await open();
    await send('msg_1');
    clock.advance(MINUTE_MS);
    expect(await store.listing_hints.sweepHints(2 * MINUTE_MS)).toBe(0);
    expect(await store.listing_hints.sweepHints(MINUTE_MS - 1)).toBe(1);
  });
});
