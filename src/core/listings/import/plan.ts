import type { ImportResult } from '../../../../schemas/import.js';

/** The listings that an import takes over from one shop. */
export type ImportPlan = {
  shop_id: number;
  shop_name: string;
  listing_ids: number[];
  /** The saved listing that the shop's listing is added to; null when each of the shop's listings becomes a new one. */
  join: number | null;
};

/** The outcome of one listing of an import; saved in one transaction with the listing. */
export type ImportProgress = { result: ImportResult };
