import type { Warning } from '../../../../schemas/job.js';
import {
  ListingTakenError,
  MarketplaceError,
  type DraftListing,
  type MarketplaceListing,
} from '../../ports/index.js';
import { buildIntent, getSendBefore, type Intent } from '../progress.js';
import { findLostDraft } from '../reconcile.js';
import { callPatiently, toStepError } from './attempt.js';
import { StepError, type Publishing, type Step } from './step.js';

/** The marketplace answers 500 to some bad input: after so many creates of unknown outcome it is told as an error. */
const MAX_UNKNOWN_CREATES = 2;
const UNSENT_ATTEMPTS = 3;
const UNSENT_PAUSE_MS = 1_000;

/** Fields a listing can do without at first; set by the recover step. The rest of creation's fields are the listing. */
const RECOVERABLE = [
  'tags',
  'materials',
  'styles',
  'shop_section_id',
  'return_policy_id',
  'production_partner_ids',
  'is_customizable',
  'is_taxable',
  'should_auto_renew',
  'item_weight',
  'item_weight_unit',
  'item_length',
  'item_width',
  'item_height',
  'item_dimensions_unit',
  'processing_min',
  'processing_max',
] as const satisfies readonly (keyof DraftListing)[];

/**
 * Makes the draft exactly once. The intent is committed before the call; a call whose outcome is unknown is looked up among
 * the shop's drafts, adopted when found, and made again only when two looks found nothing.
 */
export const createStep: Step = {
  name: 'create',
  needs: [],
  isNeeded: () => true,
  async run(publishing) {
    if (publishing.listing_id !== null) return {};
    for (;;) {
      const { intent } = publishing.progress;
      const warning = intent ? await resolveIntent(publishing, intent) : undefined;
      if (publishing.listing_id !== null) return warning ? { warnings: [warning] } : {};
      const created = await tryCreate(publishing, intent?.attempt ?? 0);
      if (!created) continue;
      // Another listing with the same words, whose own answer was lost, may have taken this one for its own: then ours is its.
      if (await tryAdopt(publishing, created)) {
        publishing.is_new = true;
        publishing.report('draft created');
        return {};
      }
      endCall(publishing);
    }
  },
};

/** Undefined when the create has to be tried in another way (a field left out) or its outcome is unknown. */
async function tryCreate(
  publishing: Publishing,
  unknown_before: number,
): Promise<MarketplaceListing | undefined> {
  const draft = buildDraft(publishing);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callPatiently(publishing, () => sendCreate(publishing, draft, unknown_before + 1));
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'unknown' || leaveOut(publishing, cause)) return undefined;
      if (cause.failure !== 'unavailable' || attempt === UNSENT_ATTEMPTS) {
        throw toStepError(cause, 'The listing could not be created');
      }
      await publishing.ports.clock.sleep(UNSENT_PAUSE_MS * attempt);
    }
  }
}

/** The intent stays when the outcome is unknown, and only then. */
async function sendCreate(
  publishing: Publishing,
  draft: DraftListing,
  attempt: number,
): Promise<MarketplaceListing> {
  const { progress, ports, shop } = publishing;
  progress.intent = buildIntent('create', ports.clock.now(), attempt);
  await publishing.save();
  try {
    return await ports.marketplace.createDraftListing(shop, draft, {
      send_before: getSendBefore(progress.intent),
    });
  } catch (cause) {
    if (cause instanceof MarketplaceError) {
      if (cause.failure === 'unknown') endCall(publishing);
      else progress.intent = null;
      await publishing.save();
    }
    throw cause;
  }
}

/** Our side of the call is over; from here on only the marketplace's own lag is outstanding. */
function endCall({ progress, ports }: Publishing): void {
  if (progress.intent) progress.intent.deadline_at = ports.clock.now().toISOString();
}

/** Waits until nothing can be outstanding, then looks. */
async function resolveIntent(publishing: Publishing, intent: Intent): Promise<Warning | undefined> {
  const found = await findLostDraft(publishing, intent, buildDraft(publishing));
  if (found) {
    // Two listings with the same words were lost at once, and the other one was quicker; the next look leaves it out.
    if (!(await tryAdopt(publishing, found.listing))) return resolveIntent(publishing, intent);
    publishing.report('draft found again after a lost answer');
    return found.warning;
  }
  if (intent.attempt >= MAX_UNKNOWN_CREATES) {
    publishing.progress.intent = null;
    await publishing.save();
    throw new StepError(
      'The listing could not be created: the marketplace did not say what became of it, twice, and has no such draft',
      null,
    );
  }
  return undefined;
}

/** False when another of our listings has this one already; then the intent stands as it was. */
async function tryAdopt(publishing: Publishing, listing: MarketplaceListing): Promise<boolean> {
  const { progress } = publishing;
  const { intent } = progress;
  publishing.listing_id = listing.listing_id;
  progress.listing_url = listing.url;
  progress.intent = null;
  try {
    await publishing.save();
    return true;
  } catch (cause) {
    if (!(cause instanceof ListingTakenError)) throw cause;
    publishing.listing_id = null;
    progress.listing_url = null;
    progress.intent = intent;
    return false;
  }
}

function buildDraft({ shop_plan, progress }: Publishing): DraftListing {
  const left_out = new Set(progress.left_out.map(({ field }) => field));
  return Object.fromEntries(
    Object.entries(shop_plan.draft).filter(([field]) => !left_out.has(field)),
  ) as DraftListing;
}

/** Remembers what was refused, to be set afterwards. False when the refusal is about what a listing cannot do without. */
function leaveOut({ shop_plan, progress }: Publishing, cause: MarketplaceError): boolean {
  if (cause.failure !== 'refused' || cause.fields.length === 0) return false;
  const recoverable: readonly string[] = RECOVERABLE;
  const sent = cause.fields.filter(
    (field) =>
      shop_plan.draft[field as keyof DraftListing] !== undefined &&
      !progress.left_out.some((earlier) => earlier.field === field),
  );
  if (sent.length === 0 || sent.some((field) => !recoverable.includes(field))) return false;
  progress.left_out.push(...sent.map((field) => ({ field, reason: cause.message })));
  return true;
}
