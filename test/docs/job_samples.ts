import type { Again, CallFailure, FailureParams } from '../../schemas/issues/failures.js';
import type { PublishWarningParams } from '../../schemas/issues/publish_warnings.js';
import type { RequestWarningParams } from '../../schemas/issues/request_warnings.js';
import type { NestedParams, Path } from '../../schemas/issue.js';

/* Params of the codes of jobs: failures and warnings. */

export type Samples<Params> = { [Code in keyof Params]: readonly [at: Path, params: Params[Code]] };

const AGAIN: Again = { operation: 'listing_publish' };
const REFUSED: CallFailure = { failure: 'refused', status: 400, words: 'Invalid tags.', is_ours: false };
const SILENT: CallFailure = { failure: 'unanswered', status: null, words: 'fetch failed', is_ours: true };

export const FAILURE_SAMPLES: Samples<FailureParams & NestedParams> = {
  call_failed: ['', { work: 'create', why: SILENT, again: AGAIN }],
  photo_not_sent: ['images[0]', { index: 0, why: REFUSED, again: AGAIN }],
  file_not_sent: ['', { filename: 'pattern.pdf', why: REFUSED, again: AGAIN }],
  media_not_kept: ['', { kind: 'photo', index: 1 }],
  last_file_stays: ['', { filename: 'pattern.pdf' }],
  photo_gone: ['images[0]', { index: 0 }],
  video_gone: ['videos[0]', {}],
  files_gone: ['', { filenames: ['pattern.pdf'] }],
  create_unknown: ['', {}],
  listings_alike: ['', { listing_ids: [1_234_567_890, 1_234_567_891] }],
  last_piece_sold: ['', {}],
  live_before: ['', { state: 'sold_out' }],
  activation_unanswered: ['', { state: 'draft', again: AGAIN }],
  not_on_sale_but: ['', { was: 'inactive', is: 'expired' }],
  fee_not_agreed: ['', { state: 'expired', again: AGAIN }],
  off_sale_again: ['', { state: 'sold_out', is_before_stock: true, again: AGAIN }],
  stored_file_gone: ['', { filename: 'mug.jpg' }],
  not_imported: ['', { problems: [{ code: 'import_without_category', at: '', params: {} }] }],
  work_canceled: ['', { before: 'start', again: AGAIN }],
  job_canceled: ['', {}],
  service_failed: ['', { fault: 'disk_full', again: AGAIN }],
};

export const PUBLISH_WARNING_SAMPLES: Samples<PublishWarningParams> = {
  photo_undecided: ['images[1]', { index: 1, listing_image_id: 5_012_345_678 }],
  photos_unmatched: ['variations.variation_images.mapping.S', {}],
  variation_photos_differ: ['variations.variation_images.mapping.S', {}],
  not_set_afterwards: ['listing.tags', { because: 'refused', why: REFUSED }],
  shown_differently: ['listing.title', { fields: ['title', 'processing_min'] }],
  media_surplus: ['images', { kind: 'images', shown: 4, known: 3, ids: [5_012_345_678] }],
  photos_in_other_order: ['images', {}],
  inventory_differs: ['variations', { missing: 0, fields: ['price', 'sku'] }],
  found_again: ['', { listing_id: 1_234_567_890, state: 'active' }],
  drafts_match: ['', { listing_ids: [1_234_567_891] }],
  left_since_live: ['listing.tags', { state: 'sold_out' }],
  off_sale_since: ['state', { state: 'sold_out' }],
  live_already: ['state', { is_lost: false }],
};

const PROFILE = { id: 1_386_200_000_101, name: '1 - 2 days' };

