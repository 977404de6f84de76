import type { ImportResult } from '../../../../schemas/import.js';

/** The listings that an import takes over from one shop. */
export type ImportPlan = {
  shop_id: number;
  shop_name: string;
  listing_ids: number[];
  /** The listing of ours that this shop's one joins; null where each becomes one of its own. */
  join: number | null;
};

/** The outcome of one listing of an import; saved in one transaction with the listing. */
export type ImportProgress = { result: ImportResult };
