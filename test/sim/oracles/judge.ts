import { join } from 'node:path';
import { openAddon } from '../../../src/sqlite.js';
import type { Collecting } from '../people/collection/collecting.js';
import type { Sale } from '../people/sale/selling.js';
import type { Order } from '../people/orders.js';
import type { Ask } from '../people/asking.js';
import { GONE, MANY_A_DAY } from '../plan.js';
import { listRunning, type RunningJob } from '../world/jobs.js';
import { KEPT_DAYS } from '../world/machine.js';
import { START_MS } from '../world/template.js';
import type { World } from '../world/world.js';
import { judgeMemory, judgeRows } from './bounds.js';
import { judgeBatches } from './batches.js';
import {
  judgeCalls,
  judgeCeiling,
  judgeMarketplaceCalls,
  judgeMarketplaceDay,
  type Passed,
} from './limits.js';
import type { Field } from './fields.js';
import type { Known } from './known.js';
import { describeListing, type SeenListing, type SeenMarketplace } from './seen.js';

/** The evidence of all judges. */
export type Witness = {
  world: World;
  sales: readonly Sale[];
  collections: readonly Collecting[];
  orders: readonly Order[];
  ask: Ask;
  /** Calls that no limit refused. */
  passed: Passed[];
  /** Bytes of the heap, early and late in a world that runs for months. */
  heaps: number[];
};

/** While no product is being worked on: each is as its people were told. */
export async function judgeMoment({ world, sales, collections }: Witness): Promise<string[]> {
  const seen = await world.marketplace.control<SeenMarketplace>('GET', '/state');
  return [
    ...[...sales, ...collections].flatMap(({ faults }) => faults.splice(0)),
    ...sales.flatMap((sale) => [
      ...findDoubles(sale, seen),
      ...findFees(sale, seen),
      ...findStrays(sale, seen, world),
    ]),
  ];
}

/**
 * Once all troubles are over, and before a person returns: unfinished jobs end by themselves. Asking for a job
 * would resume it.
 * @param step lets a little time pass
 */
export async function judgeLeft({ world }: Witness, step: () => Promise<void>): Promise<string[]> {
  const until_ms = world.schedule.now() + (world.plan.requests_a_day < MANY_A_DAY ? LEFT_DAYS_MS : LEFT_MS);
  let left = listRunning(world);
  while (left.length > 0 && world.schedule.now() < until_ms) {
    await step();
    left = listRunning(world);
  }
  return left.length > 0 ? [`jobs that no one ends: ${listIds(left)}`] : [];
}

/** By then, claims made by wrong clocks have expired, as has the longest wait for listings of lost creates. */
const LEFT_MS = 30 * 60_000;
/** Plus a day on which the marketplace accepts no more requests. */
const LEFT_DAYS_MS = 26 * 3_600_000;

function listIds(jobs: readonly RunningJob[]): string {
  return jobs.map(({ job_id }) => job_id).join(', ');
}

/** Once all troubles are over and everything has been finished. */
export async function judgeEnd(witness: Witness, nap: () => Promise<void>): Promise<string[]> {
  const found = await judgeMoment(witness);
  const { world, sales, passed, heaps } = witness;
  const seen = await world.marketplace.control<SeenMarketplace>('GET', '/state');
  found.push(...(await judgeJobs(witness)));
  found.push(...sales.flatMap((sale) => judgeSale(sale, seen)));
  found.push(...witness.collections.flatMap((collection) => judgeBatches(collection, seen)));
  found.push(
    ...judgeCalls(world, passed),
    ...judgeMarketplaceCalls(world),
    ...judgeMarketplaceDay(world),
    ...judgeCeiling(world, seen),
    ...judgeRows(world),
    ...judgeMemory(heaps),
  );
  found.push(...(await judgeKnown(witness, seen)));
  const last = await world.marketplace.control<SeenMarketplace>('GET', '/state');
  found.push(...sales.flatMap((sale) => findDoubles(sale, last)));
  found.push(...(await judgeDeliveries(witness, nap)));
  return found;
}

