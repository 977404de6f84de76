/** What an account has here that others have to share the disk with; the limits of it are its quotas. */
export type AccountUsage = {
  drafts: number;
  /** Of all that was sent for the drafts. */
  draft_bytes: number;
  /** Of each upload, also where another has the same bytes. */
  upload_bytes: number;
};

/** Something would be more than an account may have. It was not saved. */
export class QuotaError extends Error {
  override readonly name = 'QuotaError';
  readonly quota: keyof AccountUsage;

  constructor(quota: keyof AccountUsage) {
    super(`the quota of ${quota} is used up`);
    this.quota = quota;
  }
}

export type UsageStore = { getUsage(account_id: string): Promise<AccountUsage> };
