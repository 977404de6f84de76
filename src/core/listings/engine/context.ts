import type { Again } from '../../../../schemas/issues/failures.js';
import type {
  AgedSighting,
  Blobs,
  Clock,
  EditLicense,
  Inventory,
  Log,
  Marketplace,
  ListingImage,
  MarketplaceListing,
  Media,
  ShopRef,
  Store,
} from '../../ports/index.js';
import type { ChangeAction, PublishAction, ShopPlan } from '../../ports/listing/plan.js';
import type {
  ChangeProgress,
  Journal,
  MediaKind,
  PublicationProgress,
} from '../../ports/listing/progress.js';
import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { MediaItem } from '../snapshot/shown_ids.js';
import type { WriteSchedule } from './write_schedule.js';

/** Needed by code that waits or retries. */
export type Patience = {
  /** Throws if the process is about to stop. Called where stopping loses nothing. */
  checkStop(): void;
  /**
   * Sleeps, and throws StoppedError as soon as the process is about to stop. Called where stopping loses nothing.
   */
  pause(duration_ms: number): Promise<void>;
};

/** The differences between publishing and changing a listing. Shared steps ask the policy, never which of the two they serve. */
export type Policy = {
  /**
   * Whether a write without a response is repeated at once. Otherwise it is repeated only if a read shows that it
   * was not done.
   */
  repeats_writes: boolean;
  /**
   * Whether a response to a write is trusted. If so, a part whose write got no response is unknown; if not, each
   * written part is read again.
   */
  trusts_answers: boolean;
  /** Whether the refusal of an optional part is only a warning. Otherwise the shop fails. */
  tolerates_refusals: boolean;
  /** Whether writes that do not depend on each other are sent in parallel. */
  is_parallel: boolean;
  words: {
    image(index: number, total: number): string;
    file(index: number, total: number): string;
    inventory(inventory: Inventory): string;
    variation_images: string;
  };
};

/** The media of a listing recorded in the journal. */
export type SentMedia = {
  /** The marketplace's ids of sent media, by position in the target. */
  getIds(kind: MediaKind): ReadonlyMap<number, number>;
  /** The ids of media that the listing had before, or that were sent a second time. */
  listOtherIds(kind: MediaKind): number[];
  keep(index: number, item: MediaItem): void;
};

/**
 * One shop's listing on its way to the target: being published, changed, restored, or put on or taken off sale. Steps
 * compare `fresh` with the target, write, and save.
 */
