import type { Choice, Nothing, ShopChoices } from './facts.js';

/** Additions to an issue, known only elsewhere than where it was found: choices, and where the problem comes from. */
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
