import type { ListingParams, ShopParams } from '../../../schemas/issues/listing.js';
import { quoteForeign, quoteName } from '../errors.js';
import { formatChoices, formatValues } from '../text/choices.js';
import { formatCount } from '../text/format_count.js';
import { toFieldNoun, toFieldWords } from './field_words.js';
import { capitalize, sayOf, type Words } from './words.js';

export const LISTING_WORDS: Words<ListingParams> = {
  shop_repeated: {
    program: ({ first }) => `is the same shop as shops[${first}]; name each shop once`,
    seller: ({ first }, at) => sayOf(at, `this is the same shop as shop ${first + 1}. Name each shop once`),
  },
  id_of_one_shop: {
    program: ({ shops, place }) =>
      `is an id of one shop, and the listing has ${shops} shops; give it for each of them, as ${place}`,
    seller: (_, at) => sayOf(at, 'each shop has its own. Choose one for each shop'),
  },
  physical_required: {
    program: () => 'is required for a physical listing; store_sync lists the ids',
    seller: (_, at) => sayOf(at, 'a physical listing needs one. The page of the shop shows the choices'),
  },
  made_together: {
    program: () => 'is missing; give who_made, when_made and is_supply together, or none of them',
    seller: (_, at) =>
      sayOf(
        at,
        'this is missing. Say who made it, when it was made and whether it is a supply, or none of these',
      ),
  },
  partner_required: {
    program: () =>
      'is required for a product that someone else makes: the marketplace refuses it without a production partner. Name the partner, or correct listing.who_made',
    seller: (_, at) =>
      sayOf(
        at,
        'a product that someone else makes needs a production partner. Name the partner, or correct who made it',
      ),
  },
  processing_range: {
    program: ({ least, most }) => `is ${least}, more than processing_max (${most})`,
    seller: ({ least, most }, at) => sayOf(at, `${least} is more than the longest processing time, ${most}`),
  },
  offer_required: {
    program: ({ field }) => `is required unless every offering has a ${field}`,
    seller: (_, at) => sayOf(at, 'this is required unless every combination has its own'),
  },
  photos_required: {
    program: () => 'is required for state active; give 1 to 10 images',
    seller: () => 'It has no photos. A listing needs 1 to 10 photos before it can be published as active',
  },
  rank_missing: {
    program: () => 'is missing; give every image a rank, or none',
    seller: (_, at) => sayOf(at, 'this is missing. Give every photo a place in the order, or none'),
  },
  rank_repeated: {
    program: ({ rank, first }) => `is ${rank}, as is that of images[${first}]; use each rank once`,
    seller: ({ rank, first }, at) =>
      sayOf(at, `photo ${first + 1} has place ${rank} too. Use each place once`),
  },
  files_of_physical: {
    program: () => 'is only for digital listings: a file would turn this listing digital',
    seller: () => 'A physical listing cannot have files for buyers: a file would make it digital',
  },
  files_required: {
    program: () => 'is required for a digital listing; give 1 to 5 files',
    seller: () => 'A digital listing needs 1 to 5 files for buyers',
  },
  file_name_repeated: {
    program: ({ first }) => `is also the name of digital_files[${first}]; give each file its own`,
    seller: ({ first }, at) => sayOf(at, `file ${first + 1} has the same name. Give each file its own`),
  },
  variations_of_digital: {
    program: () => 'is only for physical listings: on the marketplace, digital listings have no variations',
    seller: () => 'A digital listing cannot have variations',
  },
  attribute_key_wrong: {
    program: () => 'is not a property id; keys are property ids of listing_schema',
    seller: (_, at) => sayOf(at, 'the category has no such detail'),
  },
  attribute_empty: {
    program: () => 'has no value; give value_ids from listing_schema',
    seller: (_, at) => sayOf(at, 'this has no value'),
  },
  attribute_counts: {
    program: ({ values, ids }) =>
      `has ${formatCount(values, 'value')} for ${formatCount(ids, 'value id')}; give one for each`,
    seller: ({ values, ids }, at) =>
      sayOf(at, `${formatCount(values, 'value')} for ${formatCount(ids, 'choice')}. Give one for each`),
  },

  option_name_reserved: {
    program: ({ name }) => `cannot be ${quoteName(name)}, which offerings use for something else`,
    seller: ({ name }, at) => sayOf(at, `an option cannot be called ${quoteName(name)}`),
  },
  option_name_repeated: {
    program: () => 'is also the name of the other property',
    seller: (_, at) => sayOf(at, 'both options have this name'),
  },
  option_id_repeated: {
    program: () => 'is also the id of the other property',
    seller: (_, at) => sayOf(at, 'both options are the same'),
  },
  option_value_repeated: {
    program: ({ first }) => `is the same as values[${first}]`,
    seller: ({ first }, at) => sayOf(at, `this is the same as value ${first + 1}`),
  },
  options_missing: {
    program: () => 'is missing, but there are offerings',
    seller: () => 'There are combinations, but no options',
  },
  combination_repeated: {
    program: ({ first }) => `is the same combination as offerings[${first}]`,
    seller: ({ first }, at) => sayOf(at, `this is the same as combination ${first + 1}`),
  },
  option_required: {
    program: ({ option, key, sent }) =>
      `is required: one of the values of property ${quoteName(option)}${sent === undefined ? '' : `; write the key ${quoteName(sent)} as ${quoteName(key)}`}`,
    seller: ({ option }, at) => sayOf(at, `a value of ${quoteName(option)} is missing`),
  },
  option_value_unknown: {
    program: ({ given, option, values }) => {
      const shown = formatValues(values);
      return `is ${given}; ${shown === undefined ? `property ${quoteName(option)} has no values yet` : `must be one of ${shown}`}`;
    },
    seller: ({ given, option, values }, at) =>
      sayOf(
        at,
        `${given} is not a value of ${quoteName(option)}. Use ${formatValues(values) ?? 'its values'}`,
      ),
  },
  nothing_to_sell: {
    program: () => 'has nothing to sell; at least one must be enabled with a quantity above 0',
    seller: () => 'There is nothing to sell. At least one combination must be visible and in stock',
  },
  sku_repeated: {
    program: ({ first }) => `is also the SKU of offerings[${first}]; each needs its own`,
    seller: ({ first }, at) => sayOf(at, `combination ${first + 1} has the same SKU. Each needs its own`),
  },
  sku_too_alike: {
    program: ({ first, chars }) =>
      `has the same first ${chars} characters as that of offerings[${first}]; the marketplace gets no more of a SKU`,
    seller: ({ first, chars }, at) =>
      sayOf(
        at,
        `its first ${chars} characters are those of combination ${first + 1}, and the marketplace keeps no more`,
      ),
  },
  photo_option_required: {
    program: () => 'is required with a mapping',
    seller: () => 'Photos are linked to values, but the option is missing',
  },
  photo_option_unknown: {
    program: ({ options }) =>
      `is not one of the variation properties (${formatValues(options) ?? 'there are none'})`,
    seller: ({ options }) =>
      `Photos are linked to an option that the listing does not have. Its options are: ${formatValues(options) ?? 'none'}`,
  },
  photo_value_unknown: {
    program: ({ option, values }) => {
      const shown = formatValues(values);
      return `is not a value of property ${quoteName(option)}; ${shown === undefined ? 'it has none yet' : `use ${shown}`}`;
    },
    seller: ({ option, values }, at) =>
      sayOf(at, `this is not a value of ${quoteName(option)}. Use ${formatValues(values) ?? 'its values'}`),
  },
  photo_index_wrong: {
    program: ({ index, photos }) =>
      `is ${index}; ${photos === 0 ? 'there are no images' : `images[] has indexes 0 to ${photos - 1}`}`,
    seller: ({ index, photos }, at) =>
      sayOf(at, `there is no photo ${index + 1}. The listing has ${formatCount(photos, 'photo')}`),
  },

  instructions_too_long: {
    program: ({ chars, most }) => `has ${chars} characters; the marketplace takes ${most}`,
    seller: ({ chars, most }, at) => sayOf(at, `${chars} characters; the marketplace takes at most ${most}`),
  },
  instructions_start: {
    program: ({ character }) => `begins with ${character}; the marketplace wants a letter or number first`,
    seller: ({ character }, at) =>
      sayOf(at, `begins with ${character}. The marketplace wants a letter or number first`),
  },
  instructions_shouted: {
    program: ({ words, most }) =>
      `has ${most} words in capitals in a row (${quoteName(words)}), which the marketplace refuses`,
    seller: ({ words, most }, at) =>
      sayOf(at, `the marketplace refuses ${most} words in capitals in a row (${quoteName(words)})`),
  },
  digital_file_too_large: {
    program: ({ filename, megabytes }) =>
      `(${quoteName(filename)}) is larger than ${megabytes} MB, the most the marketplace takes`,
    seller: ({ filename, megabytes }) =>
      `The file ${quoteName(filename)} is larger than ${megabytes} MB, the most the marketplace takes`,
  },
};

