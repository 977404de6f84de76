import type { Coded, Choice, KeyMeaning, Nothing } from './facts.js';
import type { FileParams } from './files.js';
import type { ListingParams, ShopParams } from './listing.js';
import type { NoteParams } from './notes.js';

type Size = { width: number; height: number };

/** Data of a shop's listing that a request cannot express. */
export type FormGapParams = {
  photos_over: { count: number; taken: number };
  videos_over: { count: number; taken: number };
  files_unreadable: { filenames: readonly string[] };
  physical_and_digital: Nothing;
  options_over: { options: readonly string[] };
  option_name_needed: { option: string };
  option_names_alike: Nothing;
  options_incomplete: Nothing;
  variation_photos_over: { count: number; taken: number };
  questions_over: { questions: readonly string[] };
  question_titled: { question: string };
  question_priced: { question: string; price: number };
  translated: { languages: readonly string[] };
  making_unsaved: { values: readonly string[] };
  products_unreadable: Nothing;
};
export type FormGap = Coded<FormGapParams>;

/** Problems of a listing that become warnings if it is not published yet. */
export type ListingProblem = Coded<ListingParams & ShopParams> & {
  at: string;
  notes?: readonly Coded<NoteParams>[];
};

/** Warnings about requests, drafts, copies, imports and uploads. */
export type RequestWarningParams = FormGapParams & {
  replayed: { is_creation: boolean };
  confirmed_before: Nothing;
  other_job_running: { running: string; asked: string };
  sale_unneeded: { shop_name: string; state: string };
  off_sale_in_shop: { shop_id: number; shop_name?: string | undefined; state: string };

  profile_mismatch: {
    profile: Choice;
    least?: number | undefined;
    most?: number | undefined;
    is_named: boolean;
    shop_name: string;
    choices: readonly Choice[];
  };
  profile_defaulted: { profile: Choice };
  making_defaulted: { when_made: string };
  entity_shown: { entity: string };
  entity_sent: { entity: string };
  html_removed: { tags: readonly string[]; is_text_removed: boolean };
  word_repeated: { first: string };
  sku_unused: Nothing;
  combinations_completed: { count: number };
  personalization_off: Nothing;
  sku_cut: { sent: string; most: number; more: number };
  category_not_checked: { category_id: number };
  files_not_checked: Nothing;
  price_of_several_currencies: { currencies: readonly string[]; has_offerings: boolean };
  not_of_category: { problem: ListingProblem };
  marketplace_limit: { problem: ListingProblem };
  price_override_unused: Nothing;
  needless_for_digital: Nothing;
  photo_changed: {
    format?: string | undefined;
    from?: Size | undefined;
    to?: Size | undefined;
    is_flattened: boolean;
    has_lost_frames: boolean;
  };
  /** `known`: the keys that such an object takes, if they are few. */
  key_ignored: { key: string; meaning: KeyMeaning; count: number; known: readonly string[] };
  keys_ignored: { left_out: number };
  only_in_shop: { gap: FormGap };
  not_copied: { gap: FormGap };
  attribute_not_copied: Nothing;
  media_not_kept_here: { problems: readonly Coded<FileParams>[] };
};
