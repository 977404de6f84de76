import type { IncomingMessage } from 'node:http';
import { OAuthError } from '../../core/identity/grants/oauth_error.js';
import { hasNul } from '../http/nul.js';
import { readBody } from '../http/read_body.js';

const MAX_FORM_BYTES = 64 * 1024;

/** Parameters of a request to an OAuth endpoint. */
export type Parameters = {
  /** Undefined if missing or empty, which means the same. */
  get(name: string): string | undefined;
  /** The one parameter that may be repeated. */
  resource: readonly string[];
};

/**
 * Throws OAuthError invalid_request if a parameter is given twice: a program that reads the other value could
 * be deceived.
 */
export function toParameters(query: URLSearchParams): Parameters {
  const names = [...query.keys()].filter((name) => name !== 'resource');
  if (new Set(names).size < names.length) {
    throw new OAuthError('invalid_request', 'A parameter is given more than once.');
  }
  return { get: (name) => query.get(name) || undefined, resource: query.getAll('resource') };
}

/**
 * Reads the body of a form without files. Throws OAuthError invalid_request, or a ServiceError if it is too
 * large.
 */
export async function readUrlForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const text = (await readBody(request, MAX_FORM_BYTES)).toString('utf8');
  if (hasNul(text)) throw new OAuthError('invalid_request', 'The body has a NUL character.');
  return new URLSearchParams(text);
}

/** Throws OAuthError invalid_request if it is missing. */
export function need(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value !== undefined) return value;
  throw new OAuthError('invalid_request', `${name} is required.`);
}
