import type { Choice, Nothing, ShopChoices } from './facts.js';

/** Additions to an issue that the code that found it does not know: choices, and the source of the problem. */
export type NoteParams = {
  connected_shops: { choices: readonly Choice[] };
  shop_choices: { shops: readonly ShopChoices[] };
  category_suggestions: { choices: readonly Choice[]; is_by_title: boolean };
  category_has: { category_id: number; choices: readonly Choice[] };
  use_one_of: { choices: readonly Choice[] };
  has_no_scales: Nothing;
  photo_index: { index?: number };
  sent_as: { path: string };
  in_shop: { shop_id: number };
  before_live: Nothing;
  quantity_zero: Nothing;
};
