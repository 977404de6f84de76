import type { Forgery, RequestParams } from '../../../schemas/issues/requests.js';
import { formatNumber } from '../text/format_count.js';
import type { Words } from './words.js';

const BROKEN_REQUEST = 'Your browser sent a request that this service cannot read';

export const REQUEST_WORDS: Words<RequestParams> = {
  content_type_wrong: {
    program: ({ expected }) => `The Content-Type must be ${CONTENT_TYPES[expected]}.`,
    seller: () => BROKEN_REQUEST,
  },
  content_headers_malformed: {
    program: () => 'The Content-Type or Content-Length header is malformed.',
    seller: () => BROKEN_REQUEST,
  },
  encoding_unsupported: {
    program: () => 'Compressed bodies are not supported.',
    seller: () => BROKEN_REQUEST,
  },
  boundary_wrong: {
    program: ({ most }) => `The multipart boundary must have 1 to ${most} characters.`,
    seller: () => BROKEN_REQUEST,
  },
  body_too_large: {
    program: ({ kibibytes }) => `The body is larger than ${formatNumber(kibibytes)} KiB.`,
    seller: () => 'The form is too large',
  },
  body_truncated: {
    program: () => 'The connection closed before the whole body arrived.',
    seller: () => 'The connection was lost before the whole request arrived. Try again',
  },
  body_too_slow: {
    program: ({ seconds }) => `The body did not arrive within ${seconds} seconds.`,
    seller: () => 'The connection was too slow. Try again',
  },
  headers_too_large: {
    program: ({ kibibytes }) => `The request headers are larger than ${kibibytes} KiB.`,
    seller: () => BROKEN_REQUEST,
  },
  request_too_slow: {
    program: () => 'The request did not arrive in time.',
    seller: () => 'The connection was too slow. Try again',
  },
  request_malformed: {
    program: () => 'This is not a well-formed HTTP request.',
    seller: () => BROKEN_REQUEST,
  },
  host_missing: { program: () => 'The request has no Host header.', seller: () => BROKEN_REQUEST },
  host_repeated: {
    program: () => 'The request has more than one Host header.',
    seller: () => BROKEN_REQUEST,
  },
  host_differs: {
    program: () => 'The request target and the Host header name different hosts.',
    seller: () => BROKEN_REQUEST,
  },
  host_refused: {
    program: () => 'The service does not answer requests for this Host or Origin.',
    seller: () => 'This address does not belong to the service',
  },
  other_site_refused: {
    program: () => 'The service does not answer requests that come from the pages of another site.',
    seller: () =>
      'This request came from another website, which is not allowed. Open the page from this service',
  },
  address_has_nul: {
    program: () => 'The address has a NUL character, %00.',
    seller: () => 'This address is not valid',
  },
  address_encoding_wrong: {
    program: () => 'The path has malformed percent-encoding.',
    seller: () => 'This address is not valid',
  },
  route_not_found: {
    program: ({ method, path, instead }) =>
      `There is no ${method} ${path}.${instead.length === 0 ? '' : ` Use ${instead.join(', or ')}.`}`,
    seller: () => 'There is nothing at this address',
  },
  page_not_found: {
    program: ({ path }) => `There is no page at ${path}.`,
    seller: () => 'There is no page at this address',
  },
  page_method_wrong: {
    program: () => 'This page does not support this request method.',
    seller: () => 'This page cannot be opened this way',
  },

  json_not_utf8: { program: () => 'The body is not valid UTF-8.', seller: () => BROKEN_REQUEST },
  json_invalid: {
    program: ({ position }) =>
      `The body is not valid JSON${position === undefined ? '' : `, near character ${position}`}.`,
    seller: () => BROKEN_REQUEST,
  },
  json_key_repeated: {
    program: () => 'An object in the body has the same key twice; send each key once.',
    seller: () => BROKEN_REQUEST,
  },
  json_too_large: {
    program: ({ of, most }) => `The body ${SIZES[of](formatNumber(most))}.`,
    seller: () => 'The request is too large',
  },
  json_key_forbidden: {
    program: () => 'The body has a key named `__proto__`, which is not allowed.',
    seller: () => BROKEN_REQUEST,
  },
  json_unstorable: {
    program: () => 'A string in the body has a NUL character or an unpaired surrogate.',
    seller: () => 'The request contains a character that cannot be saved',
  },

  message_unexpected: {
    program: () => 'The service is not set up to receive webhook messages from the marketplace.',
    seller: () => 'The service is not set up to receive messages from Etsy',
  },
  message_forged: {
    program: ({ because }) => `The webhook message is not from the marketplace: ${FORGERIES[because]}.`,
    seller: () => 'This message is not from Etsy',
  },
  message_not_json: {
    program: () => 'The webhook message is not valid JSON.',
    seller: () => 'This message cannot be read',
  },
};

const CONTENT_TYPES: Record<RequestParams['content_type_wrong']['expected'], string> = {
  json: 'application/json in UTF-8',
  multipart: 'multipart/form-data',
  form: 'application/x-www-form-urlencoded',
};

const SIZES: Record<RequestParams['json_too_large']['of'], (most: string) => string> = {
  levels: (most) => `is nested more than ${most} levels deep`,
  keys: (most) => `has an object with more than ${most} keys`,
  values: (most) => `has more than ${most} values`,
};

const FORGERIES: Record<Forgery, string> = {
  header_missing: 'a webhook-* header is missing',
  timestamp_wrong: 'webhook-timestamp is not a time',
  timestamp_far: 'webhook-timestamp is too far from the current time',
  signature_wrong: 'no signature matches',
};
