import type { ErrorBody, ErrorCode } from '../../schemas/error.js';
import type { Issue, Fact } from '../../schemas/issue.js';
import { renderLines, writeText } from './issues/render.js';
import type { Refused } from './ports/store/page_stores.js';

/** Maps codes to HTTP statuses, with the hint to use if the thrower has no better one. */
export const ERRORS = {
  VALIDATION_FAILED: {
    status: 400,
    hint: 'Correct the fields named in the message and send the request again.',
  },
  INVALID_JSON: {
    status: 400,
    hint: 'Send one JSON object, UTF-8, of at most 1 MiB, 32 levels, 1,000 keys per object, and 50,000 values.',
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
    hint: 'Only a listing with nothing on the marketplace can be deleted here: a draft, or one that was removed there. An imported listing is only forgotten here. To deactivate a listing, use listing_publish with state inactive.',
  },
  LISTING_BUSY: {
    status: 400,
    hint: 'Only one job per listing runs at a time. Poll listing_create_status for the job named in the message, then call again.',
  },
  ALREADY_IN_SHOP: {
    status: 400,
    hint: 'Leave that shop out. Use listing_update to change the existing listing.',
  },
  NOTHING_TO_UNDO: {
    status: 400,
    hint: 'listing_get with history lists the jobs of a listing; only updates that changed something can be undone.',
  },
  BATCH_EXPIRED: { status: 400, hint: 'Plan it again with batch_create.' },
  BATCH_RUNNING: {
    status: 400,
    hint: 'Ask batches_list for it; batch_cancel stops it before its next item.',
  },
  BATCH_TOO_LARGE: { status: 400, hint: 'Narrow the selection, or create several batches.' },
  SHEET_INVALID: { status: 400, hint: 'Correct the sheet, or export it again with batch_sheet.' },
  WEBHOOK_NOT_CONFIGURED: { status: 400, hint: 'Set the destination first with webhook_endpoint_set.' },
  PAYLOAD_EXPIRED: {
    status: 400,
    hint: 'Payloads are kept for 30 days; fetch the order from the marketplace instead.',
  },
  QUOTA_EXCEEDED: {
    status: 400,
    hint: 'Delete drafts or uploads that are no longer needed, then repeat the request.',
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
  BATCH_NOT_FOUND: { status: 404, hint: 'Use a batch_id that batches_list returns.' },
  LISTING_NOT_FOUND: { status: 404, hint: 'Use a listing_pk that listings_list returns.' },
  CATEGORY_NOT_FOUND: { status: 404, hint: 'categories_search finds category ids by keyword.' },
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
    hint: 'This is a fault of the service. Repeat the request; if it persists, check the log.',
  },
  MARKETPLACE_UNAVAILABLE: {
    status: 500,
    hint: 'The marketplace did not respond. Repeat the request in a minute.',
  },
  MARKETPLACE_ERROR: {
    status: 500,
    hint: 'The marketplace returned an unexpected response, which the message quotes.',
  },
} as const satisfies Record<ErrorCode, { status: 400 | 401 | 404 | 429 | 500; hint: string }>;

type ErrorOptions = {
  hint?: string;
  retry_after_seconds?: number;
  cause?: unknown;
};

/** The only error that callers see. Its message lists its problems; `cause` is only for the log. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly hint: string;
  /** Whole seconds, at least 1; set on every 429, and if a fault may clear by itself. */
  readonly retry_after_seconds: number | undefined;
  /** The problems that the message lists. */
  readonly issues: readonly Issue[];

  /** @param problems one that is not about a field, or a list of them */
  constructor(code: ErrorCode, problems: Fact | readonly Issue[], options: ErrorOptions = {}) {
    const issues = 'code' in problems ? [{ ...problems, at: '' }] : problems;
    super(writeText(renderLines(issues)), { cause: options.cause });
    this.code = code;
    this.issues = issues;
    this.hint = options.hint ?? ERRORS[code].hint;
    const { retry_after_seconds = ERRORS[code].status === 429 ? 1 : undefined } = options;
    this.retry_after_seconds =
      retry_after_seconds === undefined ? undefined : Math.max(1, Math.ceil(retry_after_seconds));
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** @param docs_url the page that explains the codes; the code becomes its anchor */
export function toErrorBody(error: ServiceError, docs_url: string): ErrorBody {
  const { code, status, message, hint } = error;
  return { error: { code, status, message, hint, docs: `${docs_url}#${code}` } };
}

/** The most issues that a page shows. */
const MOST_ISSUES = 100;

export function toRefused({ error }: ErrorBody, issues: readonly Issue[]): Refused {
  const shown = issues.slice(0, MOST_ISSUES);
  return {
    ...error,
    issues: shown.map(
      ({ code, at, params, notes, shop_name }) => ({ code, at, params, notes, shop_name }) as Issue,
    ),
  };
}
