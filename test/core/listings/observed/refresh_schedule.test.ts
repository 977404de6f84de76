import { describe, expect, it } from 'vitest';
import type { Process } from '../../orders/rig.js';
import { CLAY, openOrderRig, type OrderRig } from '../../orders/rig.js';
import { manage } from './manage.js';

/*
 * Managed listings are read again in the background: when, with how many calls, and how missing ones are
 * recorded.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const { signal } = new AbortController();

type Rig = OrderRig & {
  process: Process;
  listing_pks: number[];
  listing_ids: number[];
  /**
   * Runs all checks due after this time; returns the calls they made, by operation, except for token
   * refreshes.
   */
  look(after_ms: number): Promise<Record<string, number>>;
  /** The known facts about each listing, in their order. */
  listKnown(): Promise<({ state: string | null; age_ms: number } | undefined)[]>;
  edit(index: number, body: object): Promise<unknown>;
};

async function open(count: number): Promise<Rig> {
  const rig = await openOrderRig();
  await rig.connect(rig.account_id, CLAY);
  const { listing_ids } = await rig.control<{ listing_ids: number[] }>('/listings', {
    shop_id: CLAY.shop_id,
    is_plain: true,
    count,
  });
  const listing_pks = await manage(rig, rig.account_id, listing_ids);
  const process = rig.openProcess();
  return {
    ...rig,
    process,
    listing_pks,
    listing_ids,
    async look(after_ms) {
      rig.advance(after_ms);
      const before = await rig.readCalls();
      await process.core.refreshes.refreshDue(signal);
      const after = Object.entries(await rig.readCalls());
      return Object.fromEntries(
        after.flatMap(([name, calls]) => {
          const made = calls - (before[name] ?? 0);
          return made > 0 && name !== 'requestToken' ? [[name, made]] : [];
        }),
      );
    },
    async listKnown() {
      return Promise.all(
        listing_pks.map(async (listing_pk) => {
          const [seen] = await rig.store.listings.listSightings(rig.account_id, listing_pk);
          return seen && { state: seen.state, age_ms: rig.now() - Date.parse(seen.seen_at ?? '') };
        }),
      );
    },
    edit: (index, body) => rig.control(`/listings/${listing_ids[index]}/edit`, body),
  };
}

