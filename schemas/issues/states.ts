import type { Choice, Nothing } from './facts.js';

/** Requests that do not fit the current state: the things they name do not exist, or are busy, used or finished. */
export type StateParams = {
  shop_not_found: { shop_id?: number; connected: readonly Choice[] };
  /** `newest`: the newest of all `total`. */
  listing_not_found: { listing_pk?: number; newest: readonly Choice[]; total: number };
  /** A marketplace id where a listing_pk belongs; `listing_pk`: that of the listing, if it is managed here. */
  listing_id_given: { listing_id: number; listing_pk?: number };
  job_not_found: { latest: readonly Choice[] };
  job_of_other_listing: { job_id: string; listing_pk: number };
  category_not_found: { category_id: number };
  delivery_not_found: { delivery_id?: number; newest: readonly Choice[]; total: number };
  upload_not_found: Nothing;
  upload_link_spent: Nothing;
  api_key_not_found: Nothing;
  assistant_not_found: Nothing;

  listing_busy: { job_id: string; batch_id?: string | undefined };
  listing_changed: Nothing;
  listing_contended: Nothing;
  photo_waited_too_long: Nothing;
  /** The answer to a creation was lost. */
  creation_unknown: { shop_id: number; job_id: string | null };
  outcome_unknown: { listing_pk: number; job_id: string | null };
  already_in_shop: { shop_id: number; shop_name: string; listing_pk: number };
  idempotency_key_reused: Nothing;
  fee_declined: { because: 'declined' | 'unanswered' | 'changed' };
  listing_not_deletable: { listing_pk: number };
  listing_not_given_up: { title: string };
  undo_only_saved: { listing_pk: number };
  undo_nothing: { listing_pk: number; in_shops: boolean };
  undo_job_empty: { job_id: string; in_shops: boolean };
  upload_in_use: Nothing;
  file_too_large: { megabytes: number };
  destination_missing: Nothing;
  destination_off: Nothing;
  payload_expired: { delivery_id: number };
};
