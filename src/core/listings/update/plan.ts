import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type {
  Inventory,
  ListingAttribute,
  ListingChanges,
  ListingQuestion,
  ListingTranslation,
} from '../../ports/marketplace_listing.js';
import type { SeenState } from '../../ports/records.js';
import type { EditLicense } from '../../ports/store/edit_license.js';
import type { InventoryChange, Pending } from './inventory_change.js';
import type { OwnChanges } from '../own_changes.js';
import type { PlannedFile } from '../publish/plan.js';
import type { FieldDifference, IdNames } from '../snapshot/compare.js';
import type { KeptSnapshot, ListingSnapshot } from '../snapshot/snapshot.js';

export type { InventoryChange, OfferingChange, OptionValue, Pending } from './inventory_change.js';

/** A photo, video or file that a listing is to have: one that is there already, by its id, or one to be sent. */
type TargetMedia = { id: number | null; file: PlannedFile | null };

/** `position` in the target's photos, of one that is to be sent yet. */
export type TargetVariationImage = {
  property_id: number;
  value: string;
  image: { id: number } | { position: number };
};

/**
 * The target of one shop's listing: each part is given whole, and a part that is left out stays as it is there. An update, an undo and
 * a resumed job all compare the target with the listing as it is now, and make the calls that are still missing.
 */
export type Target = {
  /** The fields of updateListing that are to be set. */
  fields?: Omit<ListingChanges, 'image_ids'>;
  /** All photos, in their order. */
  images?: (TargetMedia & { alt_text: string })[];
  videos?: TargetMedia[];
  files?: TargetMedia[];
  inventory?: Inventory;
  /** All photos of variations, by value. */
  variation_images?: TargetVariationImage[];
  attributes?: ListingAttribute[];
  questions?: ListingQuestion[];
  translations?: ListingTranslation[];
  /** inactive: off sale. active: on sale again; whether that costs a fee is decided before the job is made. */
  state?: 'inactive' | 'active';
};

/** A photo, video or file that a listing is to have, as a change names it. */
export type MediaChange = {
  /** As the request names it, or the marketplace's own address of one that the listing has. */
  url: string;
  /** Where the request names it, `changes.images[2]`. */
  path: string;
  /** The marketplace's id, where the listing in this shop is known to have it. */
  id: number | null;
  /** The kept file, to be sent where the listing does not have it. */
  file: PlannedFile | null;
  /** For a photo; undefined: it stays as it is there. */
  alt_text?: string | undefined;
};

/** The changes of one shop's listing, in the marketplace's form; a field that is left out stays. They become a Target once the listing is read. */
export type ShopChanges = {
  fields?: Omit<ListingChanges, 'image_ids'>;
  /** All photos of the request, in their order. Photos beyond what a request can hold stay behind them. */
  images?: MediaChange[];
  videos?: MediaChange[];
  files?: MediaChange[];
  inventory?: InventoryChange;
  /** Null: none. */
  variation_images?: { property_id: number; images: { value: string; photo: MediaChange }[] } | null;
  /** `attribute` null removes it. */
  attributes?: { property_id: number; attribute: ListingAttribute | null }[];
  personalization?: {
    enabled: boolean;
    is_required?: boolean | undefined;
    instructions?: string | null | undefined;
    max_chars?: number | undefined;
  };
};

/** refuse: write nothing when a field that is to change was edited manually since it was last written or imported. */
export type OnDrift = 'refuse' | 'overwrite';

/** skip: fields that were edited manually since stay, and all others are undone. */
export type OnUndoDrift = OnDrift | 'skip';

/** The work on one shop's listing. */
export type ShopAction =
  | { kind: 'change'; changes: ShopChanges; on_drift: OnDrift; pending?: Pending | undefined }
  /** Undo: back to `before` in the fields that the job changed. */
  | {
      kind: 'restore';
      before: Partial<ListingSnapshot>;
      /** A part that is missing: it is not known how an earlier undo, which failed, has left it. */
      after: Partial<ListingSnapshot>;
      /** For fields that were edited manually after the job; left out, it is refuse. */
      on_drift?: OnUndoDrift;
      /** Bytes of photos that the job took away, by the marketplace's id. */
      kept?: Readonly<Record<number, PlannedFile>>;
      /** What is pending now, and what was before the job, where the job changed that; null: nothing. */
      pending?: { is: Pending | null; back: Pending | null } | undefined;
    }
  /** On or off sale. `stock`: the quantity for a sold-out listing. */
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
};

/** A field that was edited manually since it was last written or imported; path and values are in the request's form. */
export type Drift = { field: string; ours: unknown; theirs: unknown };

/** What to do in one shop, decided on the listing as it was just read. `taken_over`: drift in fields that the change does not touch. */
export type Decision =
  | { kind: 'drift'; drift: Drift[]; taken_over: FieldDifference[] }
  /** The change is impossible in this shop. */
  | { kind: 'refused'; error: string; fields: string[] }
  | {
      kind: 'go';
      target: Target;
      diff: FieldDifference[];
      warnings: Warning[];
      taken_over: FieldDifference[];
      /** From then on; null: nothing. Left out: as before. */
      pending?: Pending | null;
    }
  | {
      kind: 'unchanged';
      warnings: Warning[];
      taken_over: FieldDifference[];
      pending?: Pending | null;
    };

/** The inputs of a decision. `baseline`: the listing as it was last written or imported; undefined if that was never kept. */
export type ShopFacts = {
  update: ShopUpdate;
  baseline: KeptSnapshot | undefined;
  fresh: Partial<ListingSnapshot>;
};

/** The plan of a job that changes listings; an undo, and putting on or off sale, are such jobs too. */
export type UpdatePlan = {
  purpose: 'update' | 'undo' | 'off_sale' | 'on_sale';
  /** For off_sale and on_sale: all shops that the caller named, also those where nothing had to be done. */
  asked?: number[];
  shops: ShopUpdate[];
  /** For undo: the id of the job that is undone. */
  undone?: string;
  /** Manual edits that the dry run of this call has shown, and that it may overwrite. */
  licensed?: EditLicense[];
  /** About the request as a whole. */
  warnings: Warning[];
  /** The listing's request once the job is done; null where it stays. */
  request: ListingRequest | null;
  /** With it: what shops have of their own once it is done there, or anywhere for a shop that the job is not about. */
  own?: OwnChanges[];
};

/** The progress of one listing in one shop in this job. Committed before each call and after it. */
export type UpdateProgress = {
  /** The parts that change, as they were read before the first write. An undo goes back to them. */
  before: Partial<ListingSnapshot> | null;
  target: Target | null;
  /** The same parts, as the change has left them; pieces that were sold from a quantity that it wrote are still in it. */
  after: Partial<ListingSnapshot> | null;
  /** The changes, in the request's form. */
  diff: FieldDifference[];
  /** What is pending once the change is done; null: nothing. Left out: as before. */
  pending?: Pending | null;
  /** What was pending before the change; left out where that stays the same. */
  was_pending?: Pending | null;
  /** Edits by hand that stay, and that the request takes over. */
  taken_over: FieldDifference[];
  warnings: Warning[];
  /**
   * When an activation that costs a fee was first intended, by the clock of the process that did; null once it is known not to have been
   * done. The daily limit counts it from the commit that first has it, so this is set before the call.
   */
  activation_intended_at?: string | null;
};
