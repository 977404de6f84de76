import type { Choice, Nothing, ReferenceField } from './facts.js';

/** Problems of a listing's request as a whole. */
export type ListingParams = {
  shop_repeated: { first: number };
  /** `place`: the path where each shop has its own. */
  id_of_one_shop: { shops: number; place: string };
  physical_required: Nothing;
  made_together: Nothing;
  partner_required: Nothing;
  processing_range: { least: number; most: number };
  offer_required: { field: 'price' | 'quantity' };
  photos_required: Nothing;
  rank_missing: Nothing;
  rank_repeated: { rank: number; first: number };
  files_of_physical: Nothing;
  files_required: Nothing;
  file_name_repeated: { first: number };
  variations_of_digital: Nothing;
  attribute_key_wrong: Nothing;
  attribute_empty: Nothing;
  attribute_counts: { values: number; ids: number };

  option_name_reserved: { name: string };
  option_name_repeated: Nothing;
  option_id_repeated: Nothing;
  option_value_repeated: { first: number };
  options_missing: Nothing;
  combination_repeated: { first: number };
  /** `sent`: a key of the offering that is spelled differently. */
  option_required: { option: string; key: string; sent?: string | undefined };
  option_value_unknown: { given: string; option: string; values: readonly string[] };
  nothing_to_sell: Nothing;
  sku_repeated: { first: number };
  sku_too_alike: { first: number; chars: number };
  photo_option_required: Nothing;
  photo_option_unknown: { options: readonly string[] };
  photo_value_unknown: { option: string; values: readonly string[] };
  photo_index_wrong: { index: number; photos: number };

  instructions_too_long: { chars: number; most: number };
  instructions_start: { character: string };
  instructions_shouted: { words: string; most: number };
  digital_file_too_large: { filename: string; megabytes: number };
};

/** Problems of the things that a listing names of its shops and of its category. */
export type ShopParams = {
  shop_not_connected: { shop_id: number; connected: readonly Choice[] };
  shop_disconnected: { shop_id: number };
  shop_revoked: { shop_name: string };
  shop_on_vacation: { shop_name: string };
  processing_profile_missing: { shop_name: string };
  /** `is_fresh`: the shop was read for this request. */
  reference_unknown: {
    field: ReferenceField;
    id: number;
    shop_name: string;
    choices: readonly Choice[];
    is_fresh: boolean;
  };

  category_unknown: { id: number };
  attribute_unknown: { category_id: number; choices: readonly Choice[] };
  attribute_required: { attribute: string; choices: readonly Choice[] };
  value_id_unknown: { id: number; attribute: string; choices: readonly Choice[] };
  value_of_other_scale: { id: number; name: string; scales: readonly Choice[] };
  value_name_wrong: { id: number; name: string };
  value_name_unknown: { attribute: string; choices: readonly Choice[] };
  values_too_many: { count: number; most: number; attribute: string };
  option_unknown: { id: number; category_id: number; choices: readonly Choice[] };
  scale_unknown: { id: number; property: string; scales: readonly Choice[] };
  scale_missing: { property: string; scales: readonly Choice[] };
  scales_mixed: { property: string; scales: readonly Choice[] };
};
