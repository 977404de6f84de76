import type { BatchAnswer, BatchItem } from '../../../schemas/batch.js';
import type { Call } from '../../../src/core/operations/call.js';
import type { Clock } from '../../../src/core/ports/index.js';
import { systemClock } from '../../../src/world/clock.js';
import { expect } from 'vitest';
import type { TestService } from '../../service.js';
import { makeListing, type Made } from '../listings/update/rig.js';

export const UP = [{ field: 'price', op: 'increase_percent', value: 10, round_to: 'x.90' }];
/** A second step for each item, after the edit of another field. */
export const OFF_SALE = { field: 'state', op: 'inactive' };
export const ON_SALE = { field: 'state', op: 'active' };

type Calls = Partial<Call>;

/** The batch operations of one service. */
export function openBatches(service: TestService) {
  const list = async (batch_id: string, more: object = {}) => {
    const page = await service.call<{ batches: BatchAnswer[]; items: BatchItem[]; total: number }>(
      'batches_list',
      { batch_id, limit: 100, ...more },
    );
    const [batch] = page.batches;
    if (!batch) throw new Error(`batch ${batch_id} is not listed`);
    return { ...batch, items: page.items, total: page.total };
  };
  return {
    plan: (made: readonly Made[], edits: object[], more: object = {}) =>
      service.call<BatchAnswer>('batch_create', {
        select: { listing_pks: made.map(({ listing_pk }) => listing_pk) },
        edits,
        ...more,
      }),
    start: ({ batch_id }: { batch_id: string }, call: Calls = {}) =>
      service.call<BatchAnswer>('batch_start', { batch_id }, call),
    undo: ({ batch_id }: { batch_id: string }, more: object = {}, call: Calls = {}) =>
      service.call<BatchAnswer>('batch_undo', { batch_id, ...more }, call),
    cancel: ({ batch_id }: { batch_id: string }) => service.call<BatchAnswer>('batch_cancel', { batch_id }),
    list,
    /** Returns the batch once it has this status. */
    async follow({ batch_id }: { batch_id: string }, status: string) {
      await expect.poll(async () => (await list(batch_id)).status, { timeout: 20_000 }).toBe(status);
      return list(batch_id);
    },
  };
}

/** Listings in both shops of the sandbox. */
export async function makeListings(service: TestService, count: number, more: object = {}): Promise<Made[]> {
  const made: Made[] = [];
  for (let index = 1; index <= count; index += 1) {
    const listing = { price: 20, title: `Stoneware mug ${index}`, ...more };
    made.push(await makeListing(service, { photos: 1, listing }));
  }
  return made;
}

/** Slows marketplace calls down, so that a test can act during them. */
export function slow(service: TestService, operation: string, ms: number, times = 1): Promise<unknown> {
  return service.control('POST', '/faults', { rules: [{ operation, times, action: { type: 'slow', ms } }] });
}

/**
 * A clock whose waits are this many times shorter, while the time of day is right. A job loses its claim if it
 * is held up for 25 s of this clock.
 */
export function createFastClock(times: number): Clock {
  return {
    ...systemClock,
    monotonic: () => systemClock.monotonic() * times,
    sleep: (duration_ms, signal, options) => systemClock.sleep(duration_ms / times, signal, options),
  };
}

export const listCodes = (items: readonly BatchItem[] = []) =>
  items.map(({ status, issues }) => [status, issues[0]?.code]);
