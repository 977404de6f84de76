import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type {
  DraftListing,
  Inventory,
  ListingAttribute,
  PersonalizationQuestion,
} from '../marketplace_listing.js';
import type { SeenState } from '../records.js';
import type { EditLicense } from '../store/edit_license.js';
import type { OwnChanges, Pending, ShopChanges } from './changes.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { IdNames } from './difference.js';
import type { ListingSnapshot } from './snapshot.js';
import type { PlannedFile } from './target.js';

/** Photos by variation value: `image` is the 0-based position in `images` (rank order). */
export type PlannedVariationImages = { property_id: number; images: { value: string; image: number }[] };

/** One shop's part: everything that differs between shops is decided here. */
export type ShopPlan = {
  shop_id: number;
  shop_name: string;
  currency_code: string;
  draft: DraftListing;
  /** The inventory to write; undefined if creating the draft sends all of it. */
  inventory: Inventory | undefined;
  /** Its index in the request's `shops`, if that is not its index in the plan. */
  position?: number;
  warnings: Warning[];
  /** The parts that differ in this shop from the listing's request: it was copied there with changes. */
  own?: OwnPlan;
};

/** The batch whose item the job executes. */
type PartOfBatch = { batch_id?: string };

/**
 * A request that passed preflight, compiled: publishing reads nothing else of the request, even after a restart.
 */
export type PublishPlan = PartOfBatch & {
  state: 'publish' | 'active';
  images: PlannedFile[];
  videos: PlannedFile[];
  files: PlannedFile[];
  attributes: ListingAttribute[];
  variation_images: PlannedVariationImages | undefined;
  personalization: PersonalizationQuestion | undefined;
  /** About the listing as a whole; repeated in every shop's result. */
  warnings: Warning[];
  shops: ShopPlan[];
};

/** The part of a plan that is the same in all shops. */
export type OwnPlan = Omit<PublishPlan, 'state' | 'shops'>;

/** refuse: write nothing if a field to change has a manual edit since it was last written or imported. */
export type OnDrift = 'refuse' | 'overwrite';

/** skip: fields with manual edits stay unchanged, and all others are undone. */
type OnUndoDrift = OnDrift | 'skip';

/** The work on one shop's listing. */
export type ShopAction =
  | { kind: 'change'; changes: ShopChanges; on_drift: OnDrift; pending?: Pending | undefined }
  /** Undo: back to `before` in the fields that the job changed. */
  | {
      kind: 'restore';
      before: Partial<ListingSnapshot>;
      /** A missing part: its state after an earlier undo, which failed, is unknown. */
      after: Partial<ListingSnapshot>;
      /** For fields with a manual edit after the job; refuse if missing. */
      on_drift?: OnUndoDrift;
      /** Bytes of photos that the job removed, by the marketplace's id. */
      kept?: Readonly<Record<number, PlannedFile>>;
      /** The pending changes now, and those before the job, if the job changed them; null: none. */
      pending?: { is: Pending | null; back: Pending | null } | undefined;
    }
  /** Puts a listing on or takes it off sale. `stock`: the quantity for a sold-out listing. */
  | {
      kind: 'state';
      state: 'inactive' | 'active';
      stock?: number | undefined;
      pending?: Pending | undefined;
      is_paid: boolean;
      seen_state: SeenState;
    };

/** One shop's part of an update. */
export type ShopUpdate = {
  shop_id: number;
  shop_name: string;
  currency_code: string;
  listing_id: number;
  action: ShopAction;
  /** Names of the shop's ids, for texts. */
  names: IdNames;
  warnings: Warning[];
  /**
   * For a change of a batch: the differences its plan showed. A field whose value has changed since is not written.
   */
  shown?: readonly FieldDifference[];
  /** Pieces sold since then count as a changed value: the new quantities were computed from the stock. */
  holds_stock?: boolean;
};

/** The plan of a job that changes listings, including undoing and putting listings on or taking them off sale. */
export type UpdatePlan = PartOfBatch & {
  purpose: 'update' | 'undo' | 'off_sale' | 'on_sale';
  /** For off_sale and on_sale: all shops that the caller named, including those that needed nothing. */
  asked?: number[];
  shops: ShopUpdate[];
  /** For undo: the id of the undone job. */
  undone?: string;
  /** Manual edits that the dry run of this call showed, and that it may overwrite. */
  licensed?: EditLicense[];
  /** About the request as a whole. */
  warnings: Warning[];
  /** The listing's request once the job is done; null if it stays the same. */
  request: ListingRequest | null;
  /** With `request`: the shops' own values once the job is done there or, for a shop without work in this job, in any shop. */
  own?: OwnChanges[];
};

/** The listings to import from one shop. */
export type ImportPlan = {
  shop_id: number;
  shop_name: string;
  listing_ids: number[];
  /** The saved listing that the shop's listing is added to; null if each of the shop's listings becomes a new one. */
  join: number | null;
};
