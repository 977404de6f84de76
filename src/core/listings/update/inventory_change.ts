import type { Inventory } from '../../ports/marketplace_listing.js';
import type { FieldDifference } from '../snapshot/difference.js';

/** A value of a property. The marketplace may name the property differently than the request: the id decides where it is known. */
export type OptionValue = { name: string; property_id: number | null; value: string };

/** A change of one combination, or of a listing without variations. */
export type OfferingChange = {
  /** Where the request names it, `changes.offerings[0]`. */
  path: string;
  /** All given fields have to match; none is given for a listing without variations. */
  match: { sku?: string | undefined; values?: OptionValue[] | undefined };
  set: {
    price?: number | undefined;
    quantity?: number | undefined;
    /** The quantity of a combination that is put on sale and has none there: one that is not on sale was created without. */
    quantity_if_none?: number | undefined;
    sku?: string | undefined;
    is_enabled?: boolean | undefined;
    readiness_state_id?: number | undefined;
  };
};

export type InventoryChange =
  | { kind: 'offerings'; offerings: OfferingChange[] }
  /** Other properties or combinations. `quantities`: those of the request that the change leaves alone; for them, the quantity that was read is sent. */
  | {
      kind: 'whole';
      inventory: Inventory;
      quantities: { values: OptionValue[]; quantity: number }[];
    };

/**
 * Changes that the marketplace does not take while the listing has no stock; they are written with the next change that brings some.
 * `fields`: the same as differences from the listing there.
 */
export type Pending = { changes: InventoryChange[]; fields: FieldDifference[] };
