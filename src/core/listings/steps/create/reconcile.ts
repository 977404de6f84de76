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
import { getPublication, type Context } from '../../engine/context.js';
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
export async function findListing(cx: Context, isEarlier: boolean): Promise<FoundListing | undefined> {
  const { settle_ms, ports, publication } = cx;
  const pending = listPendingCreates(cx, isEarlier);
  if (pending.length === 0) return undefined;
  const drafts = await listInState(cx, 'draft');
  const later = isEarlier ? await listLater(cx) : [];
  const unsettled_ms = publication.intent
    ? getSettle_ms(publication.intent, ports.clock.now(), settle_ms)
    : getSinceStart_ms(cx);
  if (unsettled_ms <= 0) return toFound(await decide(cx, [...drafts, ...later], pending));
  const pauses_ms = [unsettled_ms, settle_ms / 10];
  // Before the settle time has passed, only an exact match counts, and finding nothing proves nothing.
  const strict = pending.map((create) => ({ ...create, least: LIKENESS.whole }));
  let result = await decide(cx, [...drafts, ...later], strict);
  for (const pause_ms of pauses_ms) {
    if (result.found === 'one') break;
    await cx.pause(pause_ms);
    result = await decide(cx, [...later, ...(await listInState(cx, 'draft'))], pending);
  }
  return toFound(result);
}

/** The process that ran before this one may have made a listing after the backup. */
function getSinceStart_ms({ started_ms, settle_ms, ports }: Context): number {
  return getAftermath_ms(settle_ms) - (ports.clock.monotonic() - started_ms);
}

function listPendingCreates(cx: Context, isEarlier: boolean): PendingCreate[] {
  const { publication, backed_up_at } = cx;
  const draft = withoutLeftOut(getPublication(cx).draft, publication);
  const { intent } = publication;
  return [
    ...(intent ? [buildPendingCreate(intent, draft, isEarlier)] : []),
    ...(isEarlier && backed_up_at !== undefined ? [buildRestoredCreate(backed_up_at, draft)] : []),
  ];
}

/** One state after the other, drafts first: a listing activated in between appears twice rather than never. */
async function listLater(cx: Context): Promise<MarketplaceListing[]> {
  const listings: MarketplaceListing[] = [];
  for (const state of LATER_STATES) listings.push(...(await listInState(cx, state)));
  return listings;
}

function listInState(
  cx: Context,
  state: 'draft' | (typeof LATER_STATES)[number],
): Promise<MarketplaceListing[]> {
  const { shop, ports } = cx;
  return callRepeatably(cx, () => ports.marketplace.listListings(shop, state));
}

/** Matches against each pending create in turn; the first clear result counts. */
async function decide(
  cx: Context,
  listings: readonly MarketplaceListing[],
  pending: readonly PendingCreate[],
): Promise<MatchResult> {
  const { shop, ports, listing_pk } = cx;
  const { draft } = getPublication(cx);
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