/** Each product has at most one listing per shop. */
function findDoubles({ planned }: Sale, { listings }: SeenMarketplace): string[] {
  const own = listings.filter((listing) => isOf(planned.number, listing));
  const shops = own.map(({ shop_id }) => shop_id);
  return shops.length === new Set(shops).size
    ? []
    : [
        `two listings of piece ${planned.number}: ${own.map(({ listing_id, shop_id }) => `${listing_id} in ${shop_id}`).join(', ')}`,
      ];
}

/** No fee is paid that nobody asked for or that was declined, and none is paid twice. */
export function findFees(
  { planned, fees, paid_shops }: Sale,
  { listings, fees: paid }: SeenMarketplace,
): string[] {
  return listings.flatMap((listing) => {
    if (!isOf(planned.number, listing)) return [];
    const times = paid.filter(({ listing_id }) => listing_id === listing.listing_id).length;
    const most = (paid_shops.has(listing.shop_id) ? 1 : 0) + (fees.get(listing.listing_id)?.more ?? 0);
    return times > most
      ? [`${times} fees for listing ${listing.listing_id} of piece ${planned.number}, of ${most} meant`]
      : [];
  });
}

/** Active listings expire by themselves after four months. */
const TERM_MS = 119 * 24 * 3_600_000;

/** Fields with values that, according to all reports, nobody put there. */
function findStrays(sale: Sale, { listings }: SeenMarketplace, { schedule }: World): string[] {
  if (sale.is_running) return [];
  const isTermOver = schedule.now() - START_MS > TERM_MS;
  return sale.listings.flatMap((known) => {
    const seen = listings.find(({ listing_id }) => listing_id === known.listing_id);
    if (!seen) return [`listing ${known.listing_id} of piece ${sale.planned.number} is gone`];
    const found = describeListing(seen);
    const strays = Object.entries(known.fields) as [Field, Known][];
    return strays.flatMap(([field, { allowed, is_open }]) =>
      is_open ||
      allowed.has(found.fields[field]) ||
      (isTermOver && found.fields[field] === 'expired' && allowed.has('active'))
        ? []
        : [
            `${field} of ${known.listing_id} (piece ${sale.planned.number}) is ${found.fields[field]} and not ${[...allowed].join(' or ')}`,
          ],
    );
  });
}

async function judgeJobs({ world, sales, ask }: Witness): Promise<string[]> {
  const found: string[] = [];
  const running = listRunning(world);
  if (running.length > 0) found.push(`jobs that no one ends: ${listIds(running)}`);
  for (const sale of sales) {
    for (const job_id of sale.job_ids) {
      const result = await ask('judge', 'listing_create_status', { job_id }, { face: 'mcp_stdio' });
      if (result.kind !== 'told') found.push(`job ${job_id} cannot be asked for: ${JSON.stringify(result)}`);
      else if (!['completed', 'failed'].includes(result.output.status ?? ''))
        found.push(`job ${job_id} has not ended`);
    }
  }
  return found;
}

function judgeSale(sale: Sale, { listings, fees }: SeenMarketplace): string[] {
  const { planned } = sale;
  const found: string[] = [];
  for (const known of sale.listings) {
    const seen = listings.find(({ listing_id }) => listing_id === known.listing_id);
    if (!seen) continue;
    const described = describeListing(seen);
    if (described.rest !== known.rest)
      found.push(`the rest of ${known.listing_id} is ${described.rest} and was ${known.rest}`);
    const reported = sale.fees.get(known.listing_id)?.told.size ?? 0;
    const times = fees.filter(({ listing_id }) => listing_id === known.listing_id).length;
    if (reported > times)
      found.push(
        `${reported} fees were told for ${known.listing_id} of piece ${planned.number}, and ${times} paid`,
      );
  }
  return found;
}

const FEE_CENTS = 20;
const MAYBE_OURS =
  /Listings? ([\d, and]+) in the shop ha(?:s|ve) the same text as this one, and it could not be determined/g;

