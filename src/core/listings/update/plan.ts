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
import type { PlannedFile } from '../publish/plan.js';
import type { FieldDifference, IdNames } from '../snapshot/compare.js';
import type { KeptSnapshot, ListingSnapshot } from '../snapshot/snapshot.js';

/** A photo, video or file that a listing is to have: one that is there already, by its id, or one to be sent. */
type TargetMedia = { id: number | null; file: PlannedFile | null };

/** `position` in the target's photos, of one that is to be sent yet. */
export type TargetVariationImage = {
  property_id: number;
  value: string;
  image: { id: number } | { position: number };
};

/**
 * What one shop's listing is to become, by part and whole: what is left out stays as it is there. An update, an undo and what goes on
 * after a crash all compare this with what is read afresh, and make the calls that are still missing.
 */
export type Target = {
  /** The fields of updateListing that are to be set. */
  fields?: Omit<ListingChanges, 'image_ids'>;
  /** All photos, in their order. */
  images?: (TargetMedia & { alt_text: string })[];
  videos?: TargetMedia[];
  files?: TargetMedia[];
  inventory?: Inventory;
  /** All that are to be shown, by value. */
  variation_images?: TargetVariationImage[];
  attributes?: ListingAttribute[];
  questions?: ListingQuestion[];
  translations?: ListingTranslation[];
  /** inactive: off sale. active: on sale again; whether that costs a fee is decided before the job is made. */
  state?: 'inactive' | 'active';
};

/** A photo, video or file that a listing is to have, as a change names it. */
export type MediaChange = {
  /** As the request names it, or the marketplace's own address of what the listing has. */
  url: string;
  /** Where the request names it, `changes.images[2]`. */
  path: string;
  /** That of the listing in this shop, where it is known to have it. */
  id: number | null;
  /** Kept, to be sent where the listing does not have it. */
  file: PlannedFile | null;
  /** Of a photo; left out, it stays as it is there. */
  alt_text?: string | undefined;
};

/** A value of a property, which the marketplace may call otherwise than our form: the id decides where it is known. */
export type OptionValue = { name: string; property_id: number | null; value: string };

/** What of one combination, or of a listing without variations, is to be set. */
export type OfferingChange = {
  /** Where the request names it, `changes.offerings[0]`. */
  path: string;
  /** All that is given has to fit; with nothing given, the one offering of a listing without variations. */
  match: { sku?: string | undefined; values?: OptionValue[] | undefined };
  set: {
    price?: number | undefined;
    quantity?: number | undefined;
    sku?: string | undefined;
    is_enabled?: boolean | undefined;
    readiness_state_id?: number | undefined;
  };
};

export type InventoryChange =
  | { kind: 'offerings'; offerings: OfferingChange[] }
  /** Other properties or combinations. `quantities`: of what the change leaves alone, those that our form had; what was read is sent. */
  | {
      kind: 'whole';
      inventory: Inventory;
      quantities: { values: OptionValue[]; quantity: number }[];
    };

/** What is to be changed in one shop's listing, in the marketplace's own form; what is left out stays. It is held against what is read. */
export type ShopChanges = {
  fields?: Omit<ListingChanges, 'image_ids'>;
  /** All photos of our form, in their order. Those of the listing that our form has no room for stay behind them. */
  images?: MediaChange[];
  videos?: MediaChange[];
  files?: MediaChange[];
  inventory?: InventoryChange;
  /** Null: none. */
  variation_images?: { property_id: number; images: { value: string; photo: MediaChange }[] } | null;
  /** Null takes the attribute away. */
  attributes?: { property_id: number; attribute: ListingAttribute | null }[];
  personalization?: {
    enabled: boolean;
    is_required?: boolean | undefined;
    instructions?: string | null | undefined;
    max_chars?: number | undefined;
  };
};

/** refuse: where a field that is to change is otherwise than it was last written or shown, nothing is written. */
export type OnDrift = 'refuse' | 'overwrite';

/** What is done to one shop's listing. */
export type ShopAction =
  | { kind: 'change'; changes: ShopChanges; on_drift: OnDrift }
  /** Back to how it was, where nothing else has changed what that job changed. */
  | {
      kind: 'restore';
      before: Partial<ListingSnapshot>;
      after: Partial<ListingSnapshot>;
      /** Bytes of photos that the job took away, by the marketplace's id. */
      kept?: Readonly<Record<number, PlannedFile>>;
      on_drift: OnDrift;
    }
  /** On or off sale. `stock`: for what is sold out. */
  | {
      kind: 'state';
      state: 'inactive' | 'active';
      stock?: number | undefined;
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
  /** What ids stand for there. */
  names: IdNames;
  warnings: Warning[];
};

/** A field that is otherwise than it was last written, imported or shown, in the request's path and the seller's form. */
export type Drift = { field: string; ours: unknown; theirs: unknown };

/** What is to be done in one shop, decided on what was read afresh. `taken_over`: drift in what the change does not touch. */
export type Decision =
  | { kind: 'drift'; drift: Drift[]; taken_over: FieldDifference[] }
  /** It cannot be done there at all. */
  | { kind: 'refused'; error: string; fields: string[] }
  | {
      kind: 'go';
      target: Target;
      diff: FieldDifference[];
      warnings: Warning[];
      taken_over: FieldDifference[];
    }
  | { kind: 'unchanged'; warnings: Warning[]; taken_over: FieldDifference[] };

/** `baseline`: as it was last written, imported or shown; undefined where that was never kept. */
export type ShopFacts = {
  update: ShopUpdate;
  baseline: KeptSnapshot | undefined;
  fresh: Partial<ListingSnapshot>;
};

/** What a job that changes listings does. `undo` and `off_sale` are such jobs too. */
export type UpdatePlan = {
  purpose: 'update' | 'undo' | 'off_sale' | 'on_sale';
  /** Of off_sale and on_sale: all shops that were asked for, also those where nothing had to be done. */
  asked?: number[];
  shops: ShopUpdate[];
  /** Of undo: the job that is taken back. */
  undone?: string;
  /** About the request as a whole. */
  warnings: Warning[];
  /** Our form of the listing once it is done; null where it stays. */
  request: ListingRequest | null;
};

/** What has happened to one listing in one shop in this job. Committed before each call and after it. */
export type UpdateProgress = {
  /** As it was read before the first write, in the parts that change. What an undo goes back to. */
  before: Partial<ListingSnapshot> | null;
  target: Target | null;
  /** As it was read back. */
  after: Partial<ListingSnapshot> | null;
  /** What was changed, in the seller's form. */
  diff: FieldDifference[];
  /** Other hands' changes that stay, and that our form takes over. */
  taken_over: FieldDifference[];
  warnings: Warning[];
  /**
   * When an activation that costs a fee was first intended, by the clock of the process that did; null once it is known not to have been
   * done. The daily limit counts it from the commit that first has it, so this is set before the call.
   */
  activation_intended_at?: string | null;
};
