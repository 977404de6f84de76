import type { FieldsWith, LISTING_FIELDS } from '../listing_fields.js';

/** Each code with its params. */
export type Coded<Params> = { [Code in keyof Params]: { code: Code; params: Params[Code] } }[keyof Params];

/** Params of a code that needs none. */
export type Nothing = Record<string, never>;

/** Something that can be chosen by its id, or by its name if it has no id. The name may be foreign text. */
export type Choice = { id: number | string | null; name?: string | undefined };

type NameIn<Path> = Path extends `shops[].${infer Name}` ? Name : never;

/** Names in shops[] of the ids that a listing takes from a list of the shop. */
export type ReferenceField = NameIn<(typeof LISTING_FIELDS)[FieldsWith<{ list: string }>]['path']>;

/** The choices that one shop has. */
export type ShopChoices = { shop_name: string; choices: readonly Choice[] };

/** The probable meaning of an unknown key. Names and paths are those of the API. */
export type KeyMeaning =
  | { is: 'unknown'; known?: readonly string[] }
  | { is: 'needless'; because: 'currency_of_shop' | 'from_offerings' }
  | { is: 'alias'; name: string }
  | { is: 'of_operation'; operation_id: string; name: string }
  | { is: 'alongside'; sibling: string; name: string }
  | { is: 'inside'; paths: readonly string[] }
  /** `has_unseen`: the two differ only in invisible characters. */
  | { is: 'like'; names: readonly string[]; operation_id?: string; has_unseen?: boolean };
