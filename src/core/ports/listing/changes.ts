import type { FieldDifference, OptionValue } from '../../../../schemas/field_ref.js';
import type { Inventory, ListingAttribute, ListingChanges } from '../marketplace_listing.js';
import type { PlannedFile } from './target.js';

/** The differences of one shop from the listing's request, as a JSON Merge Patch (RFC 7396) over it; undefined if there are none. */
export type OwnChanges = { shop_id: number; changes: Record<string, unknown> | undefined };

/** A photo, video or file in a change. */
export type MediaChange = {
  /** Its URL in the request, or the marketplace's own URL of one that the listing has. */
  url: string;
  /** Its path in the request, `changes.images[2]`. */
  path: string;
  /** The marketplace's id, if the listing in this shop is known to have it. */
  id: number | null;
  /** The kept file, to send if the listing does not have it. */
  file: PlannedFile | null;
  /** For a photo; undefined leaves the text unchanged. */
  alt_text?: string | undefined;
};

/**
 * The changes of one shop's listing, in the marketplace's form; a missing field stays unchanged. They become a
 * Target once the listing is read.
 */
export type ShopChanges = {
  fields?: Omit<ListingChanges, 'image_ids'>;
  /** All photos of the request, in their order. Photos beyond what a request can hold stay after them. */
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

/** A change of one combination, or of a listing without variations. */
export type OfferingChange = {
  /** Its path in the request, `changes.offerings[0]`. */
  path: string;
  /** All given fields must match; none is given for a listing without variations. */
  match: { sku?: string | undefined; values?: OptionValue[] | undefined };
  set: {
    price?: number | undefined;
    quantity?: number | undefined;
    /** The quantity for a combination put on sale that has none, because it was created off sale. */
    quantity_if_none?: number | undefined;
    sku?: string | undefined;
    is_enabled?: boolean | undefined;
    readiness_state_id?: number | undefined;
  };
};

export type InventoryChange =
  | { kind: 'offerings'; offerings: OfferingChange[] }
  /**
   * Other properties or combinations. `quantities`: those of the request that the change does not set; for them,
   * the current quantity is sent.
   */
  | {
      kind: 'whole';
      inventory: Inventory;
      quantities: { values: OptionValue[]; quantity: number }[];
    };

/**
 * Changes the marketplace refuses while the listing has no stock; they are written with the next change that adds
 * some. `fields`: the same changes as differences from the listing on the marketplace.
 */
export type Pending = { changes: InventoryChange[]; fields: FieldDifference[] };
