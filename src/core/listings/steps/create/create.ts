import type { Warning } from '../../../../../schemas/job.js';
import {
  ListingTakenError,
  MarketplaceError,
  type DraftListing,
  type MarketplaceListing,
} from '../../../ports/index.js';
import type { Target } from '../../../ports/listing/target.js';
import type { Intent } from '../../../ports/listing/progress.js';
import { OPTIONAL_AT_CREATION } from '../../listing_fields.js';
import { withoutLeftOut } from './matching.js';
import { getLikeness, LIKENESS, listDifferences } from '../../snapshot/compare_draft.js';
import { buildCreateIntent, SEND_WINDOW_MS } from '../../engine/intents.js';
import { findListing, type FoundListing } from './reconcile.js';
import { callPatiently } from '../../engine/attempt.js';
import { toStepError, StepError } from '../../engine/failures.js';
import { getPublication, type Context } from '../../engine/context.js';
import type { Step } from '../../engine/step.js';

/**
 * Report an error after this many consecutive creates with unknown outcomes: the marketplace answers 500 to some bad
 * input.
 */
const MAX_UNKNOWN_CREATES = 2;
const UNSENT_ATTEMPTS = 3;
const UNSENT_PAUSE_MS = 1_000;

/**
 * Creates the draft exactly once. Commits the intent before the call. If the outcome of a call is unknown, searches
 * the shop for the draft, adopts it if found, and creates again only after two searches found nothing. After
 * a restore, searches for the listing before creating anything.
 */
export const createStep: Step = {
  name: 'create',
  needs: [],
  async run(cx) {
    const { publication } = cx;
    for (let isEarlier = true; cx.listing_id === null; isEarlier = false) {
      if (await findAgain(cx, isEarlier)) break;
      const created = await tryCreate(cx);
      if (!created) continue;
      // A concurrent listing with identical text may have lost its response and adopted the draft this one just
      // created. If so, the draft that its own create made is ours; search for that one.
      if (await tryAdopt(cx, created)) {
        cx.is_new = true;
        cx.report('draft created');
      } else {
        endCall(cx);
      }
    }
    return { warnings: publication.warnings.create ?? [] };
  },
};

/** Returns undefined if the create must be tried without a refused field, or if its outcome is unknown. */
async function tryCreate(cx: Context): Promise<MarketplaceListing | undefined> {
  const { intent: earlier } = cx.publication;
  const draft = withoutLeftOut(getPublication(cx).draft, cx.publication);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callPatiently(cx, () => sendCreate(cx, draft, earlier));
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'unknown' || leaveOut(cx, cause)) return undefined;
      if (cause.failure !== 'unavailable' || attempt === UNSENT_ATTEMPTS) {
        throw toStepError(cause, 'create');
      }
      await cx.pause(UNSENT_PAUSE_MS * attempt);
    }
  }
}

/**
 * Keeps the intent if the outcome is unknown; otherwise restores the previous attempt's intent, since its draft may
 * still appear.
 */
async function sendCreate(
  cx: Context,
  draft: DraftListing,
  earlier: Intent | null,
): Promise<MarketplaceListing> {
  const { publication, ports, shop } = cx;
  publication.intent = buildCreateIntent(earlier, ports.clock.now(), ports.marketplace.findTime());
  const send_before_ms = ports.clock.monotonic() + SEND_WINDOW_MS;
  await cx.save();
  try {
    return await ports.marketplace.createDraftListing(shop, draft, { send_before_ms });
  } catch (cause) {
    if (cause instanceof MarketplaceError) {
      if (cause.failure === 'unknown') endCall(cx);
      else publication.intent = earlier;
      await cx.save();
    }
    throw cause;
  }
}

/** Our side of the call is over; from here on only the marketplace's own lag is outstanding. */
function endCall({ publication, ports }: Context): void {
  if (publication.intent) publication.intent.deadline_at = ports.clock.now().toISOString();
}

