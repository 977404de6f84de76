import type { KeyMeaning } from '../../../schemas/issues/facts.js';
import type { AllowedCharacters, ValueParams } from '../../../schemas/issues/values.js';
import { quoteForeign, quoteName } from '../errors.js';
import { formatCount } from '../text/format_count.js';
import { sayOf, type Words } from './words.js';

export const VALUE_WORDS: Words<ValueParams> = {
  required: { program: () => 'is required', seller: (_, at) => sayOf(at, 'this is required') },
  choice_wrong: {
    program: ({ given, choices }) =>
      `${given === undefined ? '' : `is ${JSON.stringify(given)}; `}must be one of ${choices.join(', ')}`,
    seller: ({ choices }, at) => sayOf(at, `choose one of ${choices.map(toPlainWords).join(', ')}`),
  },
  literal_wrong: {
    program: ({ expected }) => `must be ${expected}`,
    seller: ({ expected }, at) => sayOf(at, `must be ${expected}`),
  },
  type_wrong: {
    program: (params, at) => `${at === '' ? 'The request ' : ''}${describeType(params)}`,
    seller: (_, at) => sayOf(at, 'this value has the wrong form'),
  },
  size_wrong: {
    program: ({ of, bound, limit }) => `must ${describeSize(of, bound, limit)}`,
    seller: ({ of, bound, limit }, at) => sayOf(at, `must ${describeSize(of, bound, limit)}`),
  },
  value_wrong: { program: ({ text }) => text, seller: ({ text }, at) => sayOf(at, text) },
  integer_inexact: {
    program: ({ value }) => `is ${value}, which is too large for an id or a count`,
    seller: (_, at) => sayOf(at, 'this number is too large'),
  },
  entries_too_many: {
    program: ({ count }, at) => `${have(at)} ${count} entries, more than any list here can have`,
    seller: ({ count }, at) => sayOf(at, `${count} entries are too many`),
  },
  keys_too_many: {
    program: ({ count, most }, at) => `${have(at)} ${count} keys; at most ${most}, unknown ones included`,
    seller: ({ count, most }, at) => sayOf(at, `${count} fields; at most ${most} are allowed`),
  },
  keys_unknown: {
    program: ({ keys }) => `has unknown keys: ${keys.join(', ')}`,
    seller: (_, at) => sayOf(at, 'some of its fields are unknown'),
  },

  text_empty: { program: () => 'is empty', seller: (_, at) => sayOf(at, 'this is empty') },
  text_only_html: {
    program: () => 'has nothing but HTML tags, which are stripped',
    seller: (_, at) => sayOf(at, 'there is no text besides HTML tags, which are removed'),
  },
  text_too_long: {
    program: ({ chars, most }, at) => `${have(at)} ${formatCount(chars, 'character')}; at most ${most}`,
    seller: ({ chars, most }, at) =>
      sayOf(at, `${formatCount(chars, 'character')}; at most ${most} are allowed`),
  },
  text_length_wrong: {
    program: ({ chars, least, most }) =>
      `has ${formatCount(chars, 'character')}; must have ${least} to ${most}`,
    seller: ({ chars, least, most }, at) =>
      sayOf(at, `${formatCount(chars, 'character')}; it needs ${least} to ${most}`),
  },
  characters_wrong: {
    program: ({ characters, allowed, entity }) =>
      `has characters that are not allowed: ${formatCharacters(characters)}; only ${ALLOWED[allowed]}${entity === undefined ? '' : `; ${entity} is HTML`}`,
    seller: ({ characters, allowed }, at) =>
      sayOf(
        at,
        `these characters are not allowed: ${formatCharacters(characters)}. Use only ${ALLOWED[allowed]}`,
      ),
  },
  characters_repeated: {
    program: ({ repeated, once }) =>
      `has ${repeated.join(' and ')} more than once; each of ${once.join(' ')} at most once`,
    seller: ({ repeated, once }, at) =>
      sayOf(
        at,
        `${repeated.join(' and ')} appears more than once. Use each of ${once.join(' ')} at most once`,
      ),
  },
  first_character_wrong: {
    program: ({ character }) => `begins with ${character}; begin it with a letter or number`,
    seller: ({ character }, at) => sayOf(at, `begins with ${character}. Begin it with a letter or number`),
  },
  number_out_of_range: {
    program: ({ value, least, most }) => `is ${value}; must be ${least} to ${most}`,
    seller: ({ value, least, most }, at) => sayOf(at, `${value} is not allowed. Use ${least} to ${most}`),
  },
  number_too_small: {
    program: ({ value, least }) => `is ${value}; must be ${least} or more`,
    seller: ({ value, least }, at) => sayOf(at, `${value} is too small. Use ${least} or more`),
  },
  number_not_positive: {
    program: ({ value }) => `is ${value}; must be more than 0`,
    seller: ({ value }, at) => sayOf(at, `${value} is not allowed. Use a number above 0`),
  },
  number_too_large: {
    program: ({ value, most }) => `is ${value}; must be at most ${most}`,
    seller: ({ value, most }, at) => sayOf(at, `${value} is too large. Use at most ${most}`),
  },
  price_too_low: {
    program: ({ value, least }) => `is ${value}; at least ${least.toFixed(2)}`,
    seller: ({ value, least }, at) => sayOf(at, `${value} is too low. Use at least ${least.toFixed(2)}`),
  },
  price_too_high: {
    program: ({ value, most, currency_code }) =>
      `is ${value}; the marketplace takes at most ${most} ${currency_code}`,
    seller: ({ value, most, currency_code }, at) =>
      sayOf(at, `${value} is too high. The marketplace takes at most ${most} ${currency_code}`),
  },
  price_decimals: {
    program: ({ value, currency_code }) =>
      currency_code === undefined
        ? `is ${value}; at most two decimals`
        : `is ${value}; prices in ${currency_code} have no decimals`,
    seller: ({ value, currency_code }, at) =>
      sayOf(
        at,
        currency_code === undefined
          ? `${value} has more than two decimals`
          : `${value} has decimals, and prices in ${currency_code} have none`,
      ),
  },
  list_empty: {
    program: ({ least, most, items }) => `is empty; give ${least} to ${most} ${ITEMS[items]}`,
    seller: ({ least, most }, at) => sayOf(at, `there are none. Give ${least} to ${most}`),
  },
  list_too_long: {
    program: ({ count, most, items }) => `has ${count} ${ITEMS[items]}; at most ${most}`,
    seller: ({ count, most }, at) => sayOf(at, `there are ${count}. At most ${most} are allowed`),
  },
  url_is_file: {
    program: () =>
      'is the path of a file, not an address; send the file with file_upload and use the url of its answer',
    seller: (_, at) => sayOf(at, 'this is the path of a file. Upload the file on the page Uploads'),
  },
  url_scheme: {
    program: () =>
      'must begin with https://, http:// or service-upload://, which file_upload returns for a file',
    seller: (_, at) =>
      sayOf(at, 'the address must begin with https:// or http://, or be a file of the page Uploads'),
  },
  url_broken: {
    program: () => 'is not a complete address',
    seller: (_, at) => sayOf(at, 'the address is incomplete'),
  },

  key_unknown: {
    program: ({ meaning }) => `is not known; ${describeMeaning(meaning)}`,
    seller: (_, at) => sayOf(at, 'this field is unknown'),
  },
  keys_left_out: {
    program: ({ left_out, seen }) =>
      `The request has ${left_out} unknown keys beyond the first ${seen}, too many to check; leave them out`,
    seller: ({ left_out, seen }) => `There are ${left_out + seen} unknown fields. Leave them out`,
  },
  saved_key_unknown: {
    program: ({ meaning }) =>
      `of the saved listing is not known; ${endSentence(describeMeaning(meaning))} Correct it with listing_update before it is paid for: this key with null, and the right one with its value`,
    seller: (_, at) =>
      `The saved listing has a field that is unknown: ${quoteName(at)}. Your assistant can correct it`,
  },
};

