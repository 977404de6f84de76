import type { Lasting } from './lasting.js';
import type { AccountQuotas } from './usage_store.js';

/** An export of listings, which an uploaded sheet is compared with. The store does not read `content`. */
export type Sheet = {
  account_id: string;
  version: string;
  content: string;
  created_at: string;
  expires_at: string;
};

export type SheetStore = {
  /** Throws QuotaError if the account already has that many that have not expired. */
  createSheet(sheet: Lasting<Sheet>, most: Pick<AccountQuotas, 'sheets'>): Promise<Sheet>;
  /** Undefined if the account has none with this version, or it has expired. */
  findSheet(account_id: string, version: string): Promise<Sheet | undefined>;
};
