import type { CallFailure } from './failures.js';
import type { Coded, Nothing } from './facts.js';

/** An undo that leaves something unchanged. */
export type UndoWarningParams = {
  undo_fixed_field: Nothing;
  undo_file_gone: { filename: string };
  undo_files_stay: Nothing;
  undo_translation_stays: Nothing;
  undo_costs_fee: { state: string };
  undo_fee_spent: { state: string };
  undo_edited: { before: unknown; after: unknown };
  undo_sold: { sold: number; to: number; was: number };
  undo_kept_for_stock: Nothing;
  undo_shop_lost: { shop_id: number; because: 'gone' | 'unread' };
  redone: Nothing;
};

/** Warnings about a change, and about its result in a shop. */
export type UpdateWarningParams = UndoWarningParams & {
  shop_price_stays: { shop_id: number; price: number | undefined };
  /** `field`: `price` or `readiness_state_id`. */
  offerings_have_own: { field: string };
  combinations_hidden: { count: number };
  not_changeable: Nothing;
  no_such_offering: { shop_id: number };
  not_there_yet: { shop_id: number; shop_name?: string | undefined };
  translations_stale: { languages: readonly string[] };
  photos_removed: { count: number };
  videos_removed: { count: number };
  files_removed: { filenames: readonly string[] };
  questions_removed: { questions: readonly string[] };
  variation_photos_removed: { count: number };
  photo_not_kept: { listing_image_id: number };
  nothing_left_to_sell: { state: string };
  no_stock: Nothing;
  sold_out_stays: Nothing;
  kept_for_stock: Nothing;
  kept_no_longer: Nothing;
  kept_unmatched: Nothing;
  kept_edited: { fields: readonly string[] };
  /** `since`: it was last seen, or the change set it. */
  sold_meanwhile: { was: unknown; is: unknown; since: 'seen' | 'set'; is_overwritten: boolean };
  overwritten: { before: unknown; after: unknown };
  edits_unknown: Nothing;
  /** `is_licensed`: repeating the call overwrites it. */
  manual_edit: { edit?: { ours: unknown; theirs: unknown }; is_licensed: boolean };
  taken_over: { is_saved: boolean };
  fee_charged: { fee_usd: number };
};

/** Reasons why a change is impossible in a shop. */
export type RefusalParams = {
  listing_removed: Nothing;
  listing_gone: Nothing;
  listing_unread: { why: CallFailure };
  photo_nowhere: Nothing;
  photo_needed: Nothing;
  photo_not_there: Nothing;
  combination_unknown: {
    sku?: string | undefined;
    values: readonly { name: string; value: string }[];
    skus: readonly string[];
    labels: readonly string[];
  };
  combination_ambiguous: {
    sku?: string | undefined;
    values: readonly { name: string; value: string }[];
    count: number;
    labels: readonly string[];
  };
  options_three: Nothing;
  state_changed: { was: string; is: string };
  draft_not_on_sale: Nothing;
  fee_unasked: Nothing;
};
export type Refusal = Coded<RefusalParams>;

/** Why nothing, or only a part, of a change was written in a shop. */
export type UpdateFailureParams = RefusalParams & {
  change_refused: { fields: readonly string[]; problem: Refusal };
  /** `can_skip`: an undo can leave the edits unchanged. */
  edited_elsewhere: {
    fields: readonly string[];
    when: 'before' | 'during' | 'after_restore';
    can_skip: boolean;
  };
};