/** What an unknown key was probably meant to be, as the end of a sentence; empty where nothing is known. */
export function describeMeaning(meaning: KeyMeaning): string {
  switch (meaning.is) {
    case 'unknown':
      return '';
    case 'needless':
      return meaning.because === 'currency_of_shop'
        ? "prices are in each shop's own currency"
        : 'the offerings show which property each value varies by';
    case 'alias':
      return `here it is called "${meaning.name}"`;
    case 'of_operation':
      return `${meaning.operation_id} takes it, as "${meaning.name}"`;
    case 'alongside':
      return `it belongs next to "${meaning.sibling}", as "${meaning.name}"`;
    case 'inside':
      return `it belongs in ${formatOr(meaning.paths)}`;
    case 'like': {
      const of = meaning.operation_id === undefined ? '' : ` of ${meaning.operation_id}`;
      const unseen = meaning.has_unseen === true ? ', without the invisible characters in the key' : '';
      return `did you mean ${formatOr(meaning.names.map((name) => quoteForeign(name)))}${of}${unseen}?`;
    }
  }
}

const MOST_PLACES = 3;

function formatOr(all: readonly string[]): string {
  const shown = all.slice(0, MOST_PLACES);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

function endSentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

const ALLOWED: Record<AllowedCharacters, string> = {
  of_title: 'letters, numbers, punctuation, mathematical symbols, spaces, ™ © ®',
  of_tag: "letters, numbers, spaces, -, ', ™ © ®",
  of_word: 'letters, numbers, spaces',
  of_option_value: 'characters other than parentheses',
  of_file_name: 'letters A to Z, digits, periods, hyphens and underscores (no spaces, no parentheses)',
};

const ITEMS: Record<ValueParams['list_empty']['items'], string> = {
  shops: 'shops',
  production_partners: 'production partners',
  tags: 'tags',
  materials: 'materials',
  styles: 'styles',
  images: 'images',
  digital_files: 'digital files',
  videos: 'videos',
  attributes: 'attributes',
  value_ids: 'value ids',
  values: 'values',
  properties: 'properties',
  offerings: 'offerings',
};

/** Names characters so that invisible ones can be found: `"a" (U+0061)`. */
function formatCharacters(characters: readonly string[]): string {
  const shown = characters.slice(0, 5).map((character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character} (U+${code})` : `U+${code}`;
  });
  return shown.join(', ') + (characters.length > shown.length ? ', …' : '');
}

/** The beginning of a problem that the request as a whole may have. */
function have(at: string): string {
  return at === '' ? 'The request has' : 'has';
}

function describeSize(
  of: ValueParams['size_wrong']['of'],
  bound: ValueParams['size_wrong']['bound'],
  limit: number,
): string {
  if (of === 'text') return `have ${bound} ${formatCount(limit, 'character')}`;
  return of === 'list' ? `have ${bound} ${formatCount(limit, 'item')}` : `be ${bound} ${limit}`;
}

function describeType({
  expected,
  received,
  is_quoted = false,
  keys = [],
  is_broken_json = false,
}: ValueParams['type_wrong']): string {
  const what = `${withArticle(expected)}${keys.length > 0 ? ` with ${keys.join(', ')}` : ''}`;
  if (received === undefined) return `must be ${what}`;
  const quoted = is_quoted ? ' without quotation marks' : '';
  const broken = is_broken_json ? `; the JSON in it is not ${withArticle(expected)}, or broken` : '';
  return `must be ${what}${quoted}, not ${received === 'string' ? 'a string' : received}${broken}`;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** `made_to_order` as `made to order`. */
function toPlainWords(name: string): string {
  return name.replaceAll('_', ' ');
}