export const SHOP_WORDS: Words<ShopParams> = {
  shop_not_connected: {
    program: ({ shop_id, connected }) =>
      `shop ${shop_id} is not connected to this account; connected: ${formatChoices(connected)}`,
    seller: ({ connected }, at) =>
      sayOf(at, `this shop is not connected. Connected shops: ${formatSellerChoices(connected)}`),
  },
  shop_disconnected: {
    program: ({ shop_id }) =>
      `shop ${shop_id} is no longer connected to this account; name the other shops, or connect it again`,
    seller: () => 'One of its shops is no longer connected. Connect it again on the page Shops',
  },
  shop_revoked: {
    program: ({ shop_name }) =>
      `has to be connected again (${quoteForeign(shop_name)}): the marketplace no longer accepts its grant`,
    seller: ({ shop_name }) =>
      `The marketplace no longer lets this service act for ${quoteForeign(shop_name)}. Connect the shop again`,
  },
  shop_on_vacation: {
    program: ({ shop_name }) =>
      `${quoteForeign(shop_name)} is on vacation, and nothing can be activated there; end the vacation in Shop Manager and call store_sync`,
    seller: ({ shop_name }) =>
      `${quoteForeign(shop_name)} is on vacation, and nothing can be published there. End the vacation in Shop Manager, then press “Sync now” on the page of the shop`,
  },
  processing_profile_missing: {
    program: ({ shop_name }) =>
      `cannot be chosen: ${quoteForeign(shop_name)} has no processing profile; make one in Shop Manager, then call store_sync`,
    seller: ({ shop_name }) =>
      `${quoteForeign(shop_name)} has no processing profile. Make one in Shop Manager, then press “Sync now” on the page of the shop`,
  },
  reference_unknown: {
    program: ({ field, id, shop_name, choices, is_fresh }) =>
      `${toFieldNoun(field)} ${id} was not found in that shop; ${quoteForeign(shop_name)} has ${formatChoices(choices)}${is_fresh ? '' : '; if it is new, call store_sync first'}`,
    seller: ({ field, shop_name, choices, is_fresh }, at) =>
      `${capitalize(toFieldWords(at))}: ${quoteForeign(shop_name)} does not have this ${toFieldNoun(field)}. It has ${formatSellerChoices(choices)}${is_fresh ? '' : '. If it is new, press “Sync now” on the page of the shop first'}`,
  },

  category_unknown: {
    program: ({ id }) => `is ${id}, which is not a category of the marketplace`,
    seller: (_, at) => sayOf(at, 'the marketplace does not have this category'),
  },
  attribute_unknown: {
    program: ({ category_id, choices }) =>
      `is not an attribute of category ${category_id}; it has ${formatChoices(choices)}`,
    seller: ({ choices }, at) =>
      sayOf(at, `the category does not have this detail. It has ${formatSellerChoices(choices)}`),
  },
  attribute_required: {
    program: ({ attribute, choices }) =>
      `is required for state active: ${quoteName(attribute)}; listing_schema lists its values${choices.length > 0 ? `: ${formatChoices(choices)}` : ''}`,
    seller: ({ attribute, choices }) =>
      `The category needs ${quoteName(attribute)} before the listing can be published as active${choices.length > 0 ? `: ${formatSellerChoices(choices)}` : ''}`,
  },
  value_id_unknown: {
    program: ({ id, attribute, choices }) =>
      `is ${id}, which is not a value of ${quoteName(attribute)}; use ${formatChoices(choices)}`,
    seller: ({ attribute, choices }) =>
      `${quoteName(attribute)} does not have this value. Use ${formatSellerChoices(choices)}`,
  },
  value_of_other_scale: {
    program: ({ id, name, scales }) =>
      `is ${id} (${quoteName(name)}), a value of scale ${formatChoices(scales)}`,
    seller: ({ name, scales }, at) =>
      sayOf(at, `${quoteName(name)} is a value of the scale ${formatSellerChoices(scales)}`),
  },
  value_name_wrong: {
    program: ({ id, name }) => `is not ${quoteName(name)}, the name of ${id}`,
    seller: ({ name }, at) => sayOf(at, `the value is called ${quoteName(name)}`),
  },
  value_name_unknown: {
    program: ({ attribute, choices }) =>
      `is not a value of ${quoteName(attribute)}; use ${formatChoices(choices)}`,
    seller: ({ attribute, choices }) =>
      `${quoteName(attribute)} does not have this value. Use ${formatSellerChoices(choices)}`,
  },
  values_too_many: {
    program: ({ count, most, attribute }) =>
      `has ${count} values; ${quoteName(attribute)} takes at most ${most}`,
    seller: ({ count, most, attribute }) =>
      `${quoteName(attribute)} has ${count} values. At most ${most} are allowed`,
  },
  option_unknown: {
    program: ({ id, category_id, choices }) =>
      `is ${id}, which is not a variation property of category ${category_id}; it has ${formatChoices(choices)}`,
    seller: ({ choices }, at) =>
      sayOf(at, `the category does not have this option. It has ${formatSellerChoices(choices)}`),
  },
  scale_unknown: {
    program: ({ id, property, scales }) =>
      `is ${id}, which is not a scale of ${quoteName(property)}; ${scales.length === 0 ? 'it has no scales' : `use ${formatChoices(scales)}`}`,
    seller: ({ property, scales }) =>
      `${quoteName(property)} does not have this scale. It has ${formatSellerChoices(scales)}`,
  },
  scale_missing: {
    program: ({ property, scales }) =>
      `is missing: the values of ${quoteName(property)} fit several scales; use ${formatChoices(scales)}`,
    seller: ({ property, scales }) => `${quoteName(property)} needs a scale: ${formatSellerChoices(scales)}`,
  },
  scales_mixed: {
    program: ({ property, scales }) =>
      `is missing: the values of ${quoteName(property)} are of different scales, ${formatChoices(scales)}; use values of one`,
    seller: ({ property, scales }) =>
      `The values of ${quoteName(property)} are of different scales (${formatSellerChoices(scales)}). Use values of one`,
  },
};

/** By name, as sellers know them. */
export function formatSellerChoices(choices: Parameters<typeof formatChoices>[0]): string {
  return formatChoices(choices.map(({ id, name }) => (name ? { id: null, name } : { id })));
}
