/** An answer that differs from the document. */
export type Found = { operation: string; status: number; problem: string };

type KnownDifference = { what: string; why: string; explains: (found: Found) => boolean };

const UNDOCUMENTED = 'the status is not documented';
const DESCRIBED = 'must NOT have additional properties (error_description)';

/**
 * Where the sandbox's answers differ from the document: because the marketplace is known to differ, or
 * because the document does not cover a case that needs some answer.
 */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    what: 'any operation may answer 403 to the application’s key, to a call without a user, and to a missing scope',
    why: 'Seen live: "Shared secret is required in x-api-key header." and "No user was provided as part of the bearer token."; the document lists 401 for some of these and nothing for others.',
    explains: ({ status, problem }) => status === 403 && problem === UNDOCUMENTED,
  },
  {
    what: 'any operation may answer 429',
    why: 'The page on rate limits says so; the document has no 429 at all.',
    explains: ({ status, problem }) => status === 429 && problem === UNDOCUMENTED,
  },
  {
    what: 'any operation that is sent a token may answer 401 to it, also where it needs none',
    why: 'The token is part of the request’s credentials; the document lists 401 only where one is needed.',
    explains: ({ status, problem }) => status === 401 && problem === UNDOCUMENTED,
  },
  {
    what: 'refusals of a token or a scope have an error_description beside the error',
    why: 'Seen live: {"error":"invalid_token","error_description":"access token is expired"} and insufficient_scope; the document knows the error alone.',
    explains: ({ status, problem }) => (status === 401 || status === 403) && problem === DESCRIBED,
  },
  {
    what: 'a field that is wrong may be told in a bare array of {path, type, message}',
    why: 'Seen live for images and tags; the document knows one shape of errors.',
    explains: ({ status, problem }) => status === 400 && problem === 'must be object',
  },
  {
    what: 'two reads answer 400 to a parameter that is missing or out of range',
    why: 'The document lists no status for it, and what the marketplace does is written down nowhere; 400 is what it answers elsewhere.',
    explains: ({ operation, status, problem }) =>
      ['tokenScopes', 'findAllListingsActive'].includes(operation) &&
      status === 400 &&
      problem === UNDOCUMENTED,
  },
];
