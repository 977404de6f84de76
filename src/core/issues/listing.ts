import type { ListingParams, ShopParams } from '../../../schemas/issues/listing.js';
import { quoteForeign, quoteName } from '../text/foreign.js';
import { formatChoices, formatValues } from '../text/choices.js';
import { formatCount } from '../text/format_count.js';
import { toFieldNoun, toFieldWords } from './field_words.js';
import { capitalize, sayOf, type Words } from './words.js';

export const LISTING_WORDS: Words<ListingParams> = {
  shop_repeated: {
    program: ({ first }) => `is the same shop as shops[${first}]; send each shop once`,
    seller: ({ first }, at) => sayOf(at, `this is the same shop as shop ${first + 1}. Use each shop once`),
  },
  id_of_one_shop: {
    program: ({ shops, place }) =>
      `is an id that belongs to a single shop, but the listing has ${shops} shops; set it for each shop in ${place}`,
    seller: (_, at) => sayOf(at, 'each shop has its own. Choose one for each shop'),
  },
  physical_required: {
    program: () => 'is required for a physical listing; store_sync returns the ids',
    seller: (_, at) =>
      sayOf(at, 'this is required for a physical listing. The shop’s page lists the choices'),
  },
  made_together: {
    program: () => 'is missing; send who_made, when_made, and is_supply together, or none of them',
    seller: (_, at) =>
      sayOf(
        at,
        'this is missing. Enter who made it, when it was made, and whether it is a craft supply, or leave all three blank',
      ),
  },
  partner_required: {
    program: () =>
      'is required for a product that someone else makes: the marketplace refuses the listing without a production partner; add the partner, or correct listing.who_made',
    seller: (_, at) =>
      sayOf(
        at,
        'a product that someone else makes needs a production partner. Add the partner, or correct who made it',
      ),
  },
  processing_range: {
    program: ({ least, most }) => `is ${least}, which is more than processing_max (${most})`,
    seller: ({ least, most }, at) =>
      sayOf(
        at,
        `${formatCount(least, 'day')} is more than the maximum processing time, ${formatCount(most, 'day')}`,
      ),
  },
  offer_required: {
    program: ({ field }) => `is required unless every offering has a ${field}`,
    seller: ({ field }, at) =>
      sayOf(at, `this is required unless every variation has its own ${toFieldNoun(field)}`),
  },
  photos_required: {
    program: () => 'is required for state active; send 1 to 10 images',
    seller: () => 'The listing has no photos. An active listing needs 1 to 10',
  },
  rank_missing: {
    program: () => 'is missing; set a rank for every image, or for none',
    seller: (_, at) => sayOf(at, 'this is missing. Set a position for every photo, or for none'),
  },
  rank_repeated: {
    program: ({ rank, first }) => `is ${rank}, the same as images[${first}].rank; use each rank once`,
    seller: ({ rank, first }, at) =>
      sayOf(at, `photo ${first + 1} also has position ${rank}. Use each position once`),
  },
  files_of_physical: {
    program: () => 'is only for digital listings: a file would make this listing digital; remove the files',
    seller: () =>
      'A physical listing cannot have digital files: a file would turn it into a digital listing. Remove the files',
  },
  files_required: {
    program: () => 'is required for a digital listing; send 1 to 5 files',
    seller: () => 'A digital listing needs 1 to 5 digital files',
  },
  file_name_repeated: {
    program: ({ first }) => `is also the name of digital_files[${first}]; give each file a different name`,
    seller: ({ first }, at) =>
      sayOf(at, `file ${first + 1} has the same name. Give each file a different name`),
  },
  variations_of_digital: {
    program: () =>
      'is only for physical listings: the marketplace does not support variations on digital listings; remove the variations',
    seller: () => 'A digital listing cannot have variations. Remove them',
  },
  attribute_key_wrong: {
    program: () => 'is not a property id; use the property ids that listing_schema returns',
    seller: (_, at) => sayOf(at, 'the category does not have this attribute'),
  },
  attribute_empty: {
    program: () => 'has no value; set value_ids to ids that listing_schema returns',
    seller: () => 'One of the attributes has no value. Choose a value',
  },
  attribute_counts: {
    program: ({ values, ids }) =>
      `has ${formatCount(values, 'value')} for ${formatCount(ids, 'value id')}; send one value for each id`,
    seller: ({ values, ids }) =>
      `One of the attributes has ${formatCount(values, 'value name')} for ${formatCount(ids, 'choice')}. Send one name for each choice`,
  },

  option_name_reserved: {
    program: ({ name }) => `cannot be ${quoteName(name)}, which is a field of offerings; use another name`,
    seller: ({ name }, at) => sayOf(at, `an option cannot be called ${quoteName(name)}. Use another name`),
  },
  option_name_repeated: {
    program: () => 'is also the name of the other property; use two different names',
    seller: (_, at) => sayOf(at, 'both options have this name. Use two different names'),
  },
  option_id_repeated: {
    program: () => 'is also the id of the other property; use two different properties',
    seller: (_, at) => sayOf(at, 'both options are the same. Choose two different ones'),
  },
  option_value_repeated: {
    program: ({ first }) => `is the same as values[${first}]; send each value once`,
    seller: ({ first }, at) => sayOf(at, `this is the same as value ${first + 1}. Use each value once`),
  },
  options_missing: {
    program: () => 'is missing, but there are offerings; send the properties that the offerings vary by',
    seller: () => 'The listing has variations, but no options. Add the options that the variations belong to',
  },
  combination_repeated: {
    program: ({ first }) => `is the same combination as offerings[${first}]; send each combination once`,
    seller: ({ first }, at) =>
      sayOf(at, `this is the same as variation ${first + 1}. Use each variation once`),
  },
  option_required: {
    program: ({ option, key, sent }) =>
      `is required: set it to a value of property ${quoteName(option)}${sent === undefined ? '' : `; the key must be ${quoteName(key)}, not ${quoteName(sent)}`}`,
    seller: ({ option }, at) => sayOf(at, `a value for ${quoteName(option)} is missing. Add one`),
  },
  option_value_unknown: {
    program: ({ given, option, values }) => {
      const shown = formatValues(values);
      return `is ${given}; ${shown === undefined ? `property ${quoteName(option)} has no values yet` : `must be one of ${shown}`}`;
    },
    seller: ({ given, option, values }, at) =>
      sayOf(
        at,
        `${given} is not a value of ${quoteName(option)}. Use one of: ${formatValues(values) ?? 'its values'}`,
      ),
  },
  nothing_to_sell: {
    program: () => 'has nothing to sell; enable at least one offering that has a quantity greater than 0',
    seller: () => 'There is nothing to sell. At least one variation must be visible and in stock',
  },
  sku_repeated: {
    program: ({ first }) => `is also the SKU of offerings[${first}]; each offering needs its own SKU`,
    seller: ({ first }, at) =>
      sayOf(at, `variation ${first + 1} has the same SKU. Each variation needs its own SKU`),
  },
  sku_too_alike: {
    program: ({ first, chars }) =>
      `has the same first ${chars} characters as offerings[${first}].sku, and the marketplace keeps only those; make the first ${chars} characters different`,
    seller: ({ first, chars }, at) =>
      sayOf(
        at,
        `its first ${chars} characters are the same as in variation ${first + 1}, and Etsy keeps only those. Make them different`,
      ),
  },
  photo_option_required: {
    program: () => 'is required when mapping is sent; set it to the name of a variation property',
    seller: () => 'Photos are linked to values, but not to an option. Choose the option',
  },
  photo_option_unknown: {
    program: ({ options }) =>
      `is not one of the variation properties (${formatValues(options) ?? 'there are none'})`,
    seller: ({ options }) =>
      `Photos are linked to an option that the listing does not have. ${options.length === 0 ? 'It has none' : `Use one of: ${formatValues(options)}`}`,
  },
  photo_value_unknown: {
    program: ({ option, values }) => {
      const shown = formatValues(values);
      return `is not a value of property ${quoteName(option)}; ${shown === undefined ? 'it has none yet' : `use one of ${shown}`}`;
    },
    seller: ({ option, values }, at) =>
      sayOf(
        at,
        `this is not a value of ${quoteName(option)}. Use one of: ${formatValues(values) ?? 'its values'}`,
      ),
  },
  photo_index_wrong: {
    program: ({ index, photos }) =>
      `is ${index}; ${photos === 0 ? 'there are no images' : `images[] has indexes 0 to ${photos - 1}`}`,
    seller: ({ index, photos }, at) =>
      sayOf(at, `there is no photo ${index + 1}. The listing has ${formatCount(photos, 'photo')}`),
  },

  instructions_too_long: {
    program: ({ chars, most }) => `has ${chars} characters; the marketplace allows ${most}`,
    seller: ({ chars, most }, at) => sayOf(at, `this has ${chars} characters. Etsy allows at most ${most}`),
  },
  instructions_start: {
    program: ({ character }) => `starts with ${character}; it must start with a letter or number`,
    seller: ({ character }, at) =>
      sayOf(at, `this starts with ${character}. It must start with a letter or number`),
  },
  instructions_shouted: {
    program: ({ words, most }) =>
      `has ${most} words in a row in capital letters (${quoteName(words)}), which the marketplace does not allow; use lowercase`,
    seller: ({ words, most }, at) =>
      sayOf(
        at,
        `Etsy does not allow ${most} words in a row in capital letters (${quoteName(words)}). Use lowercase`,
      ),
  },
  digital_file_too_large: {
    program: ({ filename, megabytes }) =>
      `is ${quoteName(filename)}, which is larger than the marketplace's limit of ${megabytes} MB; use a smaller file`,
    seller: ({ filename, megabytes }) =>
      `The file ${quoteName(filename)} is larger than Etsy’s limit of ${megabytes} MB. Use a smaller file`,
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
      `shop ${shop_id} is no longer connected to this account; connect it again, or send only the other shops`,
    seller: () => 'One of the listing’s shops is no longer connected. Connect it again on the Shops page',
  },
  shop_revoked: {
    program: ({ shop_name }) =>
      `must be connected again: the marketplace no longer accepts the grant of ${quoteForeign(shop_name)}`,
    seller: ({ shop_name }) =>
      `Etsy no longer lets this service access ${quoteForeign(shop_name)}. Connect the shop again`,
  },
  shop_on_vacation: {
    program: ({ shop_name }) =>
      `${quoteForeign(shop_name)} is on vacation, so its listings cannot be activated; turn off vacation mode in Shop Manager, then call store_sync`,
    seller: ({ shop_name }) =>
      `${quoteForeign(shop_name)} is on vacation, so its listings cannot be activated. Turn off vacation mode in Shop Manager, then press “Sync now” on the shop’s page`,
  },
  processing_profile_missing: {
    program: ({ shop_name }) =>
      `cannot be set: ${quoteForeign(shop_name)} has no processing profiles; create one in Shop Manager, then call store_sync`,
    seller: ({ shop_name }) =>
      `${quoteForeign(shop_name)} has no processing profiles. Create one in Shop Manager, then press “Sync now” on the shop’s page`,
  },
  reference_unknown: {
    program: ({ field, id, shop_name, choices, is_fresh }) =>
      `${quoteForeign(shop_name)} has no ${toFieldNoun(field)} ${id}; it has ${formatChoices(choices)}${is_fresh ? '' : `; if the ${toFieldNoun(field)} is new, call store_sync first`}`,
    seller: ({ field, shop_name, choices, is_fresh }, at) =>
      `${capitalize(toFieldWords(at))}: ${quoteForeign(shop_name)} does not have this ${toFieldNoun(field)}. It has ${formatSellerChoices(choices)}${is_fresh ? '' : `. If the ${toFieldNoun(field)} is new, press “Sync now” on the shop’s page first`}`,
  },

  category_unknown: {
    program: ({ id }) => `is ${id}, which is not a marketplace category`,
    seller: (_, at) => sayOf(at, 'Etsy does not have this category'),
  },
  attribute_unknown: {
    program: ({ category_id, choices }) =>
      `is not an attribute of category ${category_id}; the category has ${formatChoices(choices)}`,
    seller: ({ choices }, at) =>
      sayOf(at, `the category does not have this attribute. Its attributes: ${formatSellerChoices(choices)}`),
  },
  attribute_required: {
    program: ({ attribute, choices }) =>
      `is required for state active (${quoteName(attribute)}); listing_schema returns its values${choices.length > 0 ? `: ${formatChoices(choices)}` : ''}`,
    seller: ({ attribute, choices }) =>
      `The category requires ${quoteName(attribute)} before the listing can be activated${choices.length > 0 ? `. Use one of: ${formatSellerChoices(choices)}` : ''}`,
  },
  value_id_unknown: {
    program: ({ id, attribute, choices }) =>
      `is ${id}, which is not a value of ${quoteName(attribute)}; use one of ${formatChoices(choices)}`,
    seller: ({ attribute, choices }) =>
      `${quoteName(attribute)} does not have this value. Use one of: ${formatSellerChoices(choices)}`,
  },
  value_of_other_scale: {
    program: ({ id, name, scales }) =>
      `is ${id} (${quoteName(name)}), which belongs to scale ${formatChoices(scales)}; use that scale or another value`,
    seller: ({ name, scales }, at) =>
      sayOf(
        at,
        `${quoteName(name)} belongs to the scale ${formatSellerChoices(scales)}. Use that scale or another value`,
      ),
  },
  value_name_wrong: {
    program: ({ id, name }) => `must be ${quoteName(name)}, the name of value ${id}`,
    seller: ({ name }, at) => sayOf(at, `this value is called ${quoteName(name)}. Use that name`),
  },
  value_name_unknown: {
    program: ({ attribute, choices }) =>
      `is not a value of ${quoteName(attribute)}; use one of ${formatChoices(choices)}`,
    seller: ({ attribute, choices }) =>
      `${quoteName(attribute)} does not have this value. Use one of: ${formatSellerChoices(choices)}`,
  },
  values_too_many: {
    program: ({ count, most, attribute }) =>
      `has ${count} values; ${quoteName(attribute)} allows at most ${most}`,
    seller: ({ count, most, attribute }) =>
      `${quoteName(attribute)} has ${count} values. Use at most ${most}`,
  },
  option_unknown: {
    program: ({ id, category_id, choices }) =>
      `is ${id}, which is not a variation property of category ${category_id}; the category has ${formatChoices(choices)}`,
    seller: ({ choices }, at) =>
      sayOf(at, `the category does not have this option. Its options: ${formatSellerChoices(choices)}`),
  },
  scale_unknown: {
    program: ({ id, property, scales }) =>
      `is ${id}, which is not a scale of ${quoteName(property)}; ${scales.length === 0 ? 'it has no scales' : `use one of ${formatChoices(scales)}`}`,
    seller: ({ property, scales }) =>
      `${quoteName(property)} does not have this scale. ${scales.length === 0 ? 'It has no scales' : `Use one of: ${formatSellerChoices(scales)}`}`,
  },
  scale_missing: {
    program: ({ property, scales }) =>
      `is missing: the values of ${quoteName(property)} match several scales; use one of ${formatChoices(scales)}`,
    seller: ({ property, scales }) =>
      `${quoteName(property)} needs a scale. Use one of: ${formatSellerChoices(scales)}`,
  },
  scales_mixed: {
    program: ({ property, scales }) =>
      `cannot be chosen: the values of ${quoteName(property)} belong to different scales, ${formatChoices(scales)}; use values of only one scale`,
    seller: ({ property, scales }) =>
      `The values of ${quoteName(property)} belong to different scales (${formatSellerChoices(scales)}). Use values of only one scale`,
  },
};

/** By name, as sellers know them. */
export function formatSellerChoices(choices: Parameters<typeof formatChoices>[0]): string {
  return formatChoices(choices.map(({ id, name }) => (name ? { id: null, name } : { id })));
}