/** The service knows every listing made through it, and every fee paid for one, once. */
async function judgeKnown(
  { sales, collections, ask }: Witness,
  { listings, fees }: SeenMarketplace,
): Promise<string[]> {
  const found: string[] = [];
  const known = new Set<number>();
  const page = await ask('judge', 'listings_list', { limit: 100 }, { face: 'mcp_stdio' });
  const items =
    page.kind === 'told' ? (page.output['listings'] as { listing_pk: number; status: string }[]) : [];
  for (const { listing_pk, status } of items) {
    // Abandoned by its people, or refused for its fee: anyone can finish it as a draft, as its own errors say.
    if (status === 'incomplete')
      await ask('judge', 'listing_publish', { listing_pk, state: 'publish' }, { face: 'mcp_stdio' });
    // Over MCP, a long history would be shortened.
    const result = await ask('judge', 'listing_get', { listing_pk, history: true }, { face: 'rest' });
    if (result.kind !== 'told') {
      found.push(`listing ${listing_pk} cannot be asked for: ${JSON.stringify(result)}`);
      continue;
    }
    // Reported as possibly one of ours, because neither a clock nor an answer can decide it.
    for (const [, ids = ''] of JSON.stringify(result.output).matchAll(MAYBE_OURS))
      for (const [id] of ids.matchAll(/\d+/g)) known.add(Number(id));
    const shops = (result.output['shops'] ?? []) as { listing_id?: number | null }[];
    const own = new Set(shops.flatMap(({ listing_id }) => listing_id ?? []));
    for (const listing_id of own) known.add(listing_id);
    const { jobs } = result.output['history'] as { jobs: PastJob[] };
    const told_cents = jobs.reduce((sum, { cost_usd }) => sum + Math.round((cost_usd ?? 0) * 100), 0);
    const paid_cents = fees.reduce((sum, fee) => sum + (own.has(fee.listing_id) ? fee.amount : 0), 0);
    const open = sales.find((sale) => sale.listing_pk === listing_pk)?.open_fees.size ?? 0;
    // A listing that its seller renews while a job renews it is reported as renewed by the job.
    const renewals_ms = collections
      .flatMap(({ ledger }) => ledger.moves)
      .filter(({ listing_id, is_meddling, field, after }) => {
        return own.has(listing_id) && is_meddling && field === 'state' && after === 'active';
      })
      .map(({ at_ms }) => at_ms);
    const met = jobs.filter((job) => renewals_ms.some((at_ms) => hasPaidDuring(job, at_ms))).length;
    if (paid_cents < told_cents - met * FEE_CENTS || paid_cents > told_cents + open * FEE_CENTS)
      found.push(
        `the jobs of listing ${listing_pk} tell ${told_cents} cents of fees, and ${paid_cents} are paid`,
      );
  }
  for (const { planned, unsure_shops } of sales) {
    if (planned.is_import) continue;
    for (const listing of listings) {
      if (unsure_shops.has(listing.shop_id)) continue;
      if (isOf(planned.number, listing) && !known.has(listing.listing_id)) {
        found.push(`listing ${listing.listing_id} of piece ${planned.number} is not known here`);
      }
    }
  }
  return found;
}

type PastJob = { cost_usd: number | null; created_at: string; completed_at: string | null };

function hasPaidDuring({ cost_usd, created_at, completed_at }: PastJob, at_ms: number): boolean {
  const end_ms = completed_at === null ? Infinity : Date.parse(completed_at);
  return (cost_usd ?? 0) > 0 && Date.parse(created_at) <= at_ms && at_ms <= end_ms;
}

type DeliveryRow = { id: number; event_id: string; event_type: string; status: string; attempt: number };

