import type { Nothing } from './facts.js';

/** Problems of a call that are not about a listing. */
export type CallParams = {
  body_required: Nothing;
  body_not_object: Nothing;
  key_in_address: Nothing;
  given_twice: Nothing;
  part_is_file: Nothing;
  part_too_large: { bytes: number };
  part_beside_file: Nothing;
  parts_too_many: { files: number };
  multipart_broken: Nothing;
  has_nul: { is_form: boolean };
  has_unstorable: Nothing;
  idempotency_key_differs: Nothing;
  idempotency_key_wrong: Nothing;
  search_too_many_words: { count: number; most: number };
  name_taken: Nothing;
  name_wrong: { most: number };
  consent_address_wrong: Nothing;
  /** `text`: the reason, as the URL policy words it. */
  destination_refused: { text: string };
  /** For a message that an earlier version stored as text. */
  stored_text: { text: string };
};
