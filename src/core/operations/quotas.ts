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

/** QUOTA_EXCEEDED for a QuotaError; returns other errors unchanged. */
export function toQuotaError(cause: unknown, { quotas }: Pick<Settings, 'quotas'>): unknown {
  if (!(cause instanceof QuotaError)) return cause;
  const { code, hint } = REFUSALS[cause.quota];
  const at = FIELDS[cause.quota] ?? '';
  return new ServiceError('QUOTA_EXCEEDED', [{ code, at, params: { most: quotas[cause.quota] } }], {
    hint,
    cause,
  });
}

const MAKE_ROOM = 'Delete drafts that nobody needs (listing_delete) or publish them';

const REFUSALS = {
  drafts: {
    code: 'quota_drafts',
    hint: `${MAKE_ROOM}.`,
  },
  draft_bytes: { code: 'quota_draft_bytes', hint: `${MAKE_ROOM}.` },
  upload_bytes: {
    code: 'quota_upload_bytes',
    hint: 'Uploads are deleted 30 days after they were made, unless a saved listing uses them: delete drafts that nobody needs (listing_delete), or wait.',
  },
  open_plans: {
    code: 'quota_open_plans',
    hint: 'Start or cancel one (batches_list, batch_start, batch_cancel), or wait: a plan expires after 24 hours.',
  },
  sheets: {
    code: 'quota_sheets',
    hint: 'Edit and upload an earlier export, or wait: exports are deleted after 30 days.',
  },
  saved_filters: {
    code: 'quota_saved_filters',
    hint: 'In the dashboard, remove a saved filter that is no longer needed.',
  },
} as const;

const FIELDS: Partial<Record<QuotaError['quota'], string>> = { upload_bytes: 'file', saved_filters: 'name' };
