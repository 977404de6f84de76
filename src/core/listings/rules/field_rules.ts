import type { ValueProblem } from '../../../../schemas/issue.js';
import type { AllowedCharacters, CountedItems } from '../../../../schemas/issues/values.js';
import { parseUrl } from '../../text/parse_url.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { getRow, OPAQUE, toPath } from '../listing_fields.js';
import { findEntity, toPlainText } from './html.js';
import { MIN_PRICE, hasDecimals, roundTo } from './money.js';
import { isWhenMade, listWhenMade } from './when_made.js';
import { countChars, findForbidden } from './text.js';
import { normalize } from '../../text/normalize.js';

/** The problems of a value; empty if it is valid. */
type Check = (value: never, year: number) => ValueProblem[];

/** One row of the API's resources table. `path` as in the document, with [] for every item and * for every key. */
export type FieldRule = {
  path: string;
  /** JSON Schema keywords of this rule, for the schema shown to callers. */
  bounds?: Readonly<Record<string, number | string | readonly string[]>>;
  /** For a list or record: items far beyond are counted, but not checked. */
  max_items?: number;
  check: Check;
};

// The marketplace's own character classes. They have no combining marks, so these texts are checked and sent in
// composed form (NFC).
const TITLE_FORBIDDEN = new RegExp(MARKETPLACE_FACTS.title_forbidden, 'gu');
const TAG_FORBIDDEN = new RegExp(MARKETPLACE_FACTS.tag_forbidden, 'gu');
const WORD_FORBIDDEN = new RegExp(MARKETPLACE_FACTS.word_forbidden, 'gu');
const PARENTHESES = new RegExp(MARKETPLACE_FACTS.property_value_forbidden, 'gu');
const FILE_NAME_FORBIDDEN = new RegExp(MARKETPLACE_FACTS.digital_file_name_forbidden, 'gu');

const MIN_FILE_NAME = 3;
const MAX_FILE_NAME = MARKETPLACE_FACTS.digital_file_name_max_chars;
const MAX_DESCRIPTION = MARKETPLACE_FACTS.description_max_chars;
const MAX_OPAQUE = 1_000;
const MAX_URL = 2048;
const MAX_PRICE = 1_000_000_000;
const MAX_MEASURE = 1_000_000_000;
/** Counted by their keys; JSON Schema has no maxItems for them. */
const RECORDS: ReadonlySet<string> = new Set(['category_attributes', 'variations.variation_images.mapping']);

/** The most shops a listing may have. */
export const MOST_SHOPS = 50;

