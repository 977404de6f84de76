import { ServiceError } from '../errors.js';
import { QuotaError, type AccountUsage, type Store } from '../ports/index.js';
import type { Settings } from '../settings.js';

/** An account's usage and its quotas. */
export type Quotas = {
  get(account_id: string): Promise<{ used: AccountUsage; most: AccountUsage }>;
};

export function createQuotas({ store }: { store: Store }, { quotas }: Pick<Settings, 'quotas'>): Quotas {
  return { get: async (account_id) => ({ used: await store.usage.getUsage(account_id), most: quotas }) };
}

/** QUOTA_EXCEEDED for a QuotaError; another error is thrown on as it is. */
export function toQuotaError(cause: unknown, { quotas }: Pick<Settings, 'quotas'>): unknown {
  if (!(cause instanceof QuotaError)) return cause;
  const { message, hint } = WORDS[cause.quota];
  return new ServiceError('QUOTA_EXCEEDED', message(quotas[cause.quota]), { hint, cause });
}

const MAKE_ROOM = 'Delete drafts that nobody needs (listing_delete) or publish them';

const WORDS: Record<keyof AccountUsage, { message: (most: number) => string; hint: string }> = {
  drafts: {
    message: (most) => `The account has ${formatNumber(most)} saved drafts, as many as it may have.`,
    hint: `${MAKE_ROOM}; the operator of the service can raise MAX_DRAFTS.`,
  },
  draft_bytes: {
    message: (most) => `With this one, the account's saved drafts would take more than ${toMegabytes(most)}.`,
    hint: `${MAKE_ROOM}.`,
  },
  upload_bytes: {
    message: (most) => `file: with it, the account's uploads would take more than ${toMegabytes(most)}.`,
    hint: 'Uploads go 30 days after they came, unless a saved listing names them: delete drafts that nobody needs (listing_delete), or wait. The operator of the service can raise MAX_UPLOADS_MB.',
  },
};

function toMegabytes(bytes: number): string {
  return `${formatNumber(bytes / 1_000_000)} MB`;
}

function formatNumber(value: number): string {
  return value.toLocaleString('en');
}