export const REQUEST_WARNING_SAMPLES: Samples<RequestWarningParams> = {
  replayed: ['', { is_creation: true }],
  confirmed_before: ['confirm', {}],
  other_job_running: ['state', { running: 'publish', asked: 'active' }],
  sale_unneeded: ['state', { shop_name: 'ClayAndOak', state: 'sold_out' }],
  off_sale_in_shop: ['shops', { shop_id: 48213377, shop_name: 'ClayAndOak', state: 'expired' }],
  profile_mismatch: [
    'shops[0].processing_profile_id',
    { profile: PROFILE, least: 5, most: 7, is_named: false, shop_name: 'ClayAndOak', choices: [PROFILE] },
  ],
  profile_defaulted: ['shops[0].processing_profile_id', { profile: PROFILE }],
  making_defaulted: ['listing.who_made', { when_made: 'made_to_order' }],
  entity_shown: ['listing.title', { entity: '&amp;' }],
  entity_sent: ['listing.description', { entity: '&amp;' }],
  html_removed: ['listing.description', { tags: ['<b>', '<p>'], is_text_removed: false }],
  word_repeated: ['listing.tags[1]', { first: 'listing.tags[0]' }],
  sku_unused: ['listing.sku', {}],
  combinations_completed: ['variations.offerings', { count: 2 }],
  personalization_off: ['personalization.instructions', {}],
  sku_cut: ['variations.offerings[0].sku', { sent: 'MUG-BLUE', most: 32, more: 2 }],
  category_not_checked: ['category_attributes', { category_id: 1062 }],
  files_not_checked: ['images[0].url', {}],
  price_of_several_currencies: ['listing.price', { currencies: ['USD', 'JPY'], has_offerings: false }],
  not_of_category: [
    'category_attributes.357',
    {
      problem: {
        code: 'attribute_unknown',
        at: 'category_attributes.357',
        params: { category_id: 1062, choices: [{ id: 200, name: 'Primary color' }] },
      },
    },
  ],
  marketplace_limit: [
    'personalization.instructions',
    {
      problem: {
        code: 'instructions_too_long',
        at: 'personalization.instructions',
        params: { chars: 125, most: 120 },
      },
    },
  ],
  price_override_unused: ['shops[0].price', {}],
  needless_for_digital: ['shops[0].return_policy_id', {}],
  photo_changed: [
    'images[0]',
    {
      format: 'HEIC',
      from: { width: 4032, height: 3024 },
      to: { width: 3000, height: 2250 },
      is_flattened: false,
      has_lost_frames: false,
    },
  ],
  key_ignored: [
    'listing.colour',
    { key: 'colour', meaning: { is: 'unknown' }, count: 1, known: ['title', 'price'] },
  ],
  keys_ignored: ['', { left_out: 300 }],
  only_in_shop: ['listing', { gap: { code: 'translated', params: { languages: ['de', 'fr'] } } }],
  not_copied: ['videos', { gap: { code: 'videos_over', params: { count: 2, taken: 1 } } }],
  attribute_not_copied: ['category_attributes.357', {}],
  media_not_kept_here: ['images[0].url', { problems: [{ code: 'file_truncated', params: {} }] }],
  photos_over: ['images', { count: 12, taken: 10 }],
  videos_over: ['videos', { count: 1, taken: 0 }],
  files_unreadable: ['digital_files', { filenames: ['pattern.pdf'] }],
  physical_and_digital: ['listing.listing_type', {}],
  options_over: ['variations', { options: ['Size', 'Color', 'Finish'] }],
  option_name_needed: ['variations', { option: 'Price' }],
  option_names_alike: ['variations', {}],
  options_incomplete: ['variations', {}],
  variation_photos_over: ['variations.variation_images', { count: 3, taken: 2 }],
  questions_over: ['personalization', { questions: ['Which font?'] }],
  question_titled: ['personalization', { question: 'Your text' }],
  question_priced: ['personalization', { question: 'Your text', price: 5 }],
  translated: ['listing', { languages: ['de', 'fr'] }],
  making_unsaved: ['listing.who_made', { values: ['someone_else', '2020_2026', 'false'] }],
  products_unreadable: ['listing.quantity', {}],
};