/** Each event exists once, is delivered or reported as failed, and follows the earlier events of its order. */
async function judgeDeliveries({ world, orders, ask }: Witness, nap: () => Promise<void>): Promise<string[]> {
  const found: string[] = [];
  let rows: DeliveryRow[] = [];
  // Once the day's requests are used up, orders are not polled before the next day.
  const least_ms = world.plan.requests_a_day < MANY_A_DAY ? LEFT_DAYS_MS : 0;
  const until_ms = world.schedule.now() + least_ms;
  for (let naps = 0; naps < MOST_NAPS || world.schedule.now() < until_ms; naps += 1) {
    const result = await ask('judge', 'webhooks_deliveries', { limit: 100 }, { face: 'mcp_stdio' });
    rows = result.kind === 'told' ? (result.output['deliveries'] as DeliveryRow[]) : [];
    const isSent = rows.every(({ status }) => status !== 'pending');
    if (isSent && orders.every((order) => listMissing(world, order).length === 0)) break;
    await nap();
  }
  for (const { id, status } of rows)
    if (status === 'pending') found.push(`delivery ${id} is neither delivered nor failed`);
  const messages = world.receivers.list().flatMap((receiver) => receiver.messages);
  const taken = new Set(messages.flatMap(({ event_id, is_taken }) => (is_taken ? [event_id] : [])));
  for (const { status, id } of rows) {
    if (status !== 'success') continue;
    const result = await ask('judge', 'webhooks_deliveries', { id }, { face: 'mcp_stdio' });
    const [row] = result.kind === 'told' ? (result.output['deliveries'] as DeliveryRow[]) : [];
    if (row && !taken.has(row.event_id)) found.push(`delivery ${id} is told as delivered and never came`);
  }
  for (const order of orders) {
    const { receipt_id, changes } = order;
    const firsts = [...listTold(world, order).values()];
    const wanted = changes.map(({ change }) => `order.${change}`);
    if (new Set(firsts).size !== firsts.length)
      found.push(`an event of order ${receipt_id} is there twice: ${firsts.join(', ')}`);
    const missing = listMissing(world, order);
    if (missing.length > 0) found.push(`order ${receipt_id} was never told: ${missing.join(', ')}`);
    const ordered = wanted.filter((type) => firsts.includes(type));
    if (firsts.join() !== ordered.join() && missing.length === 0) {
      found.push(`events of order ${receipt_id} came as ${firsts.join(', ')}`);
    }
  }
  return found;
}

const MOST_NAPS = 120;

/** Events of an order that no receiver accepted, except those never sent because a destination was gone. */
function listMissing(world: World, order: Order): string[] {
  const taken = new Set(listTold(world, order, { is_taken: true }).values());
  const missing = order.changes.filter(({ change }) => !taken.has(`order.${change}`));
  const on_since_ms = Math.max(0, ...world.receivers.list().map((receiver) => receiver.on_since_ms ?? 0));
  if (missing.every(({ at_ms }) => at_ms >= on_since_ms))
    return missing.map(({ change }) => `order.${change}`);
  const unsent = listUnsent(world, order);
  const swept_ms = world.schedule.now() - KEPT_DAYS * DAY_MS;
  return missing.flatMap(({ change, at_ms }) => {
    const type = `order.${change}`;
    // The reason why an event was not sent is unknown once it was swept.
    const isExcused = at_ms < on_since_ms && (unsent.has(type) || at_ms < swept_ms);
    return isExcused ? [] : [type];
  });
}

const DAY_MS = 24 * 3_600_000;

type UnsentRow = {
  event_type: string;
  response_status_code: number | null;
  error: string | null;
  has_delivery: 0 | 1;
};

/**
 * Events of an order that were recorded while the destination was off, were waiting when it was switched off,
 * or switched it off.
 */
function listUnsent({ folder }: World, { shop_id, receipt_id }: Order): Set<string> {
  const database = openAddon(join(folder, 'data', 'service.db'), { readonly: true });
  try {
    const rows = database.prepare(
      `SELECT events.event_type, response_status_code, error, deliveries.id IS NOT NULL AS has_delivery
      FROM events LEFT JOIN deliveries ON deliveries.id = (
        SELECT max(id) FROM deliveries AS own
        WHERE own.account_id = events.account_id AND own.event_id = events.event_id
      ) WHERE events.subject = ?`,
    );
    const result = rows.all(`etsy:${shop_id}:${receipt_id}`) as UnsentRow[];
    return new Set(
      result.flatMap((row) =>
        row.response_status_code === GONE ||
        row.error === 'cancelled_endpoint_disabled' ||
        row.has_delivery === 0
          ? [row.event_type]
          : [],
      ),
    );
  } finally {
    database.close();
  }
}

/** The received (or accepted) messages about an order, by event. */
function listTold(
  { receivers }: World,
  { shop_id, receipt_id }: Order,
  only: { is_taken: boolean } = { is_taken: false },
): Map<string, string> {
  const messages = receivers.list().flatMap((receiver) => receiver.messages);
  const own = messages.filter(
    ({ subject, is_taken }) => subject === `${shop_id}:${receipt_id}` && (is_taken || !only.is_taken),
  );
  return new Map(own.map(({ event_id, event_type }) => [event_id, event_type]));
}

function isOf(number: number, { fields }: SeenListing): boolean {
  return fields.description === `By its number: ${number}.`;
}
