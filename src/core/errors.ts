import type { ErrorBody, ErrorCode } from '../../schemas/error.js';
import type { Issue } from '../../schemas/issue.js';
import { toVisibleText } from './text/visible_text.js';

/** The one table from code to HTTP status, with the hint that is given when the thrower has no better one. */
export const ERRORS = {
  VALIDATION_FAILED: {
    status: 400,
    hint: 'Correct the fields named in the message and send the request again.',
  },
  INVALID_JSON: {
    status: 400,
    hint: 'Send one JSON object, UTF-8, of at most 1 MiB, 32 levels, 1,000 keys an object and 50,000 values.',
  },
  UNSUPPORTED_CONTENT: {
    status: 400,
    hint: 'Send the content type and encoding that this operation documents.',
  },
  FILE_TOO_LARGE: { status: 400, hint: 'Send a file of at most 100 MB.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    hint: 'Use a new idempotency_key for a new request, or repeat the first request unchanged.',
  },
  STORE_RECONNECT_REQUIRED: {
    status: 400,
    hint: 'Its owner has to connect the shop again (listing-service connect); then repeat the request.',
  },
  ACTIVATION_DECLINED: {
    status: 400,
    hint: 'Nothing was created. Ask the seller, or use state publish, which is free.',
  },
  NOT_DELETABLE: {
    status: 400,
    hint: 'Only what has nothing on the marketplace can be deleted here: a draft, or a listing that is removed or gone there; an imported one is forgotten. listing_publish with state inactive takes a listing off sale.',
  },
  LISTING_BUSY: {
    status: 400,
    hint: 'One job of a listing runs at a time. Ask listing_create_status for the job that the message names, then call again.',
  },
  ALREADY_IN_SHOP: {
    status: 400,
    hint: 'Leave that shop out. listing_update changes the listing that is there.',
  },
  NOTHING_TO_UNDO: {
    status: 400,
    hint: 'listing_get with history lists the jobs of a listing; only updates that changed something can be taken back.',
  },
  WEBHOOK_NOT_CONFIGURED: { status: 400, hint: 'Set the destination first with webhook_endpoint_set.' },
  PAYLOAD_EXPIRED: {
    status: 400,
    hint: 'Payloads are kept for 30 days; fetch the order from the marketplace instead.',
  },
  QUOTA_EXCEEDED: {
    status: 400,
    hint: 'Make room among what the account has here; the operator of the service can raise the limit.',
  },
  READ_ONLY: {
    status: 400,
    hint: 'This server runs read-only. Start it without READ_ONLY to change things.',
  },
  UNAUTHORIZED: {
    status: 401,
    hint: 'Send a valid key in the X-Service-API-Key header (listing-service keys create makes one).',
  },
  NOT_FOUND: { status: 404, hint: 'Check the method and the path against the documentation.' },
  STORE_NOT_FOUND: { status: 404, hint: 'Use a shop_id that stores_list returns.' },
  JOB_NOT_FOUND: { status: 404, hint: 'Use a job_id from the answer that started the job.' },
  LISTING_NOT_FOUND: { status: 404, hint: 'Use a listing_pk that listings_list returns.' },
  CATEGORY_NOT_FOUND: { status: 404, hint: 'categories_search finds category ids by words.' },
  DELIVERY_NOT_FOUND: { status: 404, hint: 'Use an id that webhooks_deliveries returns.' },
  RATE_LIMIT_SECOND: {
    status: 429,
    hint: 'Wait the seconds given in Retry-After (over MCP: _meta.retry_after_seconds), then repeat the request.',
  },
  RATE_LIMIT_DAY: {
    status: 429,
    hint: 'The daily volume is used up. Wait the seconds given in Retry-After.',
  },
  MARKETPLACE_RATE_LIMIT: {
    status: 429,
    hint: 'The marketplace asks for a pause. Wait the seconds given in Retry-After.',
  },
  INTERNAL: {
    status: 500,
    hint: 'This is a fault of the service. Repeat the request; if it stays, look at the log.',
  },
  MARKETPLACE_UNAVAILABLE: {
    status: 500,
    hint: 'The marketplace did not answer. Repeat the request in a minute.',
  },
  MARKETPLACE_ERROR: {
    status: 500,
    hint: 'The marketplace answered in an unexpected way. Its words are in the message.',
  },
} as const satisfies Record<ErrorCode, { status: 400 | 401 | 404 | 429 | 500; hint: string }>;

type ErrorOptions = {
  hint?: string;
  retry_after_seconds?: number;
  cause?: unknown;
  issues?: readonly Issue[];
};

/** The only error that a caller is told about. `message` is for the caller; `cause` is for the log and never shown. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly hint: string;
  /** Whole seconds, at least 1; set on every 429, and where a fault may mend by itself. */
  readonly retry_after_seconds: number | undefined;
  /** The problems of a request, which the message lists. */
  readonly issues: readonly Issue[];

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? ERRORS[code].hint;
    this.issues = options.issues ?? [];
    const { retry_after_seconds = ERRORS[code].status === 429 ? 1 : undefined } = options;
    this.retry_after_seconds =
      retry_after_seconds === undefined ? undefined : Math.max(1, Math.ceil(retry_after_seconds));
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

const MAX_NAME_CHARS = 80;

/** @param docs_url where the codes are explained; the code becomes its anchor */
export function toErrorBody(error: ServiceError, docs_url: string): ErrorBody {
  const { code, status, message, hint } = error;
  return { error: { code, status, message, hint, docs: `${docs_url}#${code}` } };
}

/** An error as pages show it: its body, and its problems as data. */
export type Refused = ErrorBody['error'] & { issues?: readonly Issue[] };

/** Issues that a page shows at most. */
const MOST_ISSUES = 100;

export function toRefused({ error }: ErrorBody, issues: readonly Issue[]): Refused {
  const shown = issues.slice(0, MOST_ISSUES);
  return {
    ...error,
    issues: shown.map(({ code, at, params, notes }) => ({ code, at, params, notes }) as Issue),
  };
}

/**
 * Foreign words (the marketplace's, a remote server's) made safe to stand in a message: cleaned, cut, quoted. No mark inside of
 * them ends the quotation: each has a backslash before it, as in JSON.
 */
export function quoteForeign(text: string, max_chars = 300): string {
  return `"${cleanForeign(text, max_chars).replace(MARKS, String.raw`\$&`)}"`;
}

/** A foreign name, quoted: of a shop, a file, a property. */
export function quoteName(name: string): string {
  return quoteForeign(name, MAX_NAME_CHARS);
}

/** What the marketplace said, quoted; or what we say in its place, where it gave no reason. */
export function quoteAnswer({ message, is_ours }: { message: string; is_ours: boolean }): string {
  return is_ours ? cleanForeign(message, 300) : quoteForeign(message);
}

/** Characters that a reader takes for a double quotation mark, and the backslash. */
const MARKS = /["\\\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/g;

/** Removes invisible characters and cuts to length. For values that are data; in a sentence, names are quoted. */
export function cleanForeign(text: string, max_chars = MAX_NAME_CHARS): string {
  const clean = replaceInvisible(text, ' ').trim();
  if (clean.length <= max_chars) return clean;
  const chars = [...clean];
  return chars.length > max_chars ? `${chars.slice(0, max_chars).join('')}…` : clean;
}

/** For what parts words (a newline, what turns the direction of text); the rest of what is not seen goes without one. */
export function replaceInvisible(text: string, replacement: string): string {
  return toVisibleText(text.replace(PARTING, replacement));
}

const PARTING = /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;