export const FIELD_RULES: readonly FieldRule[] = [
  count('shops', 1, MOST_SHOPS, 'shops'),
  atLeastOne('shops[].shop_id'),
  price('shops[].price'),
  atLeastOne('shops[].shipping_profile_id'),
  atLeastOne('shops[].return_policy_id'),
  atLeastOne('shops[].processing_profile_id'),
  atLeastOne('shops[].shop_section_id'),
  count('shops[].production_partner_ids', 0, 100, 'production_partners'),
  atLeastOne('shops[].production_partner_ids[]'),

  text('listing.title', {
    max: MARKETPLACE_FACTS.title_max_chars,
    is_composed: true,
    forbidden: TITLE_FORBIDDEN,
    allowed: 'of_title',
    once: MARKETPLACE_FACTS.title_once,
  }),
  {
    path: 'listing.description',
    bounds: { minLength: 1, maxLength: MAX_DESCRIPTION },
    check: checkDescription,
  },
  atLeastOne('listing.taxonomy_id'),
  price('listing.price'),
  range('listing.quantity', 1, MARKETPLACE_FACTS.quantity_max),
  { path: 'listing.when_made', check: checkWhenMade },
  count('listing.tags', 0, MARKETPLACE_FACTS.tags_per_listing, 'tags'),
  text('listing.tags[]', {
    max: MARKETPLACE_FACTS.tag_max_chars,
    is_composed: true,
    forbidden: TAG_FORBIDDEN,
    allowed: 'of_tag',
    start: /^[-']/,
  }),
  count('listing.materials', 0, MARKETPLACE_FACTS.materials_per_listing, 'materials'),
  text('listing.materials[]', {
    is_composed: true,
    forbidden: WORD_FORBIDDEN,
    allowed: 'of_word',
  }),
  count('listing.styles', 0, MARKETPLACE_FACTS.styles_per_listing, 'styles'),
  text('listing.styles[]', {
    max: MARKETPLACE_FACTS.style_max_chars,
    is_composed: true,
    forbidden: WORD_FORBIDDEN,
    allowed: 'of_word',
  }),
  text('listing.sku', { max: 512, min: 0 }),
  moreThanZero('listing.item_weight'),
  oneOf('listing.item_weight_unit', MARKETPLACE_FACTS.item_weight_units),
  moreThanZero('listing.item_length'),
  moreThanZero('listing.item_width'),
  moreThanZero('listing.item_height'),
  oneOf('listing.item_dimensions_unit', MARKETPLACE_FACTS.item_dimensions_units),
  ...OPAQUE.flatMap((field) => [opaque(toPath(field)), ...[getRow(field).shared ?? []].flat().map(opaque)]),
  atLeastOne('listing.processing_min'),
  atLeastOne('listing.processing_max'),

  count('images', 1, 10, 'images'),
  url('images[].url'),
  range('images[].rank', 1, 10),
  text('images[].alt_text', { max: MARKETPLACE_FACTS.alt_text_max_chars, min: 0 }),
  count('digital_files', 0, MARKETPLACE_FACTS.digital_files_per_listing, 'digital_files'),
  url('digital_files[].url'),
  {
    path: 'digital_files[].name',
    bounds: { minLength: MIN_FILE_NAME, maxLength: MAX_FILE_NAME },
    check: checkFileName,
  },
  count('videos', 0, 1, 'videos'),
  url('videos[].url'),

  text('personalization.instructions', { max: 256, min: 0 }),
  range('personalization.max_chars', 1, MARKETPLACE_FACTS.personalization_answer_max_chars),

  count('category_attributes', 0, 200, 'attributes'),
  count('category_attributes.*.value_ids', 0, 100, 'value_ids'),
  count('category_attributes.*.values', 0, 100, 'values'),

  count('variations.properties', 0, 2, 'properties'),
  atLeastOne('variations.properties[].property_id'),
  text('variations.properties[].name', {}),
  atLeastOne('variations.properties[].scale_id'),
  count('variations.properties[].values', 1, MARKETPLACE_FACTS.values_per_property, 'values'),
  text('variations.properties[].values[]', {
    forbidden: PARENTHESES,
    allowed: 'of_option_value',
  }),
  count('variations.offerings', 0, MARKETPLACE_FACTS.values_per_property ** 2, 'offerings'),
  price('variations.offerings[].price'),
  range('variations.offerings[].quantity', 0, MARKETPLACE_FACTS.quantity_max),
  text('variations.offerings[].sku', { max: 512, min: 0 }),
  atLeastOne('variations.offerings[].processing_profile_id'),
  count('variations.variation_images.mapping', 0, MARKETPLACE_FACTS.values_per_property, 'values'),
];

function text(
  path: string,
  rule: {
    min?: number;
    max?: number;
    forbidden?: RegExp;
    allowed?: AllowedCharacters;
    once?: readonly string[];
    start?: RegExp;
    /** Sent as NFC, and counted in that form. */
    is_composed?: boolean;
  },
): FieldRule {
  const { min = 1, max, forbidden, allowed, once = [], start, is_composed = false } = rule;
  const bounds = { ...(min > 0 ? { minLength: min } : {}), ...(max === undefined ? {} : { maxLength: max }) };
  return {
    path,
    bounds,
    check: (given: string) => {
      const value = is_composed ? normalize(given) : given;
      const chars = countChars(value);
      const wrong = forbidden ? findForbidden(value, forbidden) : [];
      const repeated = once.filter((char) => value.split(char).length > 2);
      const shown = value.trim();
      return listProblems([
        min > 0 && shown === '' && { code: 'text_empty', params: {} },
        max !== undefined && chars > max && { code: 'text_too_long', params: { chars, most: max } },
        wrong.length > 0 &&
          allowed !== undefined && {
            code: 'characters_wrong',
            params: { characters: wrong, allowed, entity: findEntity(value) },
          },
        repeated.length > 0 && { code: 'characters_repeated', params: { repeated, once } },
        start?.test(shown) === true && {
          code: 'first_character_wrong',
          params: { character: shown.charAt(0) },
        },
      ]);
    },
  };
}

/** Text that only the marketplace can validate. */
function opaque(path: string): FieldRule {
  return {
    path,
    bounds: { maxLength: MAX_OPAQUE },
    check: (value: string | number) => {
      const chars = countChars(String(value));
      return listProblems([
        chars > MAX_OPAQUE && { code: 'text_too_long', params: { chars, most: MAX_OPAQUE } },
      ]);
    },
  };
}

function range(path: string, min: number, max: number): FieldRule {
  return {
    path,
    bounds: { minimum: min, maximum: max },
    check: (value: number) =>
      listProblems([
        (value < min || value > max) && {
          code: 'number_out_of_range',
          params: { value, least: min, most: max },
        },
      ]),
  };
}

function atLeastOne(path: string): FieldRule {
  return {
    path,
    bounds: { minimum: 1 },
    check: (value: number) =>
      listProblems([value < 1 && { code: 'number_too_small', params: { value, least: 1 } }]),
  };
}

function moreThanZero(path: string): FieldRule {
  return {
    path,
    bounds: { exclusiveMinimum: 0 },
    check: (value: number) =>
      listProblems([
        value <= 0 && { code: 'number_not_positive', params: { value } },
        value > MAX_MEASURE && { code: 'number_too_large', params: { value, most: MAX_MEASURE } },
      ]),
  };
}

function price(path: string): FieldRule {
  return {
    path,
    bounds: { minimum: MIN_PRICE },
    check: (value: number) => {
      if (value > MAX_PRICE) return [{ code: 'number_too_large', params: { value, most: MAX_PRICE } }];
      const isAmount = hasDecimals(value, 2);
      return listProblems([
        (isAmount ? roundTo(value, 2) : value) < MIN_PRICE && {
          code: 'price_too_low',
          params: { value, least: MIN_PRICE },
        },
        !isAmount && { code: 'price_decimals', params: { value } },
      ]);
    },
  };
}

/** For lists, and for the keys of a record. */
function count(path: string, min: number, max: number, items: CountedItems): FieldRule {
  const isRecord = RECORDS.has(path);
  return {
    path,
    ...(isRecord ? {} : { bounds: { ...(min > 0 ? { minItems: min } : {}), maxItems: max } }),
    max_items: max,
    check: (value: object) => {
      const given = Array.isArray(value) ? value.length : Object.keys(value).length;
      return listProblems([
        given < min && { code: 'list_empty', params: { least: min, most: max, items } },
        given > max && { code: 'list_too_long', params: { count: given, most: max, items } },
      ]);
    },
  };
}

function oneOf(path: string, values: readonly string[]): FieldRule {
  return {
    path,
    bounds: { enum: values },
    check: (value: string) => checkChoice(value, values),
  };
}

function url(path: string): FieldRule {
  return {
    path,
    bounds: { maxLength: MAX_URL },
    check: (value: string) => {
      if (OWN_FILE.test(value)) return [{ code: 'url_is_file', params: {} }];
      const chars = countChars(value);
      if (chars > MAX_URL) return [{ code: 'text_too_long', params: { chars, most: MAX_URL } }];
      if (!/^(https?|service-upload):\/\//i.test(value)) return [{ code: 'url_scheme', params: {} }];
      return parseUrl(value) ? [] : [{ code: 'url_broken', params: {} }];
    },
  };
}

/** `/home/…`, `~/…`, `./…`, `C:\…`, `\\server\…`, and the file itself in a data: URL. */
const OWN_FILE = /^(?:file:|data:|blob:|[/\\~.]|[a-z]:[/\\])/i;

/** The marketplace decides about a name that only another year's calendar explains. */
function checkWhenMade(value: string, year: number): ValueProblem[] {
  return isWhenMade(value) ? [] : checkChoice(value, listWhenMade(year));
}

function checkChoice(given: string, choices: readonly string[]): ValueProblem[] {
  return choices.includes(given) ? [] : [{ code: 'choice_wrong', params: { given, choices } }];
}

function checkDescription(value: string): ValueProblem[] {
  if (value.trim() === '') return [{ code: 'text_empty', params: {} }];
  const chars = countChars(value);
  if (chars > MAX_DESCRIPTION) return [{ code: 'text_too_long', params: { chars, most: MAX_DESCRIPTION } }];
  const isText = toPlainText(value).text.trim() !== '';
  return isText ? [] : [{ code: 'text_only_html', params: {} }];
}

function checkFileName(value: string): ValueProblem[] {
  const chars = countChars(value);
  const characters = findForbidden(value, FILE_NAME_FORBIDDEN);
  return listProblems([
    (chars < MIN_FILE_NAME || chars > MAX_FILE_NAME) && {
      code: 'text_length_wrong',
      params: { chars, least: MIN_FILE_NAME, most: MAX_FILE_NAME },
    },
    characters.length > 0 && { code: 'characters_wrong', params: { characters, allowed: 'of_file_name' } },
  ]);
}

function listProblems(found: readonly (ValueProblem | false)[]): ValueProblem[] {
  return found.filter((problem) => problem !== false);
}
