import type { Nothing } from './facts.js';
import type { FaultParams } from './marketplace.js';

/** The call that finishes the failed work. `job_id`, `shop_id`: for an undo. */
export type Again = {
  operation: 'listing_publish' | 'listing_update' | 'listing_undo' | 'listing_import' | 'batch_create';
  job_id?: string | undefined;
  shop_id?: number | undefined;
};

/** Faults of the computer that the service runs on, or of its storage. */
export type FaultName = Exclude<keyof FaultParams, 'internal'>;

/** Why a marketplace call failed. `words`: the marketplace's, or ours (`is_ours`) if it gave no reason. */
export type CallFailure =
  | {
      failure: 'refused' | 'reconnect' | 'rate_limited' | 'credentials' | 'no_application' | 'unanswered';
      status: number | null;
      words: string;
      is_ours: boolean;
    }
  | { fault: FaultName };

/** Work that can fail; the words are in core/issues/jobs/failures.ts. */
export type Work =
  | 'step'
  | 'create'
  | 'images'
  | 'videos'
  | 'files'
  | 'inventory'
  | 'variation_images'
  | 'attributes'
  | 'attribute'
  | 'personalization'
  | 'recover'
  | 'profile'
  | 'read_back'
  | 'activation'
  | 'read_before_activation'
  | 'read_after_activation'
  | 'read_after_paid_activation'
  | 'change'
  | 'read'
  | 'change_images'
  | 'change_fields'
  | 'change_other_fields'
  | 'change_videos'
  | 'change_files'
  | 'change_inventory'
  | 'off_sale'
  | 'translations'
  | 'read_after_write';

/** Failures of a job, and of its work in a shop. */
export type FailureParams = {
  call_failed: { work: Work; why: CallFailure; again: Again };
  photo_not_sent: { index: number; why: CallFailure; again: Again };
  file_not_sent: { filename: string; why: CallFailure; again: Again };
  /** The bytes are not stored, and the shop no longer has them either. */
  media_not_kept: { kind: 'photo' | 'video' | 'file'; index: number };
  last_file_stays: { filename: string };
  /** The marketplace confirmed it, but no longer shows it. */
  photo_gone: { index: number };
  video_gone: Nothing;
  files_gone: { filenames: readonly string[] };
  create_unknown: Nothing;
  listings_alike: { listing_ids: readonly number[] };
  last_piece_sold: Nothing;
  live_before: { state: string };
  activation_unanswered: { state: string; again: Again };
  not_on_sale_but: { was: string; is: string };
  fee_not_agreed: { state: string; again: Again };
  off_sale_again: { state: string; is_before_stock: boolean; again: Again };
  stored_file_gone: { filename: string };
  /** A person canceled the job. `before`: of the listing in one shop, or of one listing of an import. */
  work_canceled: { before: 'start' | 'activation'; again: Again };
  job_canceled: Nothing;
  service_failed: { fault?: FaultName | undefined; again: Again };
};
