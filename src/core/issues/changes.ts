import type { ChangeParams } from '../../../schemas/issues/changes.js';
import { quoteForeign, quoteName } from '../errors.js';
import { formatChoices, formatNames, formatValues } from '../text/choices.js';
import { toFieldNoun, toFieldWords } from './field_words.js';
import { formatSellerChoices } from './listing.js';
import { capitalize, sayOf, type Words } from './words.js';

export const CHANGE_WORDS: Words<ChangeParams> = {
  nothing_to_change: {
    program: ({ unknown }) =>
      `${unknown.length === 0 ? 'names nothing to change' : `has only ${unknown.map((key) => quoteName(key)).join(', ')}, which no listing has`}; give the fields of listing_create that are to change, or offerings`,
    seller: () => 'There is nothing to change',
  },
  null_refused: {
    program: ({ of }) => NULL_REFUSED[of],
    seller: ({ of }, at) =>
      of === 'photos'
        ? 'A listing on the marketplace needs at least one photo'
        : sayOf(at, 'a listing needs this'),
  },
  shop_named_before: {
    program: ({ shop_id }) => `is ${shop_id}, as before; name each shop once`,
    seller: (_, at) => sayOf(at, 'this shop is named twice'),
  },
  shop_of_other_listing: {
    program: ({ shop_id, choices, can_copy }) =>
      `is ${shop_id}, which is not a shop of this listing; it has ${formatChoices(choices)}${can_copy ? '. listing_copy brings it to another shop' : ''}`,
    seller: ({ choices }) => `The listing is not in this shop. Its shops: ${formatSellerChoices(choices)}`,
  },
  shop_not_asked: {
    program: ({ shop_id }) =>
      `is ${shop_id}, which shops leaves out; name it there too, or leave its values out`,
    seller: (_, at) => sayOf(at, 'the change is not for this shop'),
  },
  shops_empty: {
    program: ({ of }) =>
      of === 'copy'
        ? 'is empty; give the shops to copy to'
        : 'is empty; name shops of the listing, or leave it out for all',
    seller: () => 'No shop was chosen',
  },
  shops_not_selectable: {
    program: () =>
      'selects among shops that have the listing, and none has it yet; leave it out, or use changes.shops for the values of single shops',
    seller: () => 'No shop has the listing yet',
  },
  listing_type_fixed: {
    program: ({ asked, is }) =>
      `is ${asked}, but the listing is ${is} on the marketplace: the change would remove its variations, files or shipping. Make a new listing with listing_create`,
    seller: ({ is }) => `The listing is ${is} on the marketplace, which cannot change. Make a new listing`,
  },
  override_price: {
    program: ({ price, at, shop_price }) => `is ${price}, but ${at}.price is ${shop_price}; give one of them`,
    seller: ({ price, shop_price }, at) =>
      sayOf(at, `both ${price} and ${shop_price} are given for this shop`),
  },

  offering_empty: {
    program: () => 'names nothing to change; give price, quantity, enabled or sku_new',
    seller: (_, at) => sayOf(at, 'there is nothing to change'),
  },
  offering_repeated: {
    program: ({ first }) => `is for the same combination as ${first}; give all its values in one entry`,
    seller: ({ first }, at) => sayOf(at, `this is the same as ${toFieldWords(first)}`),
  },
  offering_ambiguous: {
    program: ({ by, sku = '', count, labels }) => {
      const problem =
        by === 'nothing'
          ? `does not say which of ${count} combinations it means`
          : by === 'values'
            ? `fits ${count} combinations, each of which takes an entry of its own`
            : `names SKU ${quoteName(sku)}, which ${count} combinations have`;
      return `${problem}; give the option values of one: ${formatValues(labels)}`;
    },
    seller: ({ count, labels }, at) =>
      sayOf(at, `${count} combinations fit. Choose one: ${formatValues(labels)}`),
  },
  offering_option_unknown: {
    program: ({ keys, options }) =>
      `has ${formatValues(keys)}, which this listing does not vary by; ${options.length === 0 ? 'it has no variations' : `it varies by ${formatValues(options)}`}`,
    seller: ({ keys, options }) =>
      `The listing does not vary by ${formatValues(keys)}. Its options: ${formatValues(options) ?? 'none'}`,
  },
  offering_unknown: {
    program: ({ sku, has_values, known }) => {
      const wanted = [
        ...(sku === undefined ? [] : [`SKU ${quoteName(sku)}`]),
        ...(has_values ? ['these option values'] : []),
      ].join(' and ');
      const choices =
        known.length > 0
          ? `it has ${formatValues(known)}`
          : has_values
            ? 'it has no combinations'
            : 'none of its offerings has a SKU; name the option values';
      return `no offering of this listing has ${wanted}; ${choices}`;
    },
    seller: ({ known }) =>
      `The listing does not have this combination.${known.length > 0 ? ` It has ${formatValues(known)}` : ''}`,
  },
  option_name_taken: {
    program: ({ option }) =>
      `names no combination: the listing varies by ${quoteForeign(option)}, a name that offerings use for something else; rename that variation on the marketplace, then import the listing again`,
    seller: ({ option }) =>
      `The variation ${quoteForeign(option)} cannot be changed here because of its name. Rename it in Shop Manager, then import the listing again`,
  },
  saved_quantity_zero: {
    program: () => 'is 0; a listing that is saved here has at least 1',
    seller: (_, at) => sayOf(at, 'a saved listing needs at least 1'),
  },
  enabled_without_variations: {
    program: () => 'is for variations; this listing has none',
    seller: () => 'Only combinations can be hidden, and this listing has no variations',
  },

  nothing_on_marketplace: {
    program: () => 'this listing is not on the marketplace, so there is nothing to deactivate',
    seller: () => 'The listing is not on the marketplace, so there is nothing to deactivate',
  },
  stock_not_for_inactive: {
    program: () => 'is for state active; leave it out',
    seller: () => 'The stock can be set only when the listing is activated',
  },
  stock_without_shops: {
    program: () => 'is for shops, named in shops, where it is sold out',
    seller: () => 'The stock can be set only for shops where the listing is sold out',
  },
  stock_required: {
    program: ({ shops }) =>
      `is required: the listing is sold out in ${shops.map((name) => quoteForeign(name)).join(', ')}. How many of each are there?`,
    seller: ({ shops }) =>
      `The listing is sold out in ${shops.map((name) => quoteForeign(name)).join(', ')}. How many of each are there?`,
  },
  stock_needless: {
    program: () =>
      'is for sold-out listings, and the listing is not sold out in any of these shops; leave it out',
    seller: () => 'The listing is not sold out in any of these shops, so its stock stays',
  },
  sale_mixed: {
    program: ({ shop_ids }) =>
      `${shop_ids.join(', ')} had this listing on sale before, the others never did: call once for these and once for the others`,
    seller: () =>
      'Some of these shops had the listing on sale before, others never did. Publish them separately',
  },
  sale_over: {
    program: ({ state }) =>
      `the listing is ${state} there and cannot be activated again; listing_create makes a new one there`,
    seller: ({ state }) => `The listing is ${state} there and cannot be activated again. Make a new one`,
  },
  activations_off: {
    program: () =>
      'activations are switched off here: MAX_ACTIVATIONS_PER_DAY is 0. The operator of the service can raise it',
    seller: () => 'Publishing as active is switched off here. You can save it as a draft on Etsy',
  },
  activations_limit: {
    program: ({ most, wanted }) =>
      `active would be more than ${most} activations in 24 hours (${wanted} more are asked for); use publish, wait, or raise MAX_ACTIVATIONS_PER_DAY`,
    seller: ({ most }) =>
      `Your limit of ${most} listing fees in 24 hours is reached. Try again later, or save it as a draft on Etsy`,
  },
  confirm_expired: {
    program: () => 'has expired; leave it out to get a new confirm_token',
    seller: () => 'The confirmation has expired',
  },
  confirm_foreign: {
    program: () =>
      'was not issued to this account for this exact call, or was changed; repeat the call it was issued for; leave it out to get a new confirm_token',
    seller: () => 'The confirmation is not for this',
  },

  copy_changes_shops: {
    program: () => 'is not accepted here; give the own values of a shop in shops',
    seller: () => 'The values of a shop belong to the shop',
  },
  copy_too_many_shops: {
    program: ({ count, most }) => `makes ${count} shops of the listing; at most ${most}`,
    seller: ({ count, most }) => `The listing would be in ${count} shops. At most ${most} are allowed`,
  },
  copy_reference_unmatched: {
    program: ({ field, reference, shop_name, choices }) =>
      `cannot be matched with certainty to the ${toFieldNoun(field)} ${formatReference(reference)}; choose one: ${quoteForeign(shop_name)} has ${formatChoices(choices)}${NONE[field] ?? ''}`,
    seller: ({ field, reference, shop_name, choices }) =>
      `${capitalize(toFieldNoun(field))} ${formatReference(reference)} has no certain match in ${quoteForeign(shop_name)}. Choose one: ${formatSellerChoices(choices)}`,
  },
  copy_profiles_unmatched: {
    program: ({ shop_name }) =>
      `is required: processing profiles of single combinations have no match in ${quoteForeign(shop_name)}; name one for all of them`,
    seller: ({ shop_name }) =>
      `Processing profiles of single combinations have no match in ${quoteForeign(shop_name)}. Choose one for all of them`,
  },
  copy_variations_unsayable: {
    program: ({ reason }) => `has more than can be copied. ${reason} Give the variations of the copy`,
    seller: ({ reason }) => `Its variations have more than can be copied. ${reason}`,
  },
  copy_files_replaced: {
    program: ({ filenames }) =>
      `is required: the first shop has another file than the saved listing (${filenames.map((name) => quoteForeign(name)).join(', ')}), and the marketplace does not return its content. Upload the file that the copy is to have, and name it here`,
    seller: ({ filenames }) =>
      `The first shop has another file (${formatNames(filenames)}), and the marketplace does not return its content. Upload the file for the copy`,
  },
  copy_price_unknown: {
    program: ({ shop_name, currency_code, of, has_several_currencies }) => {
      const is = `is required: ${quoteForeign(shop_name)} sells in ${currency_code}, and`;
      if (of === 'listing') return `${is} the listing's price in ${currency_code} is not known; give one`;
      const several = has_several_currencies
        ? '; if shops have several currencies and combinations have prices, copy to each currency in a call of its own'
        : '';
      return `${is} the listing's prices in ${currency_code} are not known; give the price of each combination in changes.offerings or changes.variations.offerings${several}`;
    },
    seller: ({ shop_name, currency_code }) =>
      `${quoteForeign(shop_name)} sells in ${currency_code}, and the listing has no price in ${currency_code}. Give one`,
  },

  join_of_several: {
    program: ({ count }) => `has ${count} ids; with join exactly one`,
    seller: () => 'Only one listing at a time can be joined',
  },
  join_unknown: {
    program: ({ listing_pk, newest, total }) =>
      `there is no listing ${listing_pk}; newest first: ${formatChoices(newest, total)}`,
    seller: () => 'There is no such listing',
  },
};

const NULL_REFUSED: Record<ChangeParams['null_refused']['of'], string> = {
  listing: 'is null, which removes it, but a listing needs it; give a value, or leave it out to keep it',
  published:
    'is null, but a listing on the marketplace always has it; give a value, or leave it out to keep it',
  photos:
    'is null, which removes all photos, but a listing on the marketplace needs one; give photos, or leave it out to keep them',
};

/** How a field is left without a match. */
const NONE: Partial<Record<ChangeParams['copy_reference_unmatched']['field'], string>> = {
  shop_section_id: ', or null for none',
  production_partner_ids: ', or [] for none',
};

function formatReference({ id, name }: ChangeParams['copy_reference_unmatched']['reference']): string {
  return name === undefined ? `${id}` : quoteName(name);
}
