import type { Warning } from '../../../schemas/job.js';
import type { DraftListing, MarketplaceListing } from '../ports/index.js';
import type { Intent } from './progress.js';
import { callRepeatably } from './steps/attempt.js';
import type { Publishing } from './steps/step.js';

/** How far the marketplace's clock may be off beyond what its answers told. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;

/**
 * Finds the draft that a create of unknown outcome may have made. Waits until the call's deadline and the settle time have
 * passed, since a draft may show up late, then looks twice. Of several matches the oldest is taken; none is ever deleted.
 */
export async function findLostDraft(
  publishing: Publishing,
  intent: Intent,
  draft: DraftListing,
): Promise<{ listing: MarketplaceListing; warning: Warning | undefined } | undefined> {
  const { clock } = publishing.ports;
  const settled_at = Date.parse(intent.deadline_at) + publishing.settle_ms;
  // Before the settle time only a find counts; an empty look proves nothing.
  const pauses_ms = [
    0,
    // A restarted process does not know when the call was sent, so the settle time runs from now at least.
    Math.max(publishing.settle_ms, settled_at - clock.now().getTime()),
    publishing.settle_ms / 10,
  ];
  for (const pause_ms of pauses_ms) {
    publishing.checkStop();
    await clock.sleep(pause_ms);
    const matches = await listMatches(publishing, intent, draft);
    const [oldest] = matches;
    if (oldest) return { listing: oldest, warning: buildWarning(matches) };
  }
  return undefined;
}

async function listMatches(
  publishing: Publishing,
  intent: Intent,
  draft: DraftListing,
): Promise<MarketplaceListing[]> {
  const { shop, ports } = publishing;
  const drafts = await callRepeatably(publishing, () => ports.marketplace.listDraftListings(shop));
  const since = Date.parse(intent.started_at) + ports.marketplace.getClockSkew() - CLOCK_TOLERANCE_MS;
  const alike = drafts.filter(
    (listing) => listing.created_at_epoch_s * 1000 >= since && isSameListing(listing, draft),
  );
  const known = await ports.store.listings.listKnownListingIds(
    shop.shop_id,
    alike.map(({ listing_id }) => listing_id),
  );
  return alike
    .filter(({ listing_id }) => !known.includes(listing_id))
    .sort((a, b) => a.created_at_epoch_s - b.created_at_epoch_s || a.listing_id - b.listing_id);
}

/** The marketplace may have folded white space and composed characters; prices are compared in hundredths. */
export function isSameListing(listing: MarketplaceListing, draft: DraftListing): boolean {
  return (
    foldText(listing.title) === foldText(draft.title) &&
    foldText(listing.description) === foldText(draft.description) &&
    Math.round(listing.price * 100) === Math.round(draft.price * 100) &&
    listing.quantity === draft.quantity &&
    listing.taxonomy_id === draft.taxonomy_id
  );
}

export function foldText(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

function buildWarning(matches: readonly MarketplaceListing[]): Warning | undefined {
  if (matches.length < 2) return undefined;
  const others = matches.slice(1).map(({ listing_id }) => listing_id);
  return {
    code: 'several_drafts_match',
    fields: [],
    reason: `After a lost answer several drafts look like this listing; the oldest was taken. Look at: ${others.join(', ')}.`,
  };
}
