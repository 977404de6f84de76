import type { BatchParams } from '../../../schemas/issues/batches.js';
import { quoteForeign, quoteName } from '../text/foreign.js';
import { formatChoices, formatNames } from '../text/choices.js';
import { formatCount } from '../text/format_count.js';
import { formatSellerChoices } from './listing.js';
import type { Words } from './words.js';

export const BATCH_WORDS: Words<BatchParams> = {
  batch_source_missing: {
    program: () => 'is required',
    seller: () => 'Choose the listings and what to change',
  },
  select_one_of: {
    program: ({ ways }) => `must have exactly one of ${ways.join(', ')}`,
    seller: () => 'Use only one way to choose the listings',
  },
  select_empty: {
    program: ({ has_others }) =>
      has_others
        ? 'matches no managed listings; call listings_list to see all of them. To include other listings of the shops, import them with listing_import'
        : 'matches no listing that is on the marketplace; listings_list lists the managed listings',
    seller: ({ has_others }) =>
      has_others
        ? 'None of the listings that are managed here match. Import the shop’s other listings first'
        : 'None of the listings on Etsy match',
  },
  select_status_needless: {
    program: () => 'can be used only with batch_id. Remove it, or name a batch',
    seller: () => 'A status can be chosen only for the items of a batch',
  },
  select_value_wrong: {
    program: ({ expected }) => `must be ${expected}`,
    seller: ({ expected }, at) =>
      at.includes('listing_pks') ? 'One of the chosen listings does not exist' : `This must be ${expected}`,
  },
  shop_without_listings: {
    program: ({ shop_id, connected }) =>
      `shop ${shop_id} is not connected; connected: ${formatChoices(connected)}`,
    seller: ({ connected }) =>
      `This shop is not connected. Connected shops: ${formatSellerChoices(connected)}`,
  },

  edit_field_unknown: {
    program: ({ fields }) => `must be one of ${fields.join(', ')}`,
    seller: () => 'This field cannot be changed in bulk',
  },
  edit_op_unknown: {
    program: ({ of, ops }) => `must be one of ${ops.join(', ')} for ${of}`,
    seller: () => 'Choose how to change it',
  },
  edit_member_missing: {
    program: ({ op }) => `is required for ${op}`,
    seller: () => 'A value is missing',
  },
  edit_member_needless: {
    program: ({ members }) =>
      members.length === 0
        ? 'is not used by this op; omit it'
        : `is not used by this op, which takes ${members.join(', ')}`,
    seller: () => 'This value is not used for this kind of change',
  },
  edit_value_wrong: {
    program: ({ expected }) => `must be ${expected}`,
    seller: ({ expected }) => `The value must be ${expected}`,
  },
  edit_currency_required: {
    program: ({ currencies }) =>
      `is required, because the selected shops sell in several currencies: ${currencies.join(', ')}`,
    seller: ({ currencies }) => `Choose a currency: ${currencies.join(', ')}`,
  },
  edit_currency_absent: {
    program: ({ currency, currencies }) =>
      `no selected shop sells in ${quoteName(currency)}; use one of ${currencies.join(', ')}`,
    seller: ({ currency, currencies }) =>
      `No selected shop sells in ${quoteName(currency)}. Choose one of ${currencies.join(', ')}`,
  },
  edit_rounding_unknown: {
    program: ({ choices }) => `must be one of ${choices.join(', ')}`,
    seller: ({ choices }) => `Choose how to round: ${choices.join(', ')}`,
  },
  edit_rounding_of_currency: {
    program: ({ currency, choices }) =>
      `must be one of ${choices.join(', ')} for ${currency}; to edit only prices in another currency, set currency`,
    seller: ({ currency, choices }) => `Choose how to round prices in ${currency}: ${choices.join(', ')}`,
  },
  edit_needs_several: {
    program: () => 'must have at least one edit',
    seller: () => 'Choose what to change',
  },

  item_name_unknown: {
    program: ({ name, shop_name, choices }) =>
      `${quoteForeign(shop_name)} has nothing named ${quoteName(name)} to choose here; use one of ${formatChoices(choices)}`,
    seller: ({ name, shop_name, choices }) =>
      `${quoteForeign(shop_name)} has nothing named ${quoteName(name)} to choose here. Choose one of: ${formatSellerChoices(choices)}`,
  },
  item_name_ambiguous: {
    program: ({ name, shop_name, choices }) =>
      `${quoteForeign(shop_name)} has several choices named ${quoteName(name)}; use the id: ${formatChoices(choices)}`,
    seller: ({ name, shop_name }) =>
      `${quoteForeign(shop_name)} has several choices named ${formatNames([name])}. Rename one of them on Etsy`,
  },
  item_rank_unknown: {
    program: ({ rank, photos }) =>
      `there is no photo ${rank}; the listing has ${formatCount(photos, 'photo')}`,
    seller: ({ rank, photos }) =>
      `There is no photo ${rank}. The listing has ${formatCount(photos, 'photo')}`,
  },
  item_not_there: {
    program: () =>
      'the listing is not on the marketplace in this shop; call listing_publish or listing_copy to create it there',
    seller: () => 'The listing is not in this shop on Etsy yet',
  },
  item_is_draft: {
    program: () => 'the listing is a draft on the marketplace; call listing_publish to activate it',
    seller: () => 'The listing is a draft on Etsy. Publish it first',
  },
  item_canceled_midway: {
    program: ({ job_id }) =>
      `the batch was canceled in the middle of this item; the changes that were made are in job ${job_id}. To undo them, call batch_undo`,
    seller: () =>
      'The bulk change was canceled while it was changing this listing. You can undo the changes that were made',
  },
  batch_activations_limit: {
    program: ({ wanted, left }) =>
      `needs ${wanted} activations, but MAX_ACTIVATIONS_PER_DAY allows only ${left} more now; plan fewer listings, wait up to 24 hours, or raise the limit`,
    seller: ({ wanted, left }) =>
      `This needs ${wanted} listing fees, but your limit for 24 hours allows only ${left} more. Choose fewer listings, or try again later`,
  },
  batch_failed: {
    program: () =>
      'something went wrong inside the service. Completed changes are kept; to undo them, call batch_undo',
    seller: () => 'Something went wrong inside the service. Completed changes are kept. You can undo them',
  },

  batch_not_found: {
    program: ({ batch_id }) => `There is no batch ${batch_id}.`,
    seller: () => 'This bulk change does not exist',
  },
  batch_running: {
    program: ({ batch_id }) => `Batch ${batch_id} has not finished.`,
    seller: () => 'The bulk change has not finished',
  },
  batch_over: {
    program: ({ batch_id, status }) =>
      status === undefined
        ? `The plan of batch ${batch_id} is more than 24 hours old.`
        : `Batch ${batch_id} is ${status} and cannot be started.`,
    seller: ({ status }) =>
      status === undefined
        ? 'The plan for this bulk change is more than 24 hours old'
        : `The bulk change is ${status} and cannot be started`,
  },
  batch_changed_nothing: {
    program: ({ batch_id, is_narrowed }) =>
      is_narrowed
        ? `Batch ${batch_id} changed none of these listings in these shops.`
        : `Batch ${batch_id} changed nothing.`,
    seller: ({ is_narrowed }) =>
      is_narrowed
        ? 'This bulk change did not change these listings'
        : 'This bulk change did not change anything',
  },
  batch_too_large: {
    program: ({ count, most }) =>
      `matches ${count} listings; a batch has at most ${most}. Select fewer listings`,
    seller: ({ count, most }) => `${count} listings match. At most ${most} can be changed at once`,
  },
};
