import type { ErrorCode } from '../../../schemas/error.js';
import type { Issue, IssueCode, Path } from '../../../schemas/issue.js';
import { renderAllForSeller, writeText } from '../../core/issues/render.js';
import type { Refused } from '../../core/ports/index.js';

const TRY_AGAIN = 'Try again. If it happens again, tell the operator of this service.';
const CONNECT_AGAIN = 'Connect the shop again as its owner. Then try again.';

/** The next step for a seller. */
const HINTS: Record<ErrorCode, string> = {
  VALIDATION_FAILED: 'Your assistant can correct it: tell it what this page says. Then try again.',
  INVALID_JSON: TRY_AGAIN,
  UNSUPPORTED_CONTENT: TRY_AGAIN,
  FILE_TOO_LARGE: 'Choose a smaller file.',
  IDEMPOTENCY_KEY_REUSED: 'Open the page again, and try again.',
  LISTING_BUSY: 'This page shows its progress. Try again when it is done.',
  ALREADY_IN_SHOP: 'Leave that shop out.',
  NOT_DELETABLE:
    'Only a draft, an imported listing, or one that is not on Etsy can be removed here. You can deactivate it instead.',
  NOTHING_TO_UNDO: 'Only changes made here can be undone.',
  STORE_RECONNECT_REQUIRED: CONNECT_AGAIN,
  ACTIVATION_DECLINED: 'Nothing was paid. Open the question again to see the fee now.',
  QUOTA_EXCEEDED: 'Delete drafts and uploads that are no longer needed, or publish the drafts.',
  READ_ONLY:
    'Sign in with a key that can make changes. If the whole service is read-only, its operator can change that.',
  BATCH_EXPIRED: 'Plan the change again.',
  BATCH_RUNNING: 'Wait until it finishes, or cancel it.',
  BATCH_TOO_LARGE: 'Choose fewer listings.',
  SHEET_INVALID: 'Correct the sheet, or export it again.',
  BATCH_NOT_FOUND: 'The Changes page lists the changes of the last 90 days.',
  UNAUTHORIZED: 'Sign in again.',
  WEBHOOK_NOT_CONFIGURED: 'Set up a webhook destination first.',
  PAYLOAD_EXPIRED: 'The order is still on Etsy.',
  NOT_FOUND: 'Start on the page “Today”.',
  STORE_NOT_FOUND: 'The Shops page lists the connected shops.',
  LISTING_NOT_FOUND: 'The Listings page lists all listings.',
  JOB_NOT_FOUND: 'The Listings page lists all listings.',
  DELIVERY_NOT_FOUND: 'The Webhooks page lists the deliveries that are kept.',
  CATEGORY_NOT_FOUND: 'Ask your assistant for a category that fits.',
  RATE_LIMIT_SECOND: 'Nothing was done. Wait a moment, and try again.',
  RATE_LIMIT_DAY: 'Try again tomorrow.',
  MARKETPLACE_RATE_LIMIT: 'Try again in a few minutes.',
  MARKETPLACE_UNAVAILABLE: 'Everything that is saved here is safe. Try again in a few minutes.',
  MARKETPLACE_ERROR: 'Try again in a few minutes. If it happens again, check the shop on Etsy.',
  INTERNAL: 'Try again. If it happens again, the log of the service says more.',
};

const NOTHING_DONE = 'Nothing was done, and nothing was paid.';
const COPY_AGAIN = 'Copy the keystring and the shared secret again from your application’s page on Etsy.';

/** The next step for problems that have one of their own. */
const FIXES: Partial<Record<IssueCode, string>> = {
  activations_limit: NOTHING_DONE,
  batch_activations_limit: NOTHING_DONE,
  activations_off: NOTHING_DONE,
  api_key_not_found: 'The page “API keys and assistants” lists your keys.',
  application_missing: 'Connect the shop again with the keystring and shared secret of its application.',
  application_refused: COPY_AGAIN,
  application_required: COPY_AGAIN,
  assistant_not_found: 'The page “API keys and assistants” lists the assistants that have access.',
  keystring_has_colon: COPY_AGAIN,
  keystring_wrong: COPY_AGAIN,
  listing_not_given_up: 'Check its state now. Finish it first, or deactivate it where it is active.',
  photo_waited_too_long: 'Add it again when that change has finished.',
  quota_saved_filters: 'Open a filter you no longer need and remove it, then save this one.',
  session_differs: 'Open the page again and repeat what you did.',
  shared_secret_required: COPY_AGAIN,
  shared_secret_wrong: COPY_AGAIN,
  sign_in_key_revoked: 'Sign in again with another key.',
  upload_in_use: 'It is deleted with the listing, or some time after another file replaces it.',
  upload_not_found: 'It may already be deleted. The Uploads page lists your uploads.',
};

/** Fields of the pages' own forms, where a seller can correct them. */
const FORM_FIELDS: ReadonlySet<string> = new Set([
  '',
  'address',
  'changes',
  'edits',
  'events',
  'file',
  'name',
  'select',
  'sheet',
  'state',
  'stock',
  'url',
  'webhook_secret',
]);

/**
 * An operation's refusal in sellers' words: its problems, one per line, and the next step.
 * @param placed fields of the form that show their own problems
 */
export function describeRefusal(
  { code, message, issues = [] }: Refused,
  placed: readonly string[] = [],
): { lines: string[]; hint: string } {
  const lines = toLines(issues.filter(({ at }) => !placed.includes(getField(at))));
  const [first] = issues;
  const fix = first && issues.every((issue) => issue.code === first.code) ? FIXES[first.code] : undefined;
  return { lines: issues.length > 0 ? lines : [message], hint: fix ?? chooseHint(code, issues) };
}

function chooseHint(code: ErrorCode, issues: readonly Issue[]): string {
  const isOfForm = issues.every(({ at }) => FORM_FIELDS.has(getField(at)));
  return code === 'VALIDATION_FAILED' && isOfForm ? 'Correct it, and try again.' : HINTS[code];
}

/** The problems of one field of a form. */
export function describeField({ issues = [] }: Pick<Refused, 'issues'>, field: string): string[] {
  return toLines(issues.filter(({ at }) => getField(at) === field));
}

function toLines(issues: readonly Issue[]): string[] {
  return renderAllForSeller(issues).map(writeText);
}

/** `changes` of `changes.listing.title`. */
function getField(at: Path): string {
  return /^\w+/.exec(at)?.[0] ?? '';
}
