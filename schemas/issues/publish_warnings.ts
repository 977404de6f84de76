import type { CallFailure } from './failures.js';
import type { Nothing } from './facts.js';

/** Warnings about the result of publishing in a shop. */
export type PublishWarningParams = {
  photo_undecided: { index: number; listing_image_id: number };
  photos_unmatched: Nothing;
  variation_photos_differ: Nothing;
  /** `because`: why it was left open. `reason`: why it could not be set, in the marketplace's words. */
  not_set_afterwards: {
    because: 'refused' | 'different';
    why: CallFailure | { reason: string } | 'only_at_creation';
  };
  shown_differently: { fields: readonly string[] };
  media_surplus: {
    kind: 'images' | 'videos' | 'files';
    shown: number;
    known: number;
    ids: readonly number[];
  };
  photos_in_other_order: Nothing;
  inventory_differs: { missing: number; fields: readonly string[] };
  found_again: { listing_id: number; state: string };
  drafts_match: { listing_ids: readonly number[] };
  left_since_live: { state: string };
  off_sale_since: { state: string };
  /** `is_lost`: a restored backup may have lost the activation. */
  live_already: { is_lost: boolean };
};
