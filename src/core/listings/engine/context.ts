import type { Again } from '../../../../schemas/issues/failures.js';
import type {
  Blobs,
  Clock,
  EditLicense,
  Inventory,
  Log,
  Marketplace,
  ListingFile,
  ListingImage,
  ListingVideo,
  MarketplaceListing,
  Media,
  SavedPublication,
  ShopRef,
  Store,
} from '../../ports/index.js';
import type { ShopPlan, ShopUpdate } from '../../ports/listing/plan.js';
import type { MediaKind, ShopProgress, ShopUpdateProgress } from '../../ports/listing/progress.js';
import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { WriteSchedule } from './write_schedule.js';

/** The inputs for waiting and calling again. */
export type Patience = {
  /** Throws when the process is about to stop: called where stopping loses nothing. */
  checkStop(): void;
  /** Sleeps, and throws StoppedError as soon as the process is about to stop: called where stopping loses nothing. */
  pause(duration_ms: number): Promise<void>;
};

/** The differences between publishing and changing a listing. Steps ask the policy, never which of the two they serve. */
export type Policy = {
  /** Whether a write without an answer is repeated at once. Otherwise it is repeated only if a read shows that it was not done. */
  repeats_writes: boolean;
  /** Whether answers to writes are trusted: without one, the part is unknown. Otherwise the part counts as written, and is read again. */
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

/** The media of a listing that progress knows of, by kind and position in the target. */
export type SentMedia = {
  findId(kind: MediaKind, index: number): number | undefined;
  keep(kind: 'images', index: number, item: ListingImage): void;
  keep(kind: 'videos', index: number, item: ListingVideo): void;
  keep(kind: 'files', index: number, item: ListingFile): void;
  /** The ids of media that were sent. */
  listSent(kind: MediaKind): number[];
  /** The ids of all media that were sent, once or twice, or that the listing had before. */
  listIds(kind: MediaKind): number[];
};

/** One shop's listing, on its way to the target. Steps compare `fresh` with the target, write, and save. */
export type Context = Patience & {
  readonly job_id: string;
  readonly listing_pk: number;
  readonly shop: ShopRef;
  /** The marketplace's id; null until publishing has created the listing. */
  listing_id: number | null;
  readonly target: Target;
  readonly policy: Policy;
  /** The operation that a caller repeats to finish an interrupted job. */
  readonly again: Again;
  readonly progress: Pick<ShopProgress, 'sending' | 'sending_since' | 'intent' | 'activation_intended_at'> &
    Pick<ShopUpdateProgress, 'is_writing' | 'is_inventory_sent' | 'doubles' | 'attached'> &
    Partial<Pick<ShopUpdateProgress, 'kept'>>;
  readonly sent: SentMedia;
  /** The parts that this run knows: as they were read, or as the marketplace answered a write. */
  fresh: Partial<ListingSnapshot>;
  /** The parts that change, as they were before the first write. */
  before: Partial<ListingSnapshot>;
  /** Parts that writes may have changed since they were read. */
  readonly stale: Set<SnapshotPart>;
  /** When the listing was last asked for, or written, in milliseconds of monotonic time. */
  listing_asked_ms: number;
  /** When it was asked for and the marketplace did not know it any more. */
  gone_asked_ms?: number;
  /** Whether no earlier run may have sent media that `progress` does not have. */
  is_new: boolean;
  /** From when on no repeatable write without an answer can be in flight, in milliseconds of monotonic time. */
  quiet_at_ms: number;
  readonly schedule: WriteSchedule;
  /** Photos of the listing that may be the one at this position of the target, or another one. */
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
  /** How long what an earlier run was writing may take to come and show, from the beginning of this one. */
  readonly remains_ms: number;
  /** Notes that a write got no answer: it may come yet, and show later. */
  noteUnanswered(): void;
  /** Commits progress. Throws ClaimLostError when another process has taken over. */
  save(): Promise<void>;
  /** Reports finished work; counts as one unit of progress. */
  report(message: string): void;
  /**
   * Called with parts that were read again before a write. Sales and manual edits in fields that the job does not write count as the
   * state before from then on.
   * @throws DriftError if there are manual edits that the job must not overwrite
   */
  guard(parts: Partial<ListingSnapshot>): void;
  /** Called with photos that are about to be deleted, so that an undo can send them again. */
  keepRemoved(images: readonly ListingImage[]): Promise<void>;
};

/** A listing that is being published. */
export type Publishing = Context & {
  /** When the restored backup was made that the listing is from: changes after that are known to the marketplace alone. */
  readonly backed_up_at: string | undefined;
  /** When this service started, in milliseconds of monotonic time. */
  readonly started_ms: number;
  readonly shop_plan: ShopPlan;
  /** The shop's index in the request's `shops`. */
  readonly position: number;
  readonly progress: ShopProgress;
  /** The listing as it was last seen in this run, also in an answer. */
  seen: MarketplaceListing | undefined;
  /** The last sighting, once no more writes follow. */
  sighting: SavedPublication['sighting'];
};

/** A listing that is being changed, undone, or put on or off sale. */
export type Changing = Context & {
  listing_id: number;
  readonly update: ShopUpdate;
  readonly baseline: KeptSnapshot | undefined;
  /** Milliseconds from the save of the baseline to the start of this run. */
  readonly baseline_age_ms: number;
  /** Manual edits that the change may overwrite although it refuses others. */
  readonly licensed: readonly EditLicense[];
  readonly progress: ShopUpdateProgress;
  /** Whether a restored backup had the job in flight. */
  readonly is_restored: boolean;
  /** Keeps bytes for as long as the change can be undone. */
  keepFile(sha256: string): Promise<void>;
  /** Sets how many units of progress there will be beside the reads before and after. */
  plan(units: number): void;
};

export function getListingId({ listing_id }: Context): number {
  if (listing_id === null) throw new Error('the step needs a listing id, but no listing has been created');
  return listing_id;
}

export function getTarget({ target }: Pick<ShopUpdateProgress, 'target'>): Target {
  if (!target) throw new Error('the step needs a target, but none has been decided');
  return target;
}

export function getListing({ fresh }: Context): ListingSnapshot['listing'] {
  if (!fresh.listing) throw new Error('the step needs the listing, but it has not been read');
  return fresh.listing;
}

/**
 * Takes over the answer to a write, which has neither SKUs nor production partners.
 * @param asked_ms monotonic time before it was sent
 * @param partners those that it wrote, if it wrote them
 */
export function keepWritten(
  changing: Changing,
  listing: ListingSnapshot['listing'],
  asked_ms: number,
  partners?: readonly number[],
): void {
  const before = getListing(changing);
  if (listing === before) return;
  const { skus } = before;
  const production_partner_ids = [...(partners ?? before.production_partner_ids)];
  changing.fresh = { ...changing.fresh, listing: { ...listing, skus, production_partner_ids } };
  changing.listing_asked_ms = asked_ms;
}

/** The listing type, which every change has to send: `both` cannot be sent, and is sent as physical. */
export function getListingType(cx: Context): 'physical' | 'digital' {
  return getListing(cx).listing_type === 'digital' ? 'digital' : 'physical';
}
