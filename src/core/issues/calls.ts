import type { CallParams } from '../../../schemas/issues/calls.js';
import { sayOf, type Words } from './words.js';

export const CALL_WORDS: Words<CallParams> = {
  body_required: {
    program: () => 'A JSON body is required.',
    seller: () => 'There is nothing in the request',
  },
  body_not_object: {
    program: () => 'The body must be a JSON object.',
    seller: () => 'The request has the wrong form',
  },
  key_in_address: {
    program: () => 'is in the query string; this operation takes all of its input in the body',
    seller: (_, at) => sayOf(at, 'this does not belong in the address'),
  },
  given_twice: {
    program: () => 'is given more than once; give it once',
    seller: (_, at) => sayOf(at, 'this is given more than once'),
  },
  part_is_file: {
    program: () => 'is a file; the file goes into the part named file',
    seller: (_, at) => sayOf(at, 'a file is not expected here'),
  },
  part_too_large: {
    program: ({ bytes }) => `has more than ${bytes} bytes`,
    seller: (_, at) => sayOf(at, 'this is too long'),
  },
  part_beside_file: {
    program: () =>
      'is given in addition to the file itself; send the part named file, a file, and nothing else for it',
    seller: (_, at) => sayOf(at, 'only the file is expected'),
  },
  parts_too_many: {
    program: ({ files }) =>
      `The form has too many parts: ${files === 1 ? 'send file and type' : `send at most ${files} files at a time`}.`,
    seller: ({ files }) => (files === 1 ? 'Choose one file' : `Choose at most ${files} files at a time`),
  },
  multipart_broken: {
    program: () => 'The multipart body is malformed or breaks off.',
    seller: () => 'The upload broke off. Try again',
  },
  has_nul: {
    program: ({ is_form }) => (is_form ? 'The form has a NUL character.' : 'has a NUL character'),
    seller: (_, at) => sayOf(at, 'there is a character that cannot be saved'),
  },
  has_unstorable: {
    program: () => 'has a NUL character or half of a surrogate pair',
    seller: (_, at) => sayOf(at, 'there is a character that cannot be saved'),
  },
  idempotency_key_differs: {
    program: () => 'differs from the Idempotency-Key header; send one of them, or the same in both',
    seller: () => 'Two keys were given for one request',
  },
  idempotency_key_wrong: {
    program: () => 'must have 1 to 255 visible ASCII characters, without spaces',
    seller: () => 'The key of the request is not valid',
  },
  search_too_many_words: {
    program: ({ count, most }) => `has ${count} different words; at most ${most} are searched for`,
    seller: ({ count, most }) => `${count} different words are too many. Search for at most ${most}`,
  },
  name_taken: {
    program: () => 'belongs to another account',
    seller: (_, at) => sayOf(at, 'this belongs to another account'),
  },
  name_wrong: {
    program: ({ most }) => `must have 1 to ${most} visible characters`,
    seller: ({ most }, at) => sayOf(at, `must have 1 to ${most} visible characters`),
  },
  consent_address_wrong: {
    program: () => 'is not the address that the marketplace redirected the browser to',
    seller: () => 'This is not the address that Etsy led to',
  },
  destination_refused: {
    program: ({ text }) => text,
    seller: ({ text }) => `Address: ${text}`,
  },
  stored_text: { program: ({ text }) => text, seller: ({ text }) => text },
};
