import type { FormGap } from './request_warnings.js';
import type { Choice, Nothing, ReferenceField } from './facts.js';

/** Combinations of a listing as its offerings name them: `color: Red, size: S`. */
type Labels = readonly string[];

/** Problems of changing, publishing, copying and importing. */
export type ChangeParams = {
  nothing_to_change: { unknown: readonly string[] };
  /** `of`: the thing that the field belongs to. */
  null_refused: { of: 'listing' | 'published' | 'photos' };
  shop_named_before: { shop_id: number };
  shop_of_other_listing: { shop_id: number; choices: readonly Choice[]; can_copy: boolean };
  shop_not_asked: { shop_id: number };
  shops_empty: { of: 'update' | 'copy' };
  shops_not_selectable: Nothing;
  listing_type_fixed: { asked: string; is: string };
  override_price: { price: number; at: string; shop_price: number };

  offering_empty: Nothing;
  offering_repeated: { first: string };
  offering_ambiguous: {
    by: 'nothing' | 'values' | 'sku';
    sku?: string | undefined;
    count: number;
    labels: Labels;
  };
  offering_option_unknown: { keys: readonly string[]; options: readonly string[] };
  offering_unknown: { sku?: string | undefined; has_values: boolean; known: Labels };
  option_name_taken: { option: string };
  saved_quantity_zero: Nothing;
  enabled_without_variations: Nothing;

  nothing_on_marketplace: Nothing;
  stock_not_for_inactive: Nothing;
  stock_without_shops: Nothing;
  stock_required: { shops: readonly string[] };
  stock_needless: Nothing;
  sale_mixed: { shop_ids: readonly number[] };
  sale_over: { state: string };
  activations_off: Nothing;
  activations_limit: { most: number; wanted: number };
  confirm_expired: Nothing;
  confirm_foreign: Nothing;

  copy_changes_shops: Nothing;
  copy_too_many_shops: { count: number; most: number };
  /** `reference`: the name in the first shop, or the id if it has none. */
  copy_reference_unmatched: {
    field: ReferenceField;
    reference: Choice;
    shop_name: string;
    choices: readonly Choice[];
  };
  copy_profiles_unmatched: { shop_name: string };
  copy_variations_unsayable: { gap: FormGap };
  copy_files_replaced: { filenames: readonly string[] };
  copy_price_unknown: {
    shop_name: string;
    currency_code: string;
    of: 'listing' | 'combinations';
    has_several_currencies: boolean;
  };

  join_of_several: { count: number };
  join_unknown: { listing_pk: number; newest: readonly Choice[]; total: number };
};
