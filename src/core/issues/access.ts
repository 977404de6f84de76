import type { AccessParams, AttemptKind, Restriction } from '../../../schemas/issues/access.js';
import { formatCount, formatNumber } from '../text/format_count.js';
import { quoteForeign } from '../text/foreign.js';
import type { Words } from './words.js';

export const ACCESS_WORDS: Words<AccessParams> = {
  credentials_missing: {
    program: () => 'The request has no credentials.',
    seller: () => 'You are not signed in',
  },
  api_key_invalid: {
    program: () => 'The API key is unknown, mistyped, or revoked.',
    seller: () => 'The API key is unknown, mistyped, or revoked',
  },
  api_key_expired: {
    program: ({ expired_at }) => `This API key expired at ${expired_at}.`,
    seller: () => 'This API key has expired',
  },
  access_token_invalid: {
    program: () => 'The access token is unknown, expired, or revoked.',
    seller: () => 'This assistant no longer has access. Connect it again',
  },
  api_key_required: {
    program: ({ operation_id = 'This address' }) =>
      `${operation_id} requires an API key, not a bearer token.`,
    seller: () => 'This requires an API key',
  },
  sign_in_key_revoked: {
    program: () => 'The API key that you signed in with no longer works.',
    seller: () => 'The API key that you signed in with no longer works',
  },
  session_differs: {
    program: () => 'This form does not belong to your session.',
    seller: () => 'This form does not belong to your session',
  },
  read_only: {
    program: ({ operation_id, by }) =>
      `${operation_id === undefined ? 'This form' : operation_id} makes changes, and ${describeReader(by)} is read-only.`,
    seller: ({ by }) =>
      by.of === 'server'
        ? 'This service is read-only, so nothing was changed'
        : 'The key that you signed in with is read-only, so nothing was changed',
  },

  calls_too_many: {
    program: ({ most, window }) =>
      `The limit of ${formatNumber(most)} requests in ${window === 'second' ? 'one second' : '24 hours'} was exceeded.`,
    seller: ({ window }) =>
      window === 'second'
        ? 'There were too many requests at once'
        : 'You have reached your 24-hour limit on requests',
  },
  attempts_too_many: {
    program: ({ of, is_at_once }) =>
      `Too many ${ATTEMPTS[of]} came from this address${is_at_once ? ' at the same time' : ''}.`,
    seller: ({ of }) => `Too many ${ATTEMPTS[of]} came from your network`,
  },
  lookups_too_many: {
    program: () => 'Too many client metadata documents are being fetched.',
    seller: () => 'Too many assistants are connecting at the same time',
  },
  messages_too_many: {
    program: ({ most, seconds }) =>
      `The limit of ${formatNumber(most)} messages in ${seconds} seconds was exceeded.`,
    seller: () => 'There were too many requests at once',
  },
  messages_too_large: {
    program: ({ most_bytes }) =>
      `Messages with a total of more than ${formatNumber(most_bytes)} bytes are still being processed.`,
    seller: () => 'There were too many requests at once',
  },
  bodies_too_many: {
    program: () => 'The service is already reading as many request bodies as it can hold.',
    seller: () => 'There were too many uploads at once',
  },
  forms_too_many: {
    program: () => 'Too many forms were sent within a minute.',
    seller: () => 'You sent too many forms within a minute',
  },
  outward_too_many: {
    program: () => 'Too many requests to the marketplace or to a webhook were made within a minute.',
    seller: () => 'You did this, or something similar, too many times within a minute',
  },

  quota_drafts: {
    program: ({ most }) => `The account has ${formatNumber(most)} saved drafts, which is the maximum.`,
    seller: ({ most }) => `You have ${formatNumber(most)} saved drafts, which is the maximum`,
  },
  quota_draft_bytes: {
    program: ({ most }) => `With this draft, the account's saved drafts would exceed ${toMegabytes(most)}.`,
    seller: ({ most }) => `With this draft, your saved drafts would exceed ${toMegabytes(most)}`,
  },
  quota_upload_bytes: {
    program: ({ most }) => `would bring the account's uploads over ${toMegabytes(most)}`,
    seller: ({ most }) => `With this file, your uploads would exceed ${toMegabytes(most)}`,
  },
  quota_open_plans: {
    program: ({ most }) =>
      `The account has ${formatCount(most, 'plan')} waiting to be started, which is the maximum.`,
    seller: ({ most }) =>
      `You have ${formatCount(most, 'planned bulk change')} waiting to be started, which is the maximum`,
  },
  quota_sheets: {
    program: ({ most }) =>
      `The account has ${formatCount(most, 'export')} from the last 30 days, which is the maximum.`,
    seller: ({ most }) => `You made ${formatCount(most, 'export')} in the last 30 days, which is the maximum`,
  },
  quota_saved_filters: {
    program: ({ most }) => `The account has ${formatCount(most, 'saved filter')}, which is the maximum.`,
    seller: ({ most }) => `You have ${formatCount(most, 'saved filter')}, which is the maximum`,
  },
};

const ATTEMPTS: Record<AttemptKind, string> = {
  registrations: 'registrations',
  logins: 'login attempts',
  wrong_credentials: 'requests with wrong credentials',
};

function describeReader(by: Restriction | { of: 'server' }): string {
  switch (by.of) {
    case 'server':
      return 'this server';
    case 'key':
      return `the API key ${quoteForeign(by.name)} (${by.key_id})`;
    case 'token':
      return 'this access token';
    case 'signed_in_key':
      return 'the API key that you signed in with';
  }
}

function toMegabytes(bytes: number): string {
  return `${formatNumber(bytes / 1_000_000)} MB`;
}
