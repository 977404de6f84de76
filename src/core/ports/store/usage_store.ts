/** The disk space an account takes; its limits are the account's quotas. */
export type AccountUsage = {
  drafts: number;
  /** Sum of the drafts' request bodies. */
  draft_bytes: number;
  /** Sum of all uploads; equal files each count. */
  upload_bytes: number;
};

/** The most that an account may have. */
export type AccountQuotas = AccountUsage & {
  /** Plans of batches that can still be started. */
  open_plans: number;
  /** Exports that can still be uploaded. */
  sheets: number;
  /** Filters of the list of listings. */
  saved_filters: number;
};

/** A write would exceed a quota of the account. Nothing was saved. */
export class QuotaError extends Error {
  override readonly name = 'QuotaError';
  readonly quota: keyof AccountQuotas;

  constructor(quota: keyof AccountQuotas) {
    super(`the quota of ${quota} is used up`);
    this.quota = quota;
  }
}

export type UsageStore = { getUsage(account_id: string): Promise<AccountUsage> };
