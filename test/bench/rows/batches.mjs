import { setTimeout as delay } from 'node:timers/promises';
import { openMarketplace } from '../harness/marketplace.mjs';
import { alternate, getMedian } from '../harness/numbers.mjs';

/*
 * How long a person waits for calls that read the marketplace while a batch changes other listings of the
 * same shop, within the same limits, compared with the same calls without it. The marketplace has the latency
 * and the calls per second of a real one.
 */

const ROUNDS = 9;
const CALLS = 8;
/** More than a round of calls leaves time for. */
const CHANGED = 40;
/** A listing read this recently is not read again: each call is about another one. */
const FRESH_MS = 61_000;
const OTHERS = 2 * (ROUNDS + 1) * CALLS;
const AT_MOST = 100;
const ANSWER_MS = 150;
const PER_SECOND = 10;
const PER_SECOND_BEFORE = 100;
const POLL_MS = 20;

export async function measure() {
  const marketplace = await openMarketplace(1, '/', {
    rate_per_second: PER_SECOND_BEFORE,
    rate_per_day: 1_000_000,
  });
  const { invoke, control } = marketplace;
  const [{ shop_id }] = marketplace.shops;
  const listing_pks = await makeListings(CHANGED);
  const others = await makeListings(OTHERS);
  await delay(FRESH_MS);
  await control('POST', '/settings', { latency_ms: ANSWER_MS, rate_per_second: PER_SECOND });
  let next = 0;

  async function makeListings(count) {
    const pks = [];
    while (pks.length < count) {
      const wanted = { shop_id, count: Math.min(AT_MOST, count - pks.length), is_plain: true };
      const { listing_ids } = await control('POST', '/listings', wanted);
      const { results } = await invoke('listing_import', { shop_id, listing_ids });
      pks.push(...results.map(({ listing_pk }) => listing_pk));
    }
    return pks;
  }

  const show = async (batch_id) => (await invoke('batches_list', { batch_id, limit: 25 })).batches[0];
  async function follow(batch_id, isRight) {
    for (;;) {
      const batch = await show(batch_id);
      if (isRight(batch)) return batch;
      await delay(POLL_MS);
    }
  }

  /** The median of several calls. */
  async function time(call) {
    const times = [];
    for (let count = 0; count < CALLS; count += 1) {
      const from = performance.now();
      await call(others[next % OTHERS], next);
      next += 1;
      times.push(performance.now() - from);
    }
    return getMedian(times);
  }

  async function timeBeside(call) {
    const edits = [{ field: 'price', op: 'increase_by', value: 0.01 }];
    const { batch_id } = await invoke('batch_create', { select: { listing_pks }, edits });
    await follow(batch_id, ({ status }) => status === 'planned');
    await invoke('batch_start', { batch_id }, { wait_ms: 0 });
    await follow(batch_id, ({ counts }) => counts.ok > 0);
    const took_ms = await time(call);
    const { status } = await show(batch_id);
    if (status !== 'running') throw new Error(`the batch was ${status} before the calls had ended`);
    await invoke('batch_cancel', { batch_id });
    await follow(batch_id, (batch) => batch.status === 'canceled');
    return took_ms;
  }

  const cases = [
    { name: 'listing_get', call: (listing_pk) => invoke('listing_get', { listing_pk }) },
    {
      name: 'listing_update, dry run',
      call: (listing_pk, count) =>
        invoke('listing_update', {
          listing_pk,
          changes: { listing: { title: `Title ${count}` } },
          dry_run: true,
        }),
    },
  ];
  const lines = [];
  for (const { name, call } of cases) {
    const { ours, reference } = await alternate(ROUNDS, {
      ours: () => timeBeside(call),
      reference: () => time(call),
    });
    lines.push({
      what: `${name}, in parallel with a batch`,
      against: 'without it',
      unit: 'ms',
      target: { most: 1.5 },
      needs_quiet: true,
      ours,
      reference,
    });
  }
  await marketplace.close();
  return lines;
}
