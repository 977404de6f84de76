import type { StateParams } from '../../../schemas/issues/states.js';
import { formatChoices } from '../text/choices.js';
import { quoteForeign } from '../text/foreign.js';
import { capitalize, sayOf, type Words } from './words.js';

export const STATE_WORDS: Words<StateParams> = {
  shop_not_found: {
    program: ({ shop_id, connected }) =>
      shop_id === undefined
        ? 'There is no such shop.'
        : `Shop ${shop_id} is not connected to this account; connected: ${formatChoices(connected)}.`,
    seller: () => 'This shop is not connected',
  },
  listing_not_found: {
    program: ({ listing_pk, newest, total }) =>
      listing_pk === undefined
        ? 'There is no such listing.'
        : `There is no listing ${listing_pk}; newest listings: ${formatChoices(newest, total)}.`,
    seller: () => 'This listing does not exist here',
  },
  listing_id_given: {
    program: ({ listing_id, listing_pk }) =>
      listing_pk === undefined
        ? `There is no listing ${listing_id}. It looks like a listing_id of the marketplace, which is not managed here yet: listing_import imports it and returns its listing_pk.`
        : `${listing_id} is a listing_id of the marketplace; its listing_pk here is ${listing_pk}.`,
    seller: () => 'This listing does not exist here',
  },
  job_not_found: {
    program: ({ latest }) =>
      `There is no job with this id; the latest job of each listing: ${formatChoices(latest)}.`,
    seller: () => 'This change does not exist',
  },
  job_of_other_listing: {
    program: ({ job_id, listing_pk }) => `Job ${job_id} does not belong to listing ${listing_pk}.`,
    seller: () => 'This change does not belong to this listing',
  },
  category_not_found: {
    program: ({ category_id }) => `The marketplace has no category ${category_id}.`,
    seller: () => 'Etsy does not have this category',
  },
  delivery_not_found: {
    program: ({ delivery_id, newest, total }) =>
      delivery_id === undefined
        ? 'There is no such delivery.'
        : `There is no delivery ${delivery_id}; newest deliveries: ${formatChoices(newest, total)}.`,
    seller: () => 'This delivery does not exist',
  },
  upload_not_found: {
    program: () => 'There is no such upload.',
    seller: () => 'This upload does not exist',
  },
  upload_link_spent: {
    program: () => 'This upload link was already used, has expired, or never existed.',
    seller: () => 'This upload link was already used, has expired, or never existed',
  },
  api_key_not_found: { program: () => 'There is no such API key.', seller: () => 'This key does not exist' },
  assistant_not_found: {
    program: () => 'There is no such grant.',
    seller: () => 'This assistant does not exist',
  },

  listing_busy: {
    program: ({ job_id, batch_id }) =>
      `Job ${job_id}${batch_id === undefined ? '' : ` of batch ${batch_id}`} is still working on this listing; poll listing_create_status until it finishes, then call again.`,
    seller: ({ batch_id }) =>
      batch_id === undefined
        ? 'Another change to this listing is still running. Wait until it finishes, then try again'
        : 'A bulk change is working on this listing. Wait a moment, then try again',
  },
  listing_changed: {
    program: () => 'The listing was changed while this call ran.',
    seller: () => 'The listing was changed in the meantime',
  },
  listing_contended: {
    program: () => 'Other calls keep changing this listing.',
    seller: () => 'Other changes are being made to this listing',
  },
  photo_waited_too_long: {
    program: () => 'The photo was not added, because another change is taking too long.',
    seller: () => 'The photo was not added, because another change is taking too long',
  },
  creation_unknown: {
    program: ({ shop_id, job_id }) =>
      `${byJob(job_id)} tried to create the listing in shop ${shop_id}, but the response was lost; call listing_publish, which checks whether the shop has it.`,
    seller: () =>
      'It is not known yet whether the shop has the listing, because Etsy’s response was lost. Publish it again to find out, then make your change',
  },
  outcome_unknown: {
    program: ({ listing_pk, job_id }) =>
      `It is not known yet whether ${byJob(job_id, false)} created listing ${listing_pk} in each of its shops; call listing_publish first to find out.`,
    seller: () =>
      'It is not known yet whether the listing was created in each of its shops. Publish it again first to find out',
  },
  already_in_shop: {
    program: ({ shop_id, shop_name, listing_pk }) =>
      `${quoteForeign(shop_name)} (${shop_id}) already has listing ${listing_pk}`,
    seller: ({ shop_name }) => `${quoteForeign(shop_name)} already has this listing`,
  },
  idempotency_key_reused: {
    program: () => 'was already used with a different body',
    seller: () => 'This was already sent with different values',
  },
  fee_declined: {
    program: ({ because }) => `${DECLINED[because]} Nothing was created.`,
    seller: ({ because }) => `${DECLINED[because]} Nothing was created`,
  },
  listing_not_deletable: {
    program: ({ listing_pk }) => `Listing ${listing_pk} is on the marketplace, or is being created there.`,
    seller: () => 'This listing is on Etsy, or is being created there',
  },
  listing_not_given_up: {
    program: ({ title }) => describeNotGivenUp(title, 'given up', 'job'),
    seller: ({ title }) => describeNotGivenUp(title, 'abandoned', 'change'),
  },
  undo_only_saved: {
    program: ({ listing_pk }) =>
      `Listing ${listing_pk} is saved only here (it is not on the marketplace), and its earlier versions are not kept; set the earlier values with listing_update.`,
    seller: () =>
      'This listing is saved only here, and its earlier versions are not kept. Enter the earlier values again',
  },
  undo_nothing: {
    program: ({ listing_pk, in_shops }) =>
      `Listing ${listing_pk} has no update in the last 90 days that changed anything${in_shops ? ' in these shops' : ''}.`,
    seller: () => 'There is no change in the last 90 days that can be undone',
  },
  undo_job_empty: {
    program: ({ job_id, in_shops }) =>
      `Job ${job_id} changed nothing${in_shops ? ' in these shops' : ''} that can be undone, or is older than 90 days.`,
    seller: () => 'Nothing in this change can be undone, or it is older than 90 days',
  },
  upload_in_use: {
    program: () =>
      'The upload cannot be deleted: a saved listing uses it, or undoing a recent change would need it.',
    seller: () =>
      'This upload cannot be deleted: a saved listing uses it, or undoing a recent change would need it',
  },
  file_too_large: {
    program: ({ megabytes }) => `is larger than ${megabytes} MB`,
    seller: ({ megabytes }, at) =>
      at === 'file'
        ? `This file is larger than ${megabytes} MB`
        : sayOf(at, `this is larger than ${megabytes} MB`),
  },
  destination_missing: {
    program: () => 'No webhook destination is set.',
    seller: () => 'No webhook destination is set',
  },
  destination_off: {
    program: () => 'The webhook destination is switched off.',
    seller: () => 'The webhook destination is switched off',
  },
  payload_expired: {
    program: ({ delivery_id }) => `The payload of delivery ${delivery_id} is no longer kept.`,
    seller: () => 'The content of this delivery is no longer available',
  },
};

const DECLINED: Record<StateParams['fee_declined']['because'], string> = {
  declined: 'The fee was declined.',
  unanswered: 'The fee was not confirmed in time.',
  changed: 'The fees have changed since they were shown.',
};

function byJob(job_id: string | null, isFirst = true): string {
  const job = job_id === null ? 'an earlier job' : `job ${job_id}`;
  return isFirst ? capitalize(job) : job;
}

function describeNotGivenUp(title: string, done: string, work: string): string {
  return `${quoteForeign(title)} cannot be ${done}: it is active, its last ${work} did not fail, or it is not known yet whether a shop has it.`;
}