describe('managed listings', () => {
  it('are read again in batches of a hundred before the known facts are six hours old', async () => {
    const rig = await open(150);
    expect(await rig.look(0)).toEqual({ getListingsByListingIds: 2 });
    expect((await rig.listKnown()).every((known) => known?.state === 'active')).toBe(true);
    expect(await rig.look(5 * HOUR_MS)).toEqual({});
    expect(await rig.look(30 * MINUTE_MS)).toEqual({ getListingsByListingIds: 2 });
    expect((await rig.listKnown()).every((known) => known?.age_ms === 0)).toBe(true);
  });

  it.each([false, true])(
    'are reported in their actual state, whether or not batches show it (%s)',
    async (batch_shows_inactive) => {
      const rig = await open(8);
      await rig.control('/settings', { batch_shows_inactive });
      const states = ['active', 'draft', 'inactive', 'sold_out', 'expired', 'removed', 'active'];
      for (const [index, state] of states.entries()) await rig.edit(index, { state });
      await rig.control(`/listings/${rig.listing_ids[7]}/edit`, { state: 'removed' });
      const calls = await rig.look(0);
      expect((await rig.listKnown()).map((known) => known?.state)).toEqual([...states, 'removed']);
      expect(calls['getListingsByListingIds']).toBe(1);
      // Listings missing from all lists are requested individually: the two that were removed.
      expect(calls['getListing']).toBe(batch_shows_inactive ? undefined : 2);
    },
  );

  it('are requested once if they are gone, and seen when they are back', async () => {
    const rig = await open(2);
    await rig.look(0);
    await rig.control(`/listings/${rig.listing_ids[0]}/edit`, { state: 'removed' });
    expect((await rig.look(6 * HOUR_MS))['getListing']).toBe(1);
    expect((await rig.listKnown())[0]?.state).toBe('removed');
    expect(await rig.look(6 * HOUR_MS)).toEqual({ getListingsByListingIds: 1 });
    await rig.edit(0, { state: 'active' });
    await rig.look(6 * HOUR_MS);
    expect((await rig.listKnown())[0]?.state).toBe('active');
  });

  it('are searched first in the list they were last in', async () => {
    const rig = await open(3);
    for (const index of [0, 1, 2]) await rig.edit(index, { state: 'sold_out' });
    await rig.look(0);
    expect(await rig.look(6 * HOUR_MS)).toEqual({ getListingsByListingIds: 1, getListingsByShop: 1 });
  });

  it('are read again soon after an order, and only those of that order', async () => {
    const rig = await open(3);
    await rig.process.poll(0);
    await rig.look(0);
    await rig.control(`/listings/${rig.listing_ids[1]}/sell`, { quantity: 5 });
    expect(await rig.look(MINUTE_MS)).toEqual({});
    await rig.process.poll(MINUTE_MS);
    await rig.look(5_000);
    const known = await rig.listKnown();
    expect(known.map((one) => one?.state)).toEqual(['active', 'sold_out', 'active']);
    expect(known[0]?.age_ms).toBeGreaterThan(2 * MINUTE_MS);
    expect(known[1]?.age_ms).toBe(0);
    expect(await rig.look(MINUTE_MS)).toEqual({});
  });

  it('are read again soon after a message of the marketplace', async () => {
    const rig = await open(2);
    await rig.look(0);
    await rig.edit(0, { state: 'inactive' });
    await rig.process.core.refreshes.markChanged(CLAY.shop_id, [rig.listing_ids[0] ?? 0, 4_711]);
    expect(await rig.look(1_000)).toEqual({});
    await rig.look(2_000);
    expect((await rig.listKnown()).map((known) => known?.state)).toEqual(['inactive', 'active']);
  });

  it('are read again after a pause if the marketplace does not answer, and known facts keep their age', async () => {
    const rig = await open(1);
    await rig.look(0);
    const rules = [
      { operation: 'getListingsByListingIds', times: 9, action: { type: 'status', status: 503 } },
    ];
    await rig.control('/faults', { rules });
    await rig.look(6 * HOUR_MS);
    expect((await rig.listKnown())[0]).toMatchObject({ state: 'active' });
    expect((await rig.listKnown())[0]?.age_ms).toBeGreaterThanOrEqual(6 * HOUR_MS);
    expect(await rig.look(MINUTE_MS)).toEqual({});
    await rig.clearFaults();
    expect(await rig.look(5 * MINUTE_MS)).toEqual({ getListingsByListingIds: 1 });
    expect((await rig.listKnown())[0]?.age_ms).toBe(0);
    expect(rig.log.lines.map(({ message }) => message)).toContain(
      'the listings of a shop could not be read again',
    );
  });

  it('are not read if their shop must be connected again', async () => {
    const rig = await open(1);
    await rig.control('/tokens/revoke', { user_id: CLAY.user_id });
    await rig.look(2 * HOUR_MS);
    expect((await rig.listKnown())[0]?.state).toBeNull();
    expect(await rig.look(6 * HOUR_MS)).toEqual({});
  });

  it('are read for both of two accounts with the same shop', async () => {
    const rig = await open(1);
    const other = await rig.store.accounts.createAccount('other');
    await rig.connect(other.account_id, CLAY);
    const { listing_ids } = await rig.control<{ listing_ids: number[] }>('/listings', {
      shop_id: CLAY.shop_id,
      is_plain: true,
    });
    const [listing_pk = 0] = await manage(rig, other.account_id, listing_ids);
    await rig.look(0);
    const [theirs] = await rig.store.listings.listSightings(other.account_id, listing_pk);
    expect([(await rig.listKnown())[0]?.state, theirs?.state]).toEqual(['active', 'active']);
  });
});
