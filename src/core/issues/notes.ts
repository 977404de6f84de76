import type { NoteParams } from '../../../schemas/issue.js';
import { quoteForeign } from '../text/foreign.js';
import { formatChoices } from '../text/choices.js';
import { toFieldWords } from './field_words.js';
import { formatSellerChoices } from './listing.js';
import type { Words } from './words.js';

/** Ends of sentences, which follow the words of an issue. */
export const NOTE_WORDS: Words<NoteParams> = {
  connected_shops: {
    program: ({ choices }) => `connected: ${formatChoices(choices)}`,
    seller: ({ choices }) => `connected shops: ${formatSellerChoices(choices)}`,
  },
  shop_choices: {
    program: ({ shops }) =>
      shops
        .map(({ shop_name, choices }) => `${quoteForeign(shop_name)} has ${formatChoices(choices)}`)
        .join('; '),
    seller: ({ shops }) =>
      shops
        .map(({ shop_name, choices }) => `${quoteForeign(shop_name)} has ${formatSellerChoices(choices)}`)
        .join('; '),
  },
  category_suggestions: {
    program: ({ choices, is_by_title }) =>
      choices.length === 0
        ? 'categories_search finds categories by keyword'
        : `${is_by_title ? 'the title suggests' : 'possible matches:'} ${formatChoices(choices)}; categories_search finds categories by keyword`,
    seller: ({ choices }) =>
      choices.length === 0
        ? 'your assistant can search for one'
        : `possible matches: ${formatSellerChoices(choices)}`,
  },
  category_has: {
    program: ({ category_id, choices }) => `category ${category_id} has ${formatChoices(choices)}`,
    seller: ({ choices }) => `the category has ${formatSellerChoices(choices)}`,
  },
  use_one_of: {
    program: ({ choices }) => `use one of ${formatChoices(choices)}`,
    seller: ({ choices }) => `use one of: ${formatSellerChoices(choices)}`,
  },
  has_no_scales: { program: () => 'it has no scales', seller: () => 'it has no scales' },
  photo_index: {
    program: ({ index }) =>
      `it is the 0-based index of a photo in images[]${index === undefined ? '' : `; use ${index} for that photo`}`,
    seller: ({ index }) => (index === undefined ? 'use the number of a photo' : `that is photo ${index + 1}`),
  },
  sent_as: {
    program: ({ path }) => `it was sent as ${path}`,
    seller: ({ path }) => `it was sent as ${toFieldWords(path)}`,
  },
  in_shop: {
    program: ({ shop_id }) => `in shop ${shop_id}, which has its own values`,
    seller: () => 'this applies to a shop that has its own values',
  },
  before_live: {
    program: () => 'correct it before the listing is activated',
    seller: () => 'correct it before the listing is activated',
  },
  quantity_zero: {
    program: () => 'to deactivate it, call listing_publish with state inactive',
    seller: () => 'to stop selling it, deactivate it',
  },
};
