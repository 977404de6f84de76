import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { DraftListing } from '../marketplace_listing.js';
import type { SeenState } from '../records.js';
import type { EditLicense } from '../store/edit_license.js';
import type { OwnChanges, Pending, ShopChanges } from './changes.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { IdNames } from './difference.js';
import type { ListingSnapshot } from './snapshot.js';
import type { PlannedFile, Target } from './target.js';

/** refuse: write nothing if a field to change has a manual edit since it was last written or imported. */
export type OnDrift = 'refuse' | 'overwrite';

/** skip: fields with manual edits stay unchanged, and all others are undone. */
type OnUndoDrift = OnDrift | 'skip';

/**
 * Creates the draft in a shop, adds the parts of the target, and puts it on sale if the target says so. It needs nothing else
 * of the request, even after a restart.
 */
export type PublishAction = {
  kind: 'publish';
  draft: DraftListing;
  /** Its inventory is missing if creating the draft sends all of it. */
  target: Target;
  /** The shop's index in the request's `shops`. */
  position: number;
  /** In place of the plan's warnings: the listing was copied to this shop with changes. */
  own_warnings?: Warning[];
};

/** The work on a listing that one shop has. */
export type ChangeAction =
  | { kind: 'change'; changes: ShopChanges; on_drift: OnDrift; pending?: Pending | undefined }
  /** Undo: back to `before` in the fields that the job changed. */
  | {
      kind: 'restore';
      before: Partial<ListingSnapshot>;
      /** A part is missing if a failed undo left its state unknown. */
      after: Partial<ListingSnapshot>;
      /** For fields with a manual edit after the job; refuse if missing. */
      on_drift?: OnUndoDrift;
      /** Bytes of photos that the job removed, by the marketplace's id. */
      kept?: Readonly<Record<number, PlannedFile>>;
      /** `is`: the pending changes now; `back`: those before the job. Null: none. Missing if the job changed none. */
      pending?: { is: Pending | null; back: Pending | null } | undefined;
    }
  /** Puts a listing on sale, or takes it off sale. `stock`: the quantity for a sold-out listing. */
  | {
      kind: 'state';
      state: 'inactive' | 'active';
      stock?: number | undefined;
      pending?: Pending | undefined;
      is_paid: boolean;
      seen_state: SeenState;
    };

type ShopAction = PublishAction | ChangeAction;

/** One shop's part of a plan: everything that differs between shops is decided here. */
export type ShopPlan<Action extends ShopAction = ShopAction> = {
  shop_id: number;
  shop_name: string;
  currency_code: string;
  /** The marketplace's id of the listing to change. */
  listing_id: Action extends PublishAction ? null : number;
  action: Action;
  /** Names of the shop's ids, for texts. */
  names: IdNames;
  warnings: Warning[];
  /**
   * For a change of a batch: the differences its plan showed. A field whose value has changed since is not written.
   */
  shown?: readonly FieldDifference[];
  /** If true, a sale since the plan also stops the write: the new quantities were computed from the stock. */
  holds_stock?: boolean;
};

/** The plan of a job that brings one listing to a target in each of its shops. */
export type Plan<Action extends ShopAction = ShopAction> = {
  purpose: Action extends PublishAction ? 'publish' : 'update' | 'undo' | 'off_sale' | 'on_sale';
  /** The batch whose item the job executes. */
  batch_id?: string;
  /** For off_sale and on_sale: all shops that the caller named, including those that needed nothing. */
  asked?: number[];
  shops: ShopPlan<Action>[];
  /** For undo: the id of the undone job. */
  undone?: string;
  /** Manual edits that the dry run of this call showed, and that it may overwrite. */
  licensed?: EditLicense[];
  /** About the listing or the request as a whole; repeated in every shop's result. */
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