/** Waits until no call can be in flight, then searches. Returns true if the listing was found. */
async function findAgain(cx: Context, isEarlier: boolean): Promise<boolean> {
  const { publication, ports } = cx;
  for (;;) {
    const asked_ms = ports.clock.monotonic();
    const found = await findListing(cx, isEarlier);
    if (!found) break;
    if (await tryAdoptFound(cx, found, asked_ms)) return true;
    // Two identical listings both lost their responses and the other claimed this draft first. The next search
    // skips it.
  }
  const { intent } = publication;
  if (intent && !intent.is_told && intent.attempt % MAX_UNKNOWN_CREATES === 0) {
    intent.is_told = true;
    await cx.save();
    throw new StepError({ code: 'create_unknown', params: {} }, null);
  }
  return false;
}

/**
 * Adopts a listing that was found, and commits the warnings with it. For a draft, rewrites fields that differ or
 * cannot be verified. A listing that has been live or whose text was edited is left alone: the seller meant the
 * edits. Returns false if another of our listings already has it.
 */
async function tryAdoptFound(
  cx: Context,
  { listing, warnings }: FoundListing,
  asked_ms: number,
): Promise<boolean> {
  const { publication, backed_up_at, target } = cx;
  const draft = withoutLeftOut(getPublication(cx).draft, publication);
  const isAsSent = listing.state === 'draft' && getLikeness(listing, draft) >= LIKENESS.product;
  const isReported = !isAsSent || backed_up_at !== undefined;
  publication.to_mend = isAsSent ? listToFix(listing, draft, target) : [];
  publication.warnings.create = isReported ? [...warnings, buildFound(listing)] : warnings;
  try {
    if (!(await tryAdopt(cx, listing))) return false;
  } finally {
    if (cx.listing_id === null) {
      publication.to_mend = [];
      publication.warnings.create = [];
    }
  }
  cx.seen = listing;
  cx.listing_asked_ms = asked_ms;
  cx.report('listing found again');
  return true;
}

function buildFound({ listing_id, state }: MarketplaceListing): Warning {
  return {
    code: 'found_again',
    fields: [],
    reason: { code: 'found_again', params: { listing_id, state } },
  };
}

/** Fields that differ from those sent, and sent fields that no response contains. */
function listToFix(listing: MarketplaceListing, draft: DraftListing, { inventory }: Target): string[] {
  // An inventory write also sets the processing profiles.
  const unseen = ['production_partner_ids' as const, ...(inventory ? [] : ['readiness_state_id' as const])];
  return [...listDifferences(listing, draft), ...unseen.filter((field) => draft[field] !== undefined)];
}

/**
 * Returns false if another of our listings already has this one. In that case, or if the save fails, rolls back the
 * intent, because a listing that was not saved as ours can still be claimed by another.
 */
async function tryAdopt(cx: Context, listing: MarketplaceListing): Promise<boolean> {
  const { publication } = cx;
  const { intent } = publication;
  cx.listing_id = listing.listing_id;
  publication.listing_url = listing.url;
  publication.intent = null;
  try {
    await cx.save();
    return true;
  } catch (cause) {
    cx.listing_id = null;
    publication.listing_url = null;
    publication.intent = intent;
    if (!(cause instanceof ListingTakenError)) throw cause;
    return false;
  }
}

/** Records refused fields so they can be written after creation. Returns false if a listing needs one of them. */
function leaveOut(cx: Context, cause: MarketplaceError): boolean {
  if (cause.failure !== 'refused' || cause.fields.length === 0) return false;
  const { publication } = cx;
  const { draft } = getPublication(cx);
  const recoverable: readonly string[] = OPTIONAL_AT_CREATION;
  const sent = cause.fields.filter(
    (field) =>
      draft[field as keyof DraftListing] !== undefined &&
      !publication.left_out.some((earlier) => earlier.field === field),
  );
  if (sent.length === 0 || sent.some((field) => !recoverable.includes(field))) return false;
  publication.left_out.push(...sent.map((field) => ({ field, reason: cause.message })));
  return true;
}
