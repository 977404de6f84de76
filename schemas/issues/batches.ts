import type { Choice, Nothing } from './facts.js';

/** Problems of a batch: of its selection and its edits. */
export type BatchParams = {
  batch_source_missing: Nothing;
  select_one_of: { ways: readonly string[] };
  /** `has_others`: the shops have listings that are not managed here. */
  select_empty: { has_others: boolean };
  select_status_needless: Nothing;
  select_value_wrong: { expected: string };
  shop_without_listings: { shop_id: number; connected: readonly Choice[] };

  edit_field_unknown: { fields: readonly string[] };
  edit_op_unknown: { of: string; ops: readonly string[] };
  edit_member_missing: { member: string; op: string };
  edit_member_needless: { member: string; members: readonly string[] };
  edit_value_wrong: { expected: string };
  edit_currency_required: { currencies: readonly string[] };
  edit_currency_absent: { currency: string; currencies: readonly string[] };
  edit_rounding_unknown: { choices: readonly string[] };
  edit_rounding_of_currency: { currency: string; choices: readonly string[] };
  edit_needs_several: Nothing;

  item_name_unknown: { name: string; shop_name: string; choices: readonly Choice[] };
  item_name_ambiguous: { name: string; shop_name: string; choices: readonly Choice[] };
  item_rank_unknown: { rank: number; photos: number };
  item_not_there: Nothing;
  item_is_draft: Nothing;
  item_canceled_midway: { job_id: string };
  batch_activations_limit: { wanted: number; left: number };
  batch_failed: Nothing;

  batch_not_found: { batch_id: string };
  batch_running: { batch_id: string };
  /** `status`: of a batch that has finished; left out if its plan is too old. */
  batch_over: { batch_id: string; status?: string };
  /** `is_narrowed`: the undo is only about some listings or shops. */
  batch_changed_nothing: { batch_id: string; is_narrowed?: boolean };
  batch_too_large: { count: number; most: number };
};
