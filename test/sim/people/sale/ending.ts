import type { ShopResult } from '../../../answers.js';
import { write, type KnownListing } from '../../oracles/known.js';
import { isScarce, LEAST_DAY_PAUSE_MS } from '../asking.js';
import { drawNo, holdToNo, isCeiling, noteJob } from './fees.js';
import { meet } from './making.js';
import type { Selling } from './selling.js';

const FINISHING_TRIES = 8;
/** Tries if a day may end before everything is done; each is hours after the previous one. */
const DAYS_OF_TRIES = 120;
/** Listings a lost create has made since the listing was changed: only the seller can tell whose they are. */
const UNSURE = /could not be determined (?:whether it|which of them) is/;

/**
 * Once all troubles are over: everything that came back as an error is finished, and every listing can be
 * changed and restored.
 */
export async function finish(selling: Selling): Promise<void> {
  const { sale, planned, world } = selling;
  if (sale.listing_pk === undefined) return;
  const isComplete = !planned.is_import && (await complete(selling));
  // If a day may end halfway, the rest of a change is left for another day.
  if (sale.listings.length > 0 && !isScarce(world.plan)) await changeAndUndo(selling, isComplete);
}

/** If nothing is in the way, a change succeeds, and its undo restores the previous values. */
async function changeAndUndo(selling: Selling, isComplete: boolean): Promise<void> {
  const { sale, ask, who, planned } = selling;
  const { listing_pk } = sale;
  // The grant of a shop may have ended unnoticed because the answer to its last refresh was lost: then its
  // seller connects again.
  for (const { shop_id } of sale.listings) await ask(who, 'store_sync', { shop_id }, { face: 'rest' });
  const before = await lookForTitles(selling);
  const changes = { listing: { title: `Last ${planned.number}` } };
  const input = { listing_pk, changes, on_drift: 'overwrite' };
  if (!(await isDone(selling, 'listing_update', input, isComplete))) return;
  const changed = await lookForTitles(selling);
  if (changed.some(([, title]) => title !== changes.listing.title))
    sale.faults.push(`${who} was changed and has the titles ${JSON.stringify(changed)}`);
  if (!(await isDone(selling, 'listing_undo', { listing_pk }, isComplete))) return;
  const after = await lookForTitles(selling);
  if (JSON.stringify(after) !== JSON.stringify(before))
    sale.faults.push(`${who} has the titles ${JSON.stringify(after)}, undone, for ${JSON.stringify(before)}`);
}

async function lookForTitles({ look, sale }: Selling): Promise<[number, string][]> {
  const seen = await look();
  return sale.listings.flatMap(({ listing_id }) =>
    seen.flatMap((one) =>
      one.listing_id === listing_id ? [[listing_id, one.fields.title] as [number, string]] : [],
    ),
  );
}

/**
 * Whether it is reported as done in each shop. If not, that is a fault, unless it is blocked by an unanswered
 * copy that no publish has searched for.
 */
async function isDone(
  { ask, who, planned, sale }: Selling,
  id: string,
  input: Record<string, unknown>,
  isComplete: boolean,
): Promise<boolean> {
  const key = `${id}-${planned.number}-at-the-end`;
  const outcome = await ask(who, id, input, { face: planned.face, key });
  if (outcome.kind === 'refused' && outcome.code === 'LISTING_BUSY' && !isComplete) return false;
  if (outcome.kind !== 'told') {
    sale.faults.push(`${who} has no ${id} at the end: ${JSON.stringify(outcome)}`);
    return false;
  }
  noteJob(sale, outcome.output);
  const { results = [] } = outcome.output;
  const open = sale.listings.flatMap(({ listing_id, shop_id }) => {
    const result = results.find((one) => Number(one.shop_id) === shop_id);
    return result?.status === 'ok' ? [] : [`${listing_id} ${result?.status} ${result?.error ?? ''}`];
  });
  if (open.length > 0) sale.faults.push(`${id} at the end is not done: ${open.join(', ')}`);
  return open.length === 0;
}

/** Whether everything was tried to its end; not if the fees of a day are used up. */
async function complete(selling: Selling): Promise<boolean> {
  const { world, planned, sale, ask, who, chance } = selling;
  const { plan, template, schedule } = world;
  for (let tries = 0; tries < (isScarce(plan) ? DAYS_OF_TRIES : FINISHING_TRIES); tries += 1) {
    const { listing_pk } = sale;
    const no = planned.state === 'active' ? drawNo(selling) : undefined;
    if (no === undefined && planned.state === 'active')
      for (const { shop_id } of template.targets) sale.paid_shops.add(shop_id);
    const input = { listing_pk, state: planned.state };
    const outcome = await ask(who, 'listing_publish', input, { face: planned.face, no });
    if (no !== undefined) await holdToNo(selling);
    if (outcome.kind === 'declined') continue;
    if (outcome.kind !== 'told') {
      if (outcome.kind === 'refused' && !isCeiling(outcome))
        sale.faults.push(`${who} cannot be finished: ${outcome.message}`);
      return false;
    }
    noteJob(sale, outcome.output);
    await meet(selling, outcome.output);
    const { status, results = [] } = outcome.output;
    if (planned.state === 'active') noteLive(selling, results);
    const unsure = results.filter(({ error = '' }) => UNSURE.test(error));
    for (const { shop_id } of unsure) sale.unsure_shops.add(Number(shop_id));
    if (unsure.length > 0) return true;
    if (
      status === 'unchanged' ||
      (status === 'completed' && results.every((shop) => shop.status !== 'error'))
    )
      return true;
    await schedule.pause(
      tries < FINISHING_TRIES ? chance.between(1000, 60_000) : chance.between(1, 3) * LEAST_DAY_PAUSE_MS,
    );
  }
  sale.faults.push(`${who} never comes right`);
  return true;
}

/** A listing that was still a draft, like a copy, was activated with the others. */
function noteLive(selling: Selling, results: readonly ShopResult[]): void {
  for (const { fields, listing_id } of selling.sale.listings) {
    const result = results.find((one) => one.listing_id === listing_id);
    if (fields.state.allowed.has('draft')) {
      fields.state.allowed.add('active');
      takeSaved(selling, fields);
    }
    // Reported as done when it was activated; sold-out listings stay so.
    if (fields.state.allowed.has('sold_out')) continue;
    if (result?.status === 'ok' && fields.state.allowed.size > 1) write(fields.state, 'active', false);
  }
}

/**
 * An activated copy has the requested photos, videos and files, or those the listing has got in other shops,
 * for example by an undo there; and the question, if the copy was made without one.
 */
function takeSaved({ asked_media, sale }: Selling, fields: KnownListing['fields']): void {
  for (const field of ['photos', 'video', 'files', 'question'] as const) {
    if (field !== 'question') for (const value of asked_media[field]) fields[field].allowed.add(value);
    for (const other of sale.listings)
      for (const value of other.fields[field].allowed) fields[field].allowed.add(value);
  }
}