export type Context = Patience & {
  readonly job_id: string;
  readonly listing_pk: number;
  readonly shop: ShopRef;
  readonly plan: ShopPlan;
  /** The marketplace's id; null until publishing has created the listing. */
  listing_id: number | null;
  /** Reading it throws until the target is decided. */
  readonly target: Target;
  readonly policy: Policy;
  /** The operation that a caller repeats to finish an interrupted job. */
  readonly again: Again;
  /** `publication` or `change`, whichever the job's kind saves. */
  readonly journal: Journal;
  /** The progress of publishing; only publishing changes it during a run. */
  readonly publication: PublicationProgress;
  /** The progress of this job's change; when publishing, it only holds the target and is not saved. */
  readonly change: ChangeProgress;
  readonly sent: SentMedia;
  /** The parts this run knows, as read or as the marketplace returned them after a write. */
  fresh: Partial<ListingSnapshot>;
  /** The parts that change, before the first write. */
  before: Partial<ListingSnapshot>;
  /** Parts that writes may have changed since they were read. */
  readonly stale: Set<SnapshotPart>;
  /** While publishing: the listing as last seen in this run, including in responses. */
  seen: MarketplaceListing | undefined;
  /** The last sighting, once no more writes follow. */
  sighting: AgedSighting | undefined;
  /** When the listing was last requested or written, in milliseconds of monotonic time. */
  listing_asked_ms: number;
  /** When it was last requested, if the marketplace no longer knew it. */
  gone_asked_ms?: number;
  /** The listing as this service last knew it, for recognizing manual edits; undefined while publishing. */
  readonly baseline: KeptSnapshot | undefined;
  /** Milliseconds from the save of the baseline to the start of this run. */
  readonly baseline_age_ms: number;
  /** Manual edits that the change may overwrite although it refuses others. */
  readonly licensed: readonly EditLicense[];
  /** True if no earlier run can have sent media missing from the journal. */
  is_new: boolean;
  /** Whether a restored backup had the job in flight. */
  readonly is_restored: boolean;
  /** When the restored backup of the listing was made: only the marketplace knows later changes. */
  readonly backed_up_at: string | undefined;
  /** When this service started, in milliseconds of monotonic time. */
  readonly started_ms: number;
  /**
   * From this time on, no repeatable write without a response can be in flight, in milliseconds of monotonic time.
   */
  settled_at_ms: number;
  readonly schedule: WriteSchedule;
  /** Photos of the listing that may or may not be the one at this position of the target. */
  readonly undecided: Map<number, ListingImage>;
  readonly ports: {
    marketplace: Marketplace;
    media: Media;
    blobs: Blobs;
    store: Store;
    clock: Clock;
    log: Log;
  };
  readonly settle_ms: number;
  /** How long writes of an earlier run may take to arrive and show, from the start of this one. */
  readonly remains_ms: number;
  /** Notes that a write got no response: it may still take effect, and show later. */
  noteUnanswered(): void;
  /** Commits the journal. Throws ClaimLostError if another process has claimed the job. */
  save(): Promise<void>;
  /** Reports finished work; counts as one unit of progress. */
  report(message: string): void;
  /** Adds units of progress, once the number of writes is known. */
  addUnits(units: number): void;
  /**
   * Called with parts that were read again before a write. Sales and manual edits in fields that the job does not
   * write become part of `before`.
   * @throws DriftError if there are manual edits that the job must not overwrite
   */
  guard(parts: Partial<ListingSnapshot>): void;
  /** Called with photos about to be deleted, so that an undo can send them again. */
  keepRemoved(images: readonly ListingImage[]): Promise<void>;
};

/** The publication to make. Only for steps of publishing. */
export function getPublication({ plan }: Pick<Context, 'plan'>): PublishAction {
  const { action, shop_id } = plan;
  if (action.kind === 'publish') return action;
  throw new Error(`the action for shop ${shop_id} has kind '${action.kind}', expected 'publish'`);
}

/** Whether the shop's part of a plan publishes the listing, rather than changing it. */
export function isPublish(plan: ShopPlan): plan is ShopPlan<PublishAction> {
  return plan.action.kind === 'publish';
}

/** The change to make. Only for code that changes an existing listing. */
export function getChange({ plan }: Pick<Context, 'plan'>): ShopPlan<ChangeAction> {
  if (isPublish(plan))
    throw new Error(`the action for shop ${plan.shop_id} has kind 'publish', expected a change`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all other actions change a listing
  return plan as ShopPlan<ChangeAction>;
}

export function getListingId({ listing_id }: Context): number {
  if (listing_id === null) throw new Error('the step needs a listing id, but no listing has been created');
  return listing_id;
}

export function getTarget({ target }: Pick<ChangeProgress, 'target'>): Target {
  if (!target) throw new Error('the step needs a target, but none has been decided');
  return target;
}

export function getListing({ fresh }: Context): ListingSnapshot['listing'] {
  if (!fresh.listing) throw new Error('the step needs the listing, but it has not been read');
  return fresh.listing;
}

/**
 * Keeps the response to a write, which has neither SKUs nor production partners.
 * @param asked_ms monotonic time before the request
 * @param partners the production partners, if it wrote them
 */
export function keepWritten(
  cx: Context,
  listing: ListingSnapshot['listing'],
  asked_ms: number,
  partners?: readonly number[],
): void {
  const before = getListing(cx);
  if (listing === before) return;
  const { skus } = before;
  const production_partner_ids = [...(partners ?? before.production_partner_ids)];
  cx.fresh = { ...cx.fresh, listing: { ...listing, skus, production_partner_ids } };
  cx.listing_asked_ms = asked_ms;
}

/** The listing type, which every update must send. `both` cannot be sent, and is sent as physical. */
export function getListingType(cx: Context): 'physical' | 'digital' {
  return getListing(cx).listing_type === 'digital' ? 'digital' : 'physical';
}
