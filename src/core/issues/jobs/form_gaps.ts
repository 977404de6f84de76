import type { FormGapParams } from '../../../../schemas/issues/request_warnings.js';
import { quoteName } from '../../text/foreign.js';
import { formatCount } from '../../text/format_count.js';
import { formatNames } from '../../text/choices.js';
import { toMakingWords } from '../making_words.js';
import type { Words } from '../words.js';

/** The same for both readers. */
function same<Params>(say: (params: Params) => string) {
  return { program: say, seller: say };
}

export const FORM_GAP_WORDS: Words<FormGapParams> = {
  photos_over: {
    program: ({ count, taken }) => `The listing has ${count} photos; only the first ${taken} are imported`,
    seller: ({ count, taken }) => `The listing has ${count} photos; only the first ${taken} are saved here`,
  },
  videos_over: {
    program: (videos) => `${describeVideos(videos)} imported`,
    seller: (videos) => `${describeVideos(videos)} saved here`,
  },
  files_unreadable: {
    program: ({ filenames }) =>
      `The files (${formatNames(filenames)}) cannot be downloaded from the marketplace; to copy the listing to another shop, upload them again`,
    seller: ({ filenames }) =>
      `Only buyers can download the files (${formatNames(filenames)}) from Etsy. To copy the listing to another shop, upload them again`,
  },
  physical_and_digital: {
    program: () => 'The listing is both physical and digital',
    seller: () => 'The listing is both physical and digital',
  },
  options_over: {
    program: ({ options }) =>
      `The listing varies by ${formatNames(options)}, but only two properties can be saved here`,
    seller: ({ options }) =>
      `The listing varies by ${formatNames(options)}, but only two options can be saved here`,
  },
  option_name_needed: {
    program: ({ option }) =>
      `The listing varies by ${quoteName(option)}, which is also a field of offerings, so this property cannot be saved here`,
    seller: ({ option }) =>
      `The listing has an option named ${quoteName(option)}, a name that cannot be used here`,
  },
  option_names_alike: {
    program: () => 'Two properties of the listing have the same name',
    seller: () => 'Two options of the listing have the same name',
  },
  options_incomplete: {
    program: () => 'Some products of the listing lack a property that others have',
    seller: () => 'Some products of the listing lack an option that others have',
  },
  variation_photos_over: {
    program: ({ count, taken }) =>
      `${count} values of the variations have photos; only ${taken} of these photos can be imported`,
    seller: ({ count, taken }) =>
      `${count} option values have photos; only ${taken} of these photos can be saved here`,
  },
  questions_over: {
    program: ({ questions }) =>
      `Buyers are also asked: ${formatNames(questions)}. Only one free-text question can be saved here`,
    seller: ({ questions }) =>
      `Buyers are also asked: ${formatNames(questions)}. Only one question can be saved here`,
  },
  question_titled: {
    program: ({ question }) =>
      `The question is titled ${quoteName(question)}, but question titles cannot be saved here`,
    seller: ({ question }) =>
      `The question is titled ${quoteName(question)}, but question titles cannot be saved here`,
  },
  question_priced: {
    program: ({ question, price }) =>
      `The question ${quoteName(question)} has a price, ${price}, which cannot be saved here`,
    seller: ({ question, price }) =>
      `The question ${quoteName(question)} has a price, ${price}, which cannot be saved here`,
  },
  translated: {
    program: ({ languages }) =>
      `The listing is translated (${formatNames(languages)}), but translations are not saved here`,
    seller: ({ languages }) =>
      `The listing is translated (${formatNames(languages)}), but translations are not saved here`,
  },
  making_unsaved: {
    program: ({ values }) =>
      `The saved listing does not have the marketplace's who_made, when_made, and is_supply (${values.map(quoteName).join(', ')})`,
    seller: ({ values: [, when_made = ''] }) =>
      `The listing saved here does not say who made it or when (${toMakingWords(when_made)} on Etsy)`,
  },
  products_unreadable: same(() => 'The products of the listing cannot be read'),
};

/** The beginning of a sentence: `The listing has 2 videos, of which 1 is`. */
function describeVideos({ count, taken }: FormGapParams['videos_over']): string {
  const videos = `The listing has ${formatCount(count, 'video')}, `;
  if (count === 1) return `${videos}which is${taken === 0 ? ' not' : ''}`;
  return `${videos}of which ${taken === 0 ? 'none is' : taken === 1 ? 'only 1 is' : `only ${taken} are`}`;
}
