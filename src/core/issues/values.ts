import type { KeyMeaning } from '../../../schemas/issues/facts.js';
import type { AllowedCharacters, ValueParams } from '../../../schemas/issues/values.js';
import { quoteForeign, quoteName } from '../text/foreign.js';
import { joinWords } from '../text/choices.js';
import { formatCount } from '../text/format_count.js';
import { endSentence, sayOf, type Words } from './words.js';

export const VALUE_WORDS: Words<ValueParams> = {
  required: { program: () => 'is required', seller: (_, at) => sayOf(at, 'this is required') },
  choice_wrong: {
    program: ({ given, choices }) =>
      `${given === undefined ? '' : `is ${JSON.stringify(given)}; `}must be one of ${choices.join(', ')}`,
    seller: ({ choices }, at) => sayOf(at, `choose one of these: ${choices.map(toPlainWords).join(', ')}`),
  },
  literal_wrong: {
    program: ({ expected }) => `must be ${expected}`,
    seller: ({ expected }, at) => sayOf(at, `this must be ${expected}`),
  },
  type_wrong: {
    program: (params, at) => `${at === '' ? 'The request ' : ''}${describeType(params)}`,
    seller: (_, at) => sayOf(at, 'this value is not valid'),
  },
  size_wrong: {
    program: ({ of, bound, limit }) => `must ${describeSize(of, bound, limit)}`,
    seller: ({ of, bound, limit }, at) => sayOf(at, `this must ${describeSize(of, bound, limit)}`),
  },
  value_wrong: { program: ({ text }) => text, seller: (_, at) => sayOf(at, 'this value is not valid') },
  integer_inexact: {
    program: ({ value }) => `is ${value}, which is too large for an id or a count`,
    seller: (_, at) => sayOf(at, 'this number is too large'),
  },
  entries_too_many: {
    program: ({ count }, at) => `${have(at)} ${count} entries, which is too many for any list`,
    seller: ({ count }, at) => sayOf(at, `this has ${count} entries, which is too many`),
  },
  keys_too_many: {
    program: ({ count, most }, at) =>
      `${have(at)} ${count} keys, including unknown ones; at most ${most} are allowed`,
    seller: ({ count, most }, at) => sayOf(at, `this has ${count} fields. At most ${most} are allowed`),
  },
  keys_unknown: {
    program: ({ keys }) => `has unknown keys: ${keys.join(', ')}`,
    seller: (_, at) => sayOf(at, 'some of these fields are not recognized'),
  },

  text_empty: { program: () => 'is empty', seller: (_, at) => sayOf(at, 'this cannot be empty') },
  text_only_html: {
    program: () => 'contains only HTML tags, which are removed; write plain text',
    seller: (_, at) => sayOf(at, 'this contains only HTML tags, which are removed. Write plain text'),
  },
  text_too_long: {
    program: ({ chars, most }, at) =>
      `${have(at)} ${formatCount(chars, 'character')}; at most ${most} are allowed`,
    seller: ({ chars, most }, at) =>
      sayOf(at, `this has ${formatCount(chars, 'character')}. Use at most ${most}`),
  },
  text_length_wrong: {
    program: ({ chars, least, most }) =>
      `has ${formatCount(chars, 'character')}; must have ${least} to ${most}`,
    seller: ({ chars, least, most }, at) =>
      sayOf(at, `this has ${formatCount(chars, 'character')}. Use ${least} to ${most}`),
  },
  characters_wrong: {
    program: ({ characters, allowed, entity }) =>
      `has characters that are not allowed: ${formatCharacters(characters, toCharacterWithCode)}; use only ${ALLOWED[allowed]}${entity === undefined ? '' : `; ${entity} is an HTML entity: write the character itself`}`,
    seller: ({ characters, allowed }, at) =>
      sayOf(
        at,
        `these characters are not allowed: ${formatCharacters(characters, toCharacter)}. Use only ${ALLOWED[allowed]}`,
      ),
  },
  characters_repeated: {
    program: ({ repeated, once }) =>
      `has ${repeated.join(' and ')} more than once; use each of ${once.join(' ')} at most once`,
    seller: ({ repeated, once }, at) =>
      sayOf(
        at,
        `${repeated.join(' and ')} ${repeated.length === 1 ? 'appears' : 'appear'} more than once. Use each of ${once.join(' ')} at most once`,
      ),
  },
  first_character_wrong: {
    program: ({ character }) => `starts with ${character}; it must start with a letter or number`,
    seller: ({ character }, at) =>
      sayOf(at, `this starts with ${character}. It must start with a letter or number`),
  },
  number_out_of_range: {
    program: ({ value, least, most }) => `is ${value}; must be from ${least} to ${most}`,
    seller: ({ value, least, most }, at) =>
      sayOf(at, `${value} is not allowed. Use a number from ${least} to ${most}`),
  },
  number_too_small: {
    program: ({ value, least }) => `is ${value}; must be ${least} or more`,
    seller: ({ value, least }, at) => sayOf(at, `${value} is too small. Use ${least} or more`),
  },
  number_not_positive: {
    program: ({ value }) => `is ${value}; must be greater than 0`,
    seller: ({ value }, at) => sayOf(at, `${value} is not allowed. Use a number greater than 0`),
  },
  number_too_large: {
    program: ({ value, most }) => `is ${value}; must be at most ${most}`,
    seller: ({ value, most }, at) => sayOf(at, `${value} is too large. Use at most ${most}`),
  },
  price_too_low: {
    program: ({ value, least }) => `is ${value}; must be at least ${least.toFixed(2)}`,
    seller: ({ value, least }, at) => sayOf(at, `${value} is too low. Use at least ${least.toFixed(2)}`),
  },
  price_too_high: {
    program: ({ value, most, currency_code }) =>
      `is ${value}; the marketplace allows at most ${most} ${currency_code}`,
    seller: ({ value, most, currency_code }, at) =>
      sayOf(at, `${value} is too high. Etsy allows at most ${most} ${currency_code}`),
  },
  price_decimals: {
    program: ({ value, currency_code }) =>
      currency_code === undefined
        ? `is ${value}; at most two decimal places are allowed`
        : `is ${value}; prices in ${currency_code} have no decimal places`,
    seller: ({ value, currency_code }, at) =>
      sayOf(
        at,
        currency_code === undefined
          ? `${value} has more than two decimal places. Use at most two`
          : `${value} has decimal places. Prices in ${currency_code} are whole numbers`,
      ),
  },
  list_empty: {
    program: ({ least, most, items }) => `is empty; send ${least} to ${most} ${ITEMS[items]}`,
    seller: ({ least, most }, at) => sayOf(at, `this list is empty. Add ${least} to ${most}`),
  },
  list_too_long: {
    program: ({ count, most, items }) => `has ${count} ${ITEMS[items]}; at most ${most} are allowed`,
    seller: ({ count, most }, at) => sayOf(at, `${count} is too many. Use at most ${most}`),
  },
  url_is_file: {
    program: () =>
      'is a file path, not a URL; upload the file with file_upload and use the url that it returns',
    seller: (_, at) =>
      sayOf(at, 'this is a file on a computer, not a web address. Upload the file on the Uploads page'),
  },
  url_scheme: {
    program: () => 'must start with https://, http://, or service-upload:// (which file_upload returns)',
    seller: (_, at) =>
      sayOf(at, 'use a web address that starts with https:// or http://, or a file from the Uploads page'),
  },
  url_broken: {
    program: () => 'is not a complete URL',
    seller: (_, at) => sayOf(at, 'this web address is incomplete'),
  },

  key_unknown: {
    program: ({ meaning }) => `is unknown; ${describeMeaning(meaning)}`,
    seller: (_, at) => sayOf(at, 'this field is not recognized here'),
  },
  keys_left_out: {
    program: ({ left_out, seen }) =>
      `The request has ${left_out} more unknown keys after the first ${seen}, too many to check; remove all unknown keys`,
    seller: ({ left_out, seen }) => `The request has ${left_out + seen} unrecognized fields. Remove them`,
  },
  saved_key_unknown: {
    program: ({ meaning }) =>
      `is an unknown key in the saved listing; ${endSentence(describeMeaning(meaning))} Correct it with listing_update before you pay the fee: set this key to null, and set the correct key to its value`,
    seller: (_, at) =>
      `The saved listing has an unrecognized field, ${quoteName(at.split('.').at(-1) ?? at)}. Your assistant can correct it`,
  },
};

