import type { Warning } from '../../../../../schemas/job.js';
import type { MarketplaceListing } from '../../../ports/index.js';
import {
  buildPendingCreate,
  buildRestoredCreate,
  matchListings,
  toPendingCreates,
  withoutLeftOut,
  type PendingCreate,
  type MatchResult,
} from './matching.js';
import { getLikeness, LIKENESS } from '../../snapshot/compare_draft.js';
import { getAftermath_ms, getSettle_ms } from '../../engine/intents.js';
import { callRepeatably } from '../../engine/attempt.js';
import type { Publishing } from '../../engine/context.js';
import { StepError } from '../../engine/failures.js';

/** States a draft may have reached since it was last checked long ago. */
const LATER_STATES = ['active', 'inactive', 'sold_out', 'expired'] as const;

export type FoundListing = { listing: MarketplaceListing; warnings: Warning[] };

/**
 * Finds an existing listing: made by a create of unknown outcome, or after the backup that ours was restored from.
 * As a draft may show up late, waits until the settle time has passed since the deadline of the create, or since
 * the start, then searches twice. Never deletes a listing.
 * @throws StepError if several listings may be the one, and nothing may be created
 * @param isEarlier whether an earlier run sent the create: its listing may have been activated and changed since
 */
export async function findListing(
  publishing: Publishing,
  isEarlier: boolean,
): Promise<FoundListing | undefined> {
  const { settle_ms, ports, progress } = publishing;
  const pending = listPendingCreates(publishing, isEarlier);
  if (pending.length === 0) return undefined;
  const drafts = await listInState(publishing, 'draft');
  const later = isEarlier ? await listLater(publishing) : [];
  const unsettled_ms = progress.intent
    ? getSettle_ms(progress.intent, ports.clock.now(), settle_ms)
    : getSinceStart_ms(publishing);
  if (unsettled_ms <= 0) return toFound(await decide(publishing, [...drafts, ...later], pending));
  const pauses_ms = [unsettled_ms, settle_ms / 10];
  // Before the settle time has passed, only an exact match counts, and finding nothing proves nothing.
  const strict = pending.map((create) => ({ ...create, least: LIKENESS.whole }));
  let result = await decide(publishing, [...drafts, ...later], strict);
  for (const pause_ms of pauses_ms) {
    if (result.found === 'one') break;
    await publishing.pause(pause_ms);
    result = await decide(publishing, [...later, ...(await listInState(publishing, 'draft'))], pending);
  }
  return toFound(result);
}

/** The process that ran before this one may have made a listing after the backup. */
function getSinceStart_ms({ started_ms, settle_ms, ports }: Publishing): number {
  return getAftermath_ms(settle_ms) - (ports.clock.monotonic() - started_ms);
}

function listPendingCreates(
  { draft: planned, progress, backed_up_at }: Publishing,
  isEarlier: boolean,
): PendingCreate[] {
  const draft = withoutLeftOut(planned, progress);
  const { intent } = progress;
  return [
    ...(intent ? [buildPendingCreate(intent, draft, isEarlier)] : []),
    ...(isEarlier && backed_up_at !== undefined ? [buildRestoredCreate(backed_up_at, draft)] : []),
  ];
}

/** One state after the other, drafts first: a listing activated in between appears twice rather than never. */
async function listLater(publishing: Publishing): Promise<MarketplaceListing[]> {
  const listings: MarketplaceListing[] = [];
  for (const state of LATER_STATES) listings.push(...(await listInState(publishing, state)));
  return listings;
}

function listInState(
  publishing: Publishing,
  state: 'draft' | (typeof LATER_STATES)[number],
): Promise<MarketplaceListing[]> {
  const { shop, ports } = publishing;
  return callRepeatably(publishing, () => ports.marketplace.listListings(shop, state));
}

/** Matches against each pending create in turn; the first clear result counts. */
async function decide(
  { shop, ports, listing_pk, draft }: Publishing,
  listings: readonly MarketplaceListing[],
  pending: readonly PendingCreate[],
): Promise<MatchResult> {
  const alike = new Map(
    listings
      .filter((listing) => getLikeness(listing, draft) !== LIKENESS.none)
      .map((listing) => [listing.listing_id, listing]),
  );
  if (alike.size === 0) return { found: 'none' };
  const known = await ports.store.listings.listKnownListingIds(shop.shop_id, [...alike.keys()]);
  for (const listing_id of known) alike.delete(listing_id);
  const creates = await ports.store.listings.listOpenCreates(shop.shop_id);
  const others = toPendingCreates(creates.filter((create) => create.listing_pk !== listing_pk));
  const results = pending.map((create) => matchListings([...alike.values()], create, others));
  return (
    results.find(({ found }) => found === 'one') ??
    results.find(({ found }) => found === 'undecided') ?? { found: 'none' }
  );
}

function toFound(result: MatchResult): FoundListing | undefined {
  if (result.found === 'none') return undefined;
  if (result.found === 'undecided') {
    const params = { listing_ids: result.listings.map(({ listing_id }) => listing_id) };
    throw new StepError({ code: 'listings_alike', params }, null);
  }
  const { listing, surplus } = result;
  return { listing, warnings: surplus.length > 0 ? [buildSurplus(surplus)] : [] };
}

function buildSurplus(listings: readonly MarketplaceListing[]): Warning {
  const params = { listing_ids: listings.map(({ listing_id }) => listing_id) };
  return { code: 'several_drafts_match', fields: [], reason: { code: 'drafts_match', params } };
}
