import type { KeyMeaning, Nothing } from './facts.js';

/** Lists of a request whose length is limited. */
export type CountedItems =
  | 'shops'
  | 'production_partners'
  | 'tags'
  | 'materials'
  | 'styles'
  | 'images'
  | 'digital_files'
  | 'videos'
  | 'attributes'
  | 'value_ids'
  | 'values'
  | 'properties'
  | 'offerings';

/** Characters that the marketplace allows in a text. */
export type AllowedCharacters = 'of_title' | 'of_tag' | 'of_word' | 'of_option_value' | 'of_file_name';

/** Problems of a single value, and of keys that nothing reads. */
export type ValueParams = {
  required: Nothing;
  choice_wrong: { choices: readonly string[]; given?: string };
  literal_wrong: { expected: string };
  /** `received` is left out if it adds nothing. `keys`: those that the object needs. */
  type_wrong: {
    expected: string;
    received?: string;
    is_quoted?: boolean;
    keys?: readonly string[];
    is_broken_json?: boolean;
  };
  size_wrong: { of: 'text' | 'list' | 'number'; bound: 'at least' | 'at most'; limit: number };
  /** In the schema's words, if it has a rule of its own. */
  value_wrong: { text: string };
  integer_inexact: { value: string };
  entries_too_many: { count: number };
  keys_too_many: { count: number; most: number };
  keys_unknown: { keys: readonly string[] };

  text_empty: Nothing;
  text_only_html: Nothing;
  text_too_long: { chars: number; most: number };
  text_length_wrong: { chars: number; least: number; most: number };
  characters_wrong: {
    characters: readonly string[];
    allowed: AllowedCharacters;
    entity?: string | undefined;
  };
  characters_repeated: { repeated: readonly string[]; once: readonly string[] };
  first_character_wrong: { character: string };
  number_out_of_range: { value: number; least: number; most: number };
  number_too_small: { value: number; least: number };
  number_not_positive: { value: number };
  number_too_large: { value: number; most: number };
  price_too_low: { value: number; least: number };
  price_too_high: { value: number; most: number; currency_code: string };
  /** Without a currency: true for every currency. */
  price_decimals: { value: number; currency_code?: string };
  list_empty: { least: number; most: number; items: CountedItems };
  list_too_long: { count: number; most: number; items: CountedItems };
  url_is_file: Nothing;
  url_scheme: Nothing;
  url_broken: Nothing;

  key_unknown: { meaning: KeyMeaning };
  keys_left_out: { left_out: number; seen: number };
  saved_key_unknown: { meaning: KeyMeaning };
};
