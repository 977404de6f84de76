import type { DraftListing, MarketplaceListing, OpenCreate } from '../../../ports/index.js';
import type { Intent, PublicationProgress } from '../../../ports/listing/progress.js';
import { getLikeness, LIKENESS, type Likeness } from '../../snapshot/compare_draft.js';

/** The clocks of two marketplace machines may differ by this much. */
const TOLERANCE_MS = 5 * 60_000;
/**
 * If a clock involved is wrong, a listing made this long before or after may still be the create's; it is never
 * adopted automatically.
 */
const DOUBT_MS = 24 * 60 * 60_000;

/** A create of unknown outcome: the listing it may have made, and when. */
export type PendingCreate = {
  draft: DraftListing;
  since_ms: number;
  until_ms: number;
  /** Calls sent for it, and so the most listings it can have made. */
  attempts: number;
  /** A less similar listing is not considered. */
  least: Likeness;
  /** A less similar listing may come from this create, but is not adopted. */
  sure: Likeness;
};

/** Which of a shop's listings a pending create made. */
export type MatchResult =
  | { found: 'none' }
  /** `surplus`: further listings of the same create, made twice by mistake. */
  | { found: 'one'; listing: MarketplaceListing; surplus: MarketplaceListing[] }
  /** Each of them may be its listing, but none is certain. */
  | { found: 'undecided'; listings: MarketplaceListing[] };

/**
 * For a listing made at the time of the create, the same title is proof enough. The same description is not, since
 * sellers reuse one description for several products.
 * @param isEarlier whether an earlier run sent the create: its listing may have been changed and sold since
 */
export function buildPendingCreate(intent: Intent, draft: DraftListing, isEarlier: boolean): PendingCreate {
  const { made_between, attempt: attempts } = intent;
  const least = isEarlier ? LIKENESS.description : LIKENESS.product;
  const [since, until] = made_between ? [made_between.since, made_between.until] : [];
  return {
    draft,
    since_ms: since === undefined ? -Infinity : Date.parse(since) - TOLERANCE_MS,
    until_ms: until === undefined ? Infinity : Date.parse(until) + TOLERANCE_MS,
    attempts,
    least: made_between ? least : LIKENESS.product,
    // Many products of a shop may share a description. A listing with another title is one of those, or this one
    // renamed.
    sure: made_between ? LIKENESS.title : LIKENESS.whole,
  };
}

/** For a listing from a restored backup: the create that may have been sent after the backup. */
export function buildRestoredCreate(backed_up_at: string, draft: DraftListing): PendingCreate {
  const since_ms = Date.parse(backed_up_at) - TOLERANCE_MS;
  const { title: least, product: sure } = LIKENESS;
  return { draft, since_ms, until_ms: Infinity, attempts: 1, least, sure };
}

export function toPendingCreates(creates: readonly OpenCreate[]): PendingCreate[] {
  return creates.flatMap(({ progress, draft }) =>
    progress.intent ? buildPendingCreate(progress.intent, withoutLeftOut(draft, progress), true) : [],
  );
}

/** The draft as actually sent, without the fields the marketplace refused. */
export function withoutLeftOut(draft: DraftListing, { left_out }: PublicationProgress): DraftListing {
  const fields = new Set(left_out.map(({ field }) => field));
  return Object.fromEntries(Object.entries(draft).filter(([field]) => !fields.has(field))) as DraftListing;
}

/**
 * A listing belongs to the pending create whose draft it resembles most. Creates with equally similar drafts may
 * share such listings in any order, since fields that differ are set again, as long as there are no more listings
 * than calls that may have made them. If there are more, one was made manually, and none is adopted.
 */
export function matchListings(
  listings: readonly MarketplaceListing[],
  own: PendingCreate,
  others: readonly PendingCreate[],
): MatchResult {
  const alike = listings
    .map((listing) => ({ listing, likeness: getLikenessTo(listing, own) }))
    .filter(({ likeness }) => likeness >= own.least)
    .filter(({ listing, likeness }) => others.every((other) => getLikenessTo(listing, other) <= likeness));
  const most = Math.max(LIKENESS.none, ...alike.map(({ likeness }) => likeness));
  const best = alike.filter(({ likeness }) => likeness === most).map(({ listing }) => listing);
  const [oldest, ...rest] = best.sort(byAge);
  if (!oldest) return matchDoubtful(listings, own, others);
  const rivals = others.filter((other) => best.some((listing) => getLikenessTo(listing, other) === most));
  const creates = rivals.reduce((sum, { attempts }) => sum + attempts, own.attempts);
  if (best.length > creates || most < own.sure) return { found: 'undecided', listings: best };
  return { found: 'one', listing: oldest, surplus: rest.length > rivals.length ? rest : [] };
}

/** Listings that would certainly belong to this create if they had been made at its time. */
function matchDoubtful(
  listings: readonly MarketplaceListing[],
  own: PendingCreate,
  others: readonly PendingCreate[],
): MatchResult {
  const wider: PendingCreate = {
    ...own,
    since_ms: own.since_ms - DOUBT_MS,
    until_ms: own.until_ms + DOUBT_MS,
  };
  const doubtful = listings
    .filter((listing) => getLikenessTo(listing, wider) === LIKENESS.whole)
    .filter((listing) => others.every((other) => getLikenessTo(listing, other) < LIKENESS.whole));
  return doubtful.length > 0 ? { found: 'undecided', listings: doubtful } : { found: 'none' };
}

function getLikenessTo(listing: MarketplaceListing, { draft, since_ms, until_ms }: PendingCreate): Likeness {
  const created_ms = listing.created_at_epoch_s * 1000;
  return created_ms >= since_ms && created_ms <= until_ms ? getLikeness(listing, draft) : LIKENESS.none;
}

function byAge(a: MarketplaceListing, b: MarketplaceListing): number {
  return a.created_at_epoch_s - b.created_at_epoch_s || a.listing_id - b.listing_id;
}
