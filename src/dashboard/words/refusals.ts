import type { ErrorCode } from '../../../schemas/error.js';
import type { IssueCode } from '../../../schemas/issue.js';
import { ERRORS, type Refused } from '../../core/errors.js';
import { renderForSeller, writeText } from '../../core/issues/render.js';
import { toSellerWords } from './sentences.js';

type Told = { lines: string[]; hint: string };

/** The next step for a seller, in place of a hint that names operations or is the same for every caller. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'Your assistant can correct it: tell it what is written here. Then try again.',
  LISTING_BUSY: 'This page shows its progress. Try again when it is done.',
  ALREADY_IN_SHOP: 'Leave that shop out.',
  NOT_DELETABLE:
    'Only a draft, an imported listing, or one that is nowhere on the marketplace can be forgotten here. You can take it off sale instead.',
  NOTHING_TO_UNDO: 'Only a change that was made here can be taken back.',
  STORE_RECONNECT_REQUIRED: 'Open the shop under Shops and connect it again as its owner; then try again.',
  ACTIVATION_DECLINED: 'Nothing was paid. Open the question again to see what it costs now.',
  QUOTA_EXCEEDED:
    'Delete drafts and uploads that are no longer needed, or publish the drafts. The operator of the service can raise the limit.',
  READ_ONLY: 'This service only shows things. Its operator can allow changes.',
  WEBHOOK_NOT_CONFIGURED: 'Set the destination first.',
  NOT_FOUND: 'Start at the overview.',
  STORE_NOT_FOUND: 'All connected shops are on the page Shops.',
  LISTING_NOT_FOUND: 'All listings are on the page Listings.',
  JOB_NOT_FOUND: 'All listings are on the page Listings.',
  DELIVERY_NOT_FOUND: 'All deliveries that are kept are on the page Webhooks.',
  CATEGORY_NOT_FOUND: 'Ask your assistant for a category that fits.',
  RATE_LIMIT_SECOND: 'Wait a moment, and try again.',
  RATE_LIMIT_DAY: 'The calls of this day are used up. Try again tomorrow.',
  MARKETPLACE_RATE_LIMIT: 'The marketplace asks for a pause. Try again in a few minutes.',
  MARKETPLACE_ERROR:
    'Try again in a few minutes. If it happens again, the shop’s own page on the marketplace may say more.',
  INTERNAL: 'This is a fault of the service. Try again; if it happens again, look at its log.',
};

/** Where the words for programs would say one thing twice, in two ways. */
const WHOLE: Partial<Record<ErrorCode, Told>> = {
  MARKETPLACE_UNAVAILABLE: {
    lines: ['The marketplace is not answering right now.'],
    hint: 'What is saved here is safe. Try again in a few minutes.',
  },
  LISTING_NOT_FOUND: {
    lines: ['There is no such listing.'],
    hint: 'All listings are on the page Listings.',
  },
  STORE_NOT_FOUND: { lines: ['There is no such shop.'], hint: 'All connected shops are on the page Shops.' },
};

/** `listing_update`, `store_sync` and the like. */
const OPERATION = /[a-z]_[a-z]/;
const NOTHING_DONE = 'Nothing was done, and nothing was paid.';
const CORRECT = 'Correct it, and try again.';

/** The limit of listing fees, which the seller cannot correct. */
const OF_FEE_LIMIT: ReadonlySet<IssueCode> = new Set(['activations_limit', 'activations_off']);

/** An operation's refusal in a seller's words: its problems, a line each, and the fix. */
export function describeRefusal({ code, message, hint, issues = [] }: Refused): Told {
  if (issues.length === 0) {
    return WHOLE[code] ?? { lines: toSellerWords(message).split('\n'), hint: chooseHint(code, hint) };
  }
  const lines = [...new Set(issues.map((issue) => writeText(renderForSeller(issue))))];
  const isOfLimit = issues.every((issue) => OF_FEE_LIMIT.has(issue.code));
  return { lines, hint: isOfLimit ? NOTHING_DONE : chooseHint(code, hint) };
}

function chooseHint(code: ErrorCode, hint: string): string {
  const is_general = hint === ERRORS[code].hint;
  if (code === 'VALIDATION_FAILED' && is_general) return CORRECT;
  return is_general || OPERATION.test(hint) ? (HINTS[code] ?? toSellerWords(hint)) : hint;
}
