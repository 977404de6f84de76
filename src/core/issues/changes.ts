import type { ChangeParams } from '../../../schemas/issues/changes.js';
import { quoteForeign, quoteName } from '../text/foreign.js';
import { formatChoices, formatNames, formatValues, joinWords } from '../text/choices.js';
import { toFieldNoun, toFieldWords } from './field_words.js';
import { formatSellerChoices } from './listing.js';
import { capitalize, sayOf, type Words } from './words.js';

export const CHANGE_WORDS: Words<ChangeParams> = {
  nothing_to_change: {
    program: ({ unknown }) =>
      `${unknown.length === 0 ? 'does not change anything' : `has only ${unknown.map((key) => quoteName(key)).join(', ')}, which no listing has`}; send at least one field of listing_create, or offerings`,
    seller: () => 'There is nothing to change',
  },
  null_refused: {
    program: ({ of }) => NULL_REFUSED[of],
    seller: ({ of }, at) =>
      of === 'photos'
        ? 'A listing on Etsy needs at least one photo'
        : sayOf(at, 'this cannot be removed, because a listing requires it'),
  },
  shop_named_before: {
    program: ({ shop_id }) => `repeats shop ${shop_id}; send each shop once`,
    seller: (_, at) => sayOf(at, 'this shop appears twice. Use each shop once'),
  },
  shop_of_other_listing: {
    program: ({ shop_id, choices, can_copy }) =>
      `this listing is not in shop ${shop_id}; it is in ${formatChoices(choices)}${can_copy ? '. To add it to another shop, call listing_copy' : ''}`,
    seller: ({ choices }) => `The listing is not in this shop. It is in: ${formatSellerChoices(choices)}`,
  },
  shop_not_asked: {
    program: ({ shop_id }) => `is ${shop_id}, which is not in shops; add it to shops, or omit its values`,
    seller: (_, at) => sayOf(at, 'this is not one of the shops to change'),
  },
  shops_empty: {
    program: ({ of }) =>
      of === 'copy'
        ? 'is empty; send the shops to copy to'
        : "is empty; send at least one of the listing's shops, or omit it to select all of them",
    seller: () => 'No shop was chosen. Choose at least one',
  },
  shops_not_selectable: {
    program: () =>
      'can select only shops that already have the listing, and none does yet; omit shops, or set the values of individual shops in changes.shops',
    seller: () => 'No shop has the listing yet',
  },
  listing_type_fixed: {
    program: ({ asked, is }) =>
      `is ${asked}, but the listing is ${is} on the marketplace: the change would remove its variations, files, or shipping. Create a new listing with listing_create`,
    seller: ({ is }) => `The listing is ${is} on Etsy, and its type cannot be changed. Create a new listing`,
  },
  override_price: {
    program: ({ price, at, shop_price }) =>
      `is ${price}, but ${at}.price is ${shop_price}; send only one of them`,
    seller: ({ price, shop_price }, at) =>
      sayOf(at, `there are two prices for this shop, ${price} and ${shop_price}. Use only one`),
  },

  offering_empty: {
    program: () => 'does not change anything; send price, quantity, enabled, or sku_new',
    seller: (_, at) => sayOf(at, 'there is nothing to change'),
  },
  offering_repeated: {
    program: ({ first }) => `is for the same combination as ${first}; put all of its values in one entry`,
    seller: ({ first }, at) =>
      sayOf(at, `this is the same as ${toFieldWords(first)}. Use each variation once`),
  },
  offering_ambiguous: {
    program: ({ by, sku = '', count, labels }) => {
      const problem =
        by === 'nothing'
          ? `matches all ${count} combinations`
          : by === 'values'
            ? `matches ${count} combinations, each of which needs its own entry`
            : `has SKU ${quoteName(sku)}, which ${count} combinations share`;
      return `${problem}; send the option values of only one: ${formatValues(labels)}`;
    },
    seller: ({ count, labels }, at) =>
      sayOf(at, `${count} variations match. Choose one: ${formatValues(labels)}`),
  },
  offering_option_unknown: {
    program: ({ keys, options }) =>
      `has ${formatValues(keys)}, which this listing does not vary by; ${options.length === 0 ? 'it has no variations' : `it varies by ${formatValues(options)}`}`,
    seller: ({ keys, options }) =>
      `The listing has no option ${formatValues(keys)}. ${options.length === 0 ? 'It has none' : `Its options: ${formatValues(options)}`}`,
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
            : 'none of its offerings has a SKU; send the option values';
      return `no offering of this listing has ${wanted}; ${choices}`;
    },
    seller: ({ known }) =>
      `The listing does not have this variation.${known.length > 0 ? ` Its variations: ${formatValues(known)}` : ''}`,
  },
  option_name_taken: {
    program: ({ option }) =>
      `cannot select a combination: the listing varies by ${quoteForeign(option)}, which is also a field of offerings; rename that property on the marketplace, then import the listing again`,
    seller: ({ option }) =>
      `The option ${quoteForeign(option)} cannot be changed here because of its name. Rename it in Shop Manager, then import the listing again`,
  },
  saved_quantity_zero: {
    program: () => 'is 0; a saved listing needs at least 1',
    seller: (_, at) => sayOf(at, 'a saved listing needs at least 1'),
  },
  enabled_without_variations: {
    program: () => 'applies only to variations, and this listing has none; omit it',
    seller: () => 'Only variations can be hidden, and this listing has none',
  },

  nothing_on_marketplace: {
    program: () => 'this listing is not on the marketplace, so there is nothing to deactivate',
    seller: () => 'The listing is not on Etsy, so there is nothing to deactivate',
  },
  stock_not_for_inactive: {
    program: () => 'is only for state active; omit it',
    seller: () => 'Stock can be set only when the listing is activated',
  },
  stock_without_shops: {
    program: () => 'can be sent only with shops; list the shops where the listing is sold out',
    seller: () => 'Stock can be set only for shops where the listing is sold out',
  },
  stock_required: {
    program: ({ shops }) =>
      `is required, because the listing is sold out in ${shops.map((name) => quoteForeign(name)).join(', ')}; ask the seller how many of each are in stock`,
    seller: ({ shops }) =>
      `The listing is sold out in ${shops.map((name) => quoteForeign(name)).join(', ')}. Enter how many of each you have in stock`,
  },
  stock_needless: {
    program: () =>
      'is only for sold-out listings, and the listing is not sold out in any of these shops; omit it',
    seller: () => 'The listing is not sold out in any of these shops, so its stock does not change',
  },
  sale_mixed: {
    program: ({ shop_ids }) =>
      `the listing has been active in ${joinWords(shop_ids.map(String))}, but never in the other shops; make one call for each of these two groups`,
    seller: () =>
      'The listing has been active in some of these shops, but never in the others. Publish them separately',
  },
  sale_over: {
    program: ({ state }) =>
      `the listing is no longer in this shop (state: ${state}) and cannot be activated again; create a new listing with listing_create`,
    seller: () => `The listing is no longer in this shop and cannot be activated again. Create a new one`,
  },
  activations_off: {
    program: () =>
      'activations are turned off: MAX_ACTIVATIONS_PER_DAY is 0. The operator of the service can raise it',
    seller: () => 'Activating listings is turned off here. You can save the listing as a draft on Etsy',
  },
  activations_limit: {
    program: ({ most, wanted }) =>
      `active would exceed the limit of ${most} activations in 24 hours (this call needs ${wanted}); use state publish, wait, or raise MAX_ACTIVATIONS_PER_DAY`,
    seller: ({ most }) =>
      `This would exceed your limit of ${most} listing fees in 24 hours. Try again later, or save the listing as a draft on Etsy`,
  },
  confirm_expired: {
    program: () => 'has expired; omit it to get a new confirm_token',
    seller: () => 'The confirmation has expired. Confirm again',
  },
  confirm_foreign: {
    program: () =>
      'was not issued to this account for this exact call, or was changed; repeat the call that it was issued for, or omit it to get a new confirm_token',
    seller: () => 'The confirmation belongs to another request. Confirm again',
  },

  copy_changes_shops: {
    program: () => "is not accepted here; put a shop's own values in shops",
    seller: () => 'Values for a single shop cannot be changed here',
  },
  copy_too_many_shops: {
    program: ({ count, most }) => `would put the listing in ${count} shops; at most ${most} are allowed`,
    seller: ({ count, most }) => `The listing would be in ${count} shops. At most ${most} are allowed`,
  },
  copy_reference_unmatched: {
    program: ({ field, reference, shop_name, choices }) =>
      `has no clear match for the ${toFieldNoun(field)} ${formatReference(reference)} in ${quoteForeign(shop_name)}; use one of ${formatChoices(choices)}${NONE[field] ?? ''}`,
    seller: ({ field, reference, shop_name, choices }) =>
      `${capitalize(toFieldNoun(field))} ${formatReference(reference)} has no clear match in ${quoteForeign(shop_name)}. Choose one: ${formatSellerChoices(choices)}`,
  },
  copy_profiles_unmatched: {
    program: ({ shop_name }) =>
      `is required: the processing profiles of individual combinations have no match in ${quoteForeign(shop_name)}; send one for all of them`,
    seller: ({ shop_name }) =>
      `Processing profiles of individual variations have no match in ${quoteForeign(shop_name)}. Choose one for all of them`,
  },
  copy_variations_unsayable: {
    program: ({ gap }, _, say) =>
      `cannot be copied completely. ${say(gap)}. Send the variations for the copy`,
    seller: ({ gap }, _, say) => `The variations of the listing cannot be copied completely. ${say(gap)}`,
  },
  copy_files_replaced: {
    program: ({ filenames }) =>
      `is required: the first shop has a different file (${filenames.map((name) => quoteForeign(name)).join(', ')}) than the saved listing, and only buyers can download files from the marketplace. Upload the file for the copy. For a new copy, send it in changes.digital_files of listing_copy; for a saved copy, in changes.digital_files of listing_update, with this shop in shops`,
    seller: ({ filenames }) =>
      `The first shop has a different file (${formatNames(filenames)}), and only buyers can download files from Etsy. Upload the file for the copy`,
  },
  copy_price_unknown: {
    program: ({ shop_name, currency_code, of, has_several_currencies }) => {
      const is = `is required: ${quoteForeign(shop_name)} sells in ${currency_code}, and`;
      if (of === 'listing') return `${is} the listing's price in ${currency_code} is not known; send a price`;
      const several = has_several_currencies
        ? '; if the shops sell in several currencies and combinations have prices, make a separate call for each currency'
        : '';
      return `${is} the listing's prices in ${currency_code} are not known; send the price of each combination in changes.offerings or changes.variations.offerings${several}`;
    },
    seller: ({ shop_name, currency_code }) =>
      `${quoteForeign(shop_name)} sells in ${currency_code}, and the listing has no price in ${currency_code}. Enter one`,
  },

  join_of_several: {
    program: ({ count }) => `has ${count} ids; join requires exactly one`,
    seller: () => 'You can join only one listing at a time',
  },
  join_unknown: {
    program: ({ listing_pk, newest, total }) =>
      `there is no listing ${listing_pk}; newest listings: ${formatChoices(newest, total)}`,
    seller: () => 'This listing does not exist here',
  },
};

const NULL_REFUSED: Record<ChangeParams['null_refused']['of'], string> = {
  listing:
    'cannot be null, because every listing requires this field; send a value, or omit the field to keep the current value',
  published:
    'cannot be null, because a listing on the marketplace requires this field; send a value, or omit the field to keep the current value',
  photos:
    'cannot be null, because a listing on the marketplace requires a photo; send photos, or omit the field to keep the current ones',
};

/** How a field is left if there is no match. */
const NONE: Partial<Record<ChangeParams['copy_reference_unmatched']['field'], string>> = {
  shop_section_id: ', or null for none',
  production_partner_ids: ', or [] for none',
};

function formatReference({ id, name }: ChangeParams['copy_reference_unmatched']['reference']): string {
  return name === undefined ? `${id}` : quoteName(name);
}