/** The probable meaning of an unknown key, as the end of a sentence; empty if nothing is known. */
export function describeMeaning(meaning: KeyMeaning): string {
  switch (meaning.is) {
    case 'unknown':
      return meaning.known ? `known keys: ${meaning.known.join(', ')}` : '';
    case 'needless':
      return meaning.because === 'currency_of_shop'
        ? "prices are in each shop's own currency"
        : 'it is derived from the offerings';
    case 'alias':
      return `here it is called "${meaning.name}"`;
    case 'of_operation':
      return `${meaning.operation_id} accepts it, as "${meaning.name}"`;
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
  return joinWords(all.slice(0, MOST_PLACES), 'disjunction');
}

const ALLOWED: Record<AllowedCharacters, string> = {
  of_title: 'letters, numbers, punctuation, mathematical symbols, spaces, and ™ © ®',
  of_tag: "letters, numbers, spaces, and - ' ™ © ®",
  of_word: 'letters, numbers, and spaces',
  of_option_value: 'characters other than parentheses',
  of_file_name: 'letters A to Z, digits, periods, hyphens, and underscores (no spaces, no parentheses)',
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

function formatCharacters(characters: readonly string[], toName: (character: string) => string): string {
  const shown = characters.slice(0, 5).map(toName);
  return shown.join(', ') + (characters.length > shown.length ? ', …' : '');
}

/** Only invisible characters are named by their code: `a`, `U+200B`. */
function toCharacter(character: string): string {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? character : toCode(character);
}

/** `a (U+0061)` */
function toCharacterWithCode(character: string): string {
  const [name, code] = [toCharacter(character), toCode(character)];
  return name === code ? code : `${name} (${code})`;
}

function toCode(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The beginning of a problem that may be about the request as a whole. */
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
  const broken = is_broken_json
    ? `; the JSON in the string is invalid or is not ${withArticle(expected)}`
    : '';
  return `must be ${what}${quoted}, not ${received === 'string' ? 'a string' : received}${broken}`;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** `made_to_order` as `made to order`. */
function toPlainWords(name: string): string {
  return name.replaceAll('_', ' ');
}
