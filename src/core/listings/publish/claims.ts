import type { DraftListing, MarketplaceListing, OpenCreate } from '../../ports/index.js';
import { getLikeness, LIKENESS, type Likeness } from './compare.js';
import type { Intent, ShopProgress } from './progress.js';

/** How far the times of two of the marketplace's machines may be apart. */
const TOLERANCE_MS = 5 * 60_000;
/** What was made so long before or after may still be meant, where a clock on the way is wrong; a look takes none of it. */
const DOUBT_MS = 24 * 60 * 60_000;

/** A create of unknown outcome: what it may have made, and when. */
export type Claim = {
  draft: DraftListing;
  since_ms: number;
  until_ms: number;
  /** So many listings of it there may be. */
  attempts: number;
  /** What is less like it is not looked at. */
  least: Likeness;
  /** What is less like it may be its own, and is not taken. */
  sure: Likeness;
};

/** What of the listings of a shop is that of a claim. */
export type Ruling =
  | { found: 'none' }
  /** `surplus`: others of the same claim, made twice by mistake. */
  | { found: 'one'; listing: MarketplaceListing; surplus: MarketplaceListing[] }
  /** Any of them may be, and none surely is. */
  | { found: 'undecided'; listings: MarketplaceListing[] };

/**
 * Of what was made at its time the title is sure, and the description alone is not: sellers give several products the same one.
 * @param is_earlier whether its create was sent in an earlier run: what it made may have been changed and sold since
 */
export function buildClaim(intent: Intent, draft: DraftListing, is_earlier: boolean): Claim {
  const { made_between, attempt: attempts } = intent;
  const least = is_earlier ? LIKENESS.description : LIKENESS.product;
  const [since, until] = made_between ? [made_between.since, made_between.until] : [];
  return {
    draft,
    since_ms: since === undefined ? -Infinity : Date.parse(since) - TOLERANCE_MS,
    until_ms: until === undefined ? Infinity : Date.parse(until) + TOLERANCE_MS,
    attempts,
    least: made_between ? least : LIKENESS.product,
    // Many products of a shop may have one description: with another title it is one of them, or this one renamed.
    sure: made_between ? LIKENESS.title : LIKENESS.whole,
  };
}

/** For a listing of ours that is from a backup: what was made of it afterwards. */
export function buildRestoredClaim(backed_up_at: string, draft: DraftListing): Claim {
  const since_ms = Date.parse(backed_up_at) - TOLERANCE_MS;
  const { title: least, product: sure } = LIKENESS;
  return { draft, since_ms, until_ms: Infinity, attempts: 1, least, sure };
}

export function toClaims(creates: readonly OpenCreate[]): Claim[] {
  return creates.flatMap(({ progress, draft }) =>
    progress.intent ? buildClaim(progress.intent, withoutLeftOut(draft, progress), true) : [],
  );
}

/** What creation really sends: without what it was refused for. */
export function withoutLeftOut(draft: DraftListing, { left_out }: ShopProgress): DraftListing {
  const fields = new Set(left_out.map(({ field }) => field));
  return Object.fromEntries(Object.entries(draft).filter(([field]) => !fields.has(field))) as DraftListing;
}

/**
 * Whose a listing is goes by what was sent: it is that of the claim that it is most like. Claims that it is equally like may share
 * such listings out as they come, since what differs is set again, as long as there are no more of them than creates that may have
 * made them. With more, one is a stranger's, and none is taken.
 */
export function rule(listings: readonly MarketplaceListing[], own: Claim, others: readonly Claim[]): Ruling {
  const alike = listings
    .map((listing) => ({ listing, likeness: getLikenessTo(listing, own) }))
    .filter(({ likeness }) => likeness >= own.least)
    .filter(({ listing, likeness }) => others.every((other) => getLikenessTo(listing, other) <= likeness));
  const most = Math.max(LIKENESS.none, ...alike.map(({ likeness }) => likeness));
  const best = alike.filter(({ likeness }) => likeness === most).map(({ listing }) => listing);
  const [oldest, ...rest] = best.sort(byAge);
  if (!oldest) return ruleOnDoubtful(listings, own, others);
  const rivals = others.filter((other) => best.some((listing) => getLikenessTo(listing, other) === most));
  const creates = rivals.reduce((sum, { attempts }) => sum + attempts, own.attempts);
  if (best.length > creates || most < own.sure) return { found: 'undecided', listings: best };
  return { found: 'one', listing: oldest, surplus: rest.length > rivals.length ? rest : [] };
}

/** What would surely be ours, had it been made at another time. */
function ruleOnDoubtful(
  listings: readonly MarketplaceListing[],
  own: Claim,
  others: readonly Claim[],
): Ruling {
  const wider: Claim = { ...own, since_ms: own.since_ms - DOUBT_MS, until_ms: own.until_ms + DOUBT_MS };
  const doubtful = listings
    .filter((listing) => getLikenessTo(listing, wider) === LIKENESS.whole)
    .filter((listing) => others.every((other) => getLikenessTo(listing, other) < LIKENESS.whole));
  return doubtful.length > 0 ? { found: 'undecided', listings: doubtful } : { found: 'none' };
}

function getLikenessTo(listing: MarketplaceListing, { draft, since_ms, until_ms }: Claim): Likeness {
  const created_ms = listing.created_at_epoch_s * 1000;
  return created_ms >= since_ms && created_ms <= until_ms ? getLikeness(listing, draft) : LIKENESS.none;
}

function byAge(a: MarketplaceListing, b: MarketplaceListing): number {
  return a.created_at_epoch_s - b.created_at_epoch_s || a.listing_id - b.listing_id;
}
