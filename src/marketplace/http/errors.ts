import { z } from 'zod/v3';
import { MarketplaceError, type MarketplaceFailure } from '../../core/ports/marketplace_call.js';
import { findFields, toOurField } from './error_fields.js';
import type { HttpAnswer } from './http.js';

const MAX_CHARS = 2_000;
const MAX_ISSUES = 50;

/**
 * The contents of a refusal's body. `code` is OAuth's error code (`invalid_grant`), if the body has that
 * shape.
 */
type RefusalText = { text: string; is_ours?: true; code: string | undefined; fields: string[] };

/**
 * Parses a refusal in its three shapes: `{error}`, `{error, error_description}` and a bare array of `{path,
 * type, message}`. A body of any other shape is not quoted: it is a page of the marketplace's edge.
 */
export function parseRefusal({ status, text }: HttpAnswer): RefusalText {
  const body = parseJson(text);
  if (body === undefined) {
    const what = WEB_PAGE.test(text.slice(0, 500)) ? EDGE_PAGE : 'a body that is not JSON';
    return { text: `HTTP ${status} with ${what}`, is_ours: true, code: undefined, fields: [] };
  }
  const issues = fieldIssues.safeParse(body).data ?? [];
  if (issues.length > 0) {
    const words = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
    const fields = issues.map(({ path }) => toOurField(path)).filter((field) => field !== undefined);
    return { text: cut(words), code: undefined, fields: [...new Set(fields)] };
  }
  const parsed = errorBody.safeParse(body).data;
  if (!parsed) return { text: `HTTP ${status} without a reason`, is_ours: true, code: undefined, fields: [] };
  const { error, error_description } = parsed;
  if (error_description === undefined) {
    return { text: cut(error), code: undefined, fields: findFields(error) };
  }
  return { text: cut(`${error}: ${error_description}`), code: error, fields: [] };
}

/**
 * The failure class of a refused, failed or unreadable answer. 429 and tokens that can be refreshed are
 * handled earlier.
 */
export function toFailure(
  answer: HttpAnswer,
  refusal: RefusalText,
  call: { is_read: boolean; has_token: boolean },
): MarketplaceFailure {
  const { status } = answer;
  if (status === 429) return 'rate_limited';
  if (status === 404) return 'not_found';
  // 408: an edge that timed out does not know the outcome of the request behind it.
  if (status < 400 || status >= 500 || status === 408) return toLostFailure(call);
  if (refusal.code === 'insufficient_scope') return 'reconnect';
  if ((status === 401 || status === 403) && ABOUT_THE_KEY.test(refusal.text)) return 'credentials';
  if (status === 401) return call.has_token ? 'reconnect' : 'credentials';
  if (status === 403 && ABOUT_THE_TOKEN.test(refusal.text)) return 'reconnect';
  return 'refused';
}

/** A 401 that another token may resolve; one about the application's key is not. */
export function isTokenRefused(answer: HttpAnswer): boolean {
  return answer.status === 401 && !ABOUT_THE_KEY.test(answer.text.slice(0, MAX_CHARS));
}

/** A failure without an answer: a read can be retried, but a write may have been done. */
export function toLostFailure({ is_read }: { is_read: boolean }): MarketplaceFailure {
  return is_read ? 'unavailable' : 'unknown';
}

export function buildAnswerError(
  failure: MarketplaceFailure,
  answer: HttpAnswer,
  refusal: Pick<RefusalText, 'text' | 'fields' | 'is_ours'>,
  options: { retry_after_seconds?: number; cause?: unknown } = {},
): MarketplaceError {
  const request_id = findRequestId(answer);
  return new MarketplaceError(failure, refusal.text, {
    status: answer.status,
    fields: refusal.fields,
    is_ours: refusal.is_ours === true,
    ...(request_id !== undefined && { request_id }),
    ...options,
  });
}

function findRequestId(answer: HttpAnswer): string | undefined {
  const id = answer.findHeader('x-etsy-request-uuid');
  return id !== undefined && /^[\w.:-]{1,100}$/.test(id) ? id : undefined;
}

/** Undefined if it is not JSON. NUL characters are removed from texts, because PostgreSQL cannot store them. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, text.includes(String.raw`\u0000`) ? dropNul : undefined) as unknown;
  } catch {
    return undefined;
  }
}

function dropNul(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '') : value;
}

/** "Shared secret is required in x-api-key header." and other messages about the application's own key. */
const ABOUT_THE_KEY = /x-api-key|api[ _-]?key|keystring|shared secret|invalid_client/i;
/** "No user was provided as part of the bearer token." */
const ABOUT_THE_TOKEN = /bearer token|invalid_token|access token/i;

/** A proxy in front of the API answered. */
const WEB_PAGE = /^\s*<(?:!doctype html|html|head|body)\b/i;
const EDGE_PAGE = 'a web page instead of a reason, so something in front of the API stopped the request';

const errorBody = z.object({ error: z.string(), error_description: z.string().optional().catch(undefined) });
const fieldIssues = z
  .array(z.object({ path: z.string().catch(''), message: z.string().catch('') }))
  .transform((issues) => issues.slice(0, MAX_ISSUES))
  .transform((issues) => issues.filter(({ path, message }) => path !== '' || message !== ''));

function cut(text: string): string {
  return Array.from(text.slice(0, MAX_CHARS * 2))
    .slice(0, MAX_CHARS)
    .join('');
}
