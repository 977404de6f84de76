import type { Nothing } from './facts.js';

/** The marketplace's own message; `is_ours`: ours, if it gave no reason. */
export type Answer = { message: string; is_ours: boolean };

/** Failed calls to the marketplace. */
export type MarketplaceParams = {
  grant_refused: { answer: Answer };
  grant_lost: { shop_id: number; shop_name: string };
  marketplace_rate_limit: { answer: Answer };
  marketplace_unreachable: { answer: Answer };
  marketplace_fault: { status: number; answer: Answer };
  marketplace_refused: { status: number | null; answer: Answer };
  application_key_refused: { answer: Answer };
  application_missing: Nothing;
  tokens_held: Nothing;
};

/** Faults of the computer that the service runs on. */
export type FaultParams = {
  disk_full: Nothing;
  data_forbidden: Nothing;
  database_damaged: Nothing;
  database_locked: Nothing;
  database_silent: Nothing;
  disk_broken: Nothing;
  open_files_too_many: Nothing;
  bucket_refused: Nothing;
  bucket_missing: Nothing;
  bucket_silent: Nothing;
  stored_file_damaged: Nothing;
  internal: Nothing;
};
