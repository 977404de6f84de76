import type { CallParams } from '../../../schemas/issues/calls.js';
import { sayOf, type Words } from './words.js';

export const CALL_WORDS: Words<CallParams> = {
  body_required: {
    program: () => 'A JSON body is required.',
    seller: () => 'The request is empty',
  },
  body_not_object: {
    program: () => 'The body must be a JSON object.',
    seller: () => 'The request cannot be read',
  },
  key_in_address: {
    program: () => 'is in the query string; send all input of this operation in the body',
    seller: (_, at) => sayOf(at, 'this cannot be part of the page’s address'),
  },
  given_twice: {
    program: () => 'appears more than once; send it once',
    seller: (_, at) => sayOf(at, 'this appears more than once'),
  },
  part_is_file: {
    program: () => 'must not be a file; send the file in the part named file',
    seller: (_, at) => sayOf(at, 'this cannot be a file'),
  },
  part_too_large: {
    program: ({ bytes }) => `is larger than ${bytes} bytes`,
    seller: (_, at) => sayOf(at, 'this is too long'),
  },
  part_beside_file: {
    program: () => 'cannot be sent with the file itself; send only the file, in the part named file',
    seller: (_, at) => sayOf(at, 'this cannot be sent together with the file'),
  },
  parts_too_many: {
    program: ({ files }) =>
      `The form has too many parts: ${files === 1 ? 'send file and type' : `send at most ${files} files at a time`}.`,
    seller: ({ files }) => (files === 1 ? 'Choose one file' : `Choose at most ${files} files at a time`),
  },
  multipart_broken: {
    program: () => 'The multipart body is malformed or incomplete.',
    seller: () => 'The upload was interrupted. Try again',
  },
  has_nul: {
    program: ({ is_form }) => (is_form ? 'The form has a NUL character.' : 'has a NUL character'),
    seller: (_, at) => sayOf(at, 'this contains a character that cannot be saved'),
  },
  has_unstorable: {
    program: () => 'has a NUL character or an unpaired surrogate',
    seller: (_, at) => sayOf(at, 'this contains a character that cannot be saved'),
  },
  idempotency_key_differs: {
    program: () =>
      'differs from the Idempotency-Key header; send only one of them, or the same value in both',
    seller: () => 'The request has two different keys',
  },
  idempotency_key_wrong: {
    program: () => 'must have 1 to 255 visible ASCII characters, without spaces',
    seller: () => 'The request’s key is not valid',
  },
  search_too_many_words: {
    program: ({ count, most }) => `has ${count} different words; at most ${most} are allowed`,
    seller: ({ count, most }) => `${count} different words is too many. Search for at most ${most}`,
  },
  name_taken: {
    program: () => 'belongs to another account; use a different name',
    seller: (_, at) => sayOf(at, 'this belongs to another account. Use a different name'),
  },
  name_wrong: {
    program: ({ most }) => `must have 1 to ${most} visible characters`,
    seller: ({ most }, at) => sayOf(at, `use 1 to ${most} visible characters`),
  },
  consent_address_wrong: {
    program: () => 'is not the address that the marketplace redirected the browser to',
    seller: () => 'This is not the address that Etsy sent you to. Copy the whole address from your browser',
  },
  destination_refused: {
    program: ({ text }) => text,
    seller: ({ text }) => text.replaceAll('The URL', 'The address'),
  },
  stored_text: { program: ({ text }) => text, seller: ({ text }) => text },
};
