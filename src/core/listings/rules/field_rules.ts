import { formatCount } from '../../text/format_count.js';
import { parseUrl } from '../../text/parse_url.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { getRow, OPAQUE, toPath } from '../listing_fields.js';
import { findEntity, toPlainText } from './html.js';
import { MIN_PRICE, hasDecimals, roundTo } from './money.js';
import { isWhenMade, listWhenMade } from './when_made.js';
import { countChars, findForbidden, formatChars } from './text.js';

/** The problem of a value, as the end of a sentence that begins with its path; undefined when it is right. */
type Check = (value: never, year: number) => string | undefined;

/** One row of the interface's resources table. `path` as in the document, with [] for every item and * for every key. */
export type FieldRule = {
  path: string;
  /** JSON Schema keywords of this rule, for the schema that callers are shown. */
  bounds?: Readonly<Record<string, number | string | readonly string[]>>;
  /** Of a list or record: what is far beyond is counted and not looked at. */
  max_items?: number;
  check: Check;
};

// The marketplace's own classes. They have no combining marks, so these texts are judged and sent composed (NFC).
const TITLE_FORBIDDEN = new RegExp(MARKETPLACE_FACTS.title_forbidden, 'gu');
const TAG_FORBIDDEN = new RegExp(MARKETPLACE_FACTS.tag_forbidden, 'gu');
const WORD_FORBIDDEN = new RegExp(MARKETPLACE_FACTS.word_forbidden, 'gu');
const PARENTHESES = new RegExp(MARKETPLACE_FACTS.property_value_forbidden, 'gu');
const FILE_NAME_FORBIDDEN = new RegExp(MARKETPLACE_FACTS.digital_file_name_forbidden, 'gu');

const MAX_FILE_NAME = MARKETPLACE_FACTS.digital_file_name_max_chars;
const MAX_DESCRIPTION = MARKETPLACE_FACTS.description_max_chars;
const MAX_OPAQUE = 1_000;
const MAX_PRICE = 1_000_000_000;
const MAX_MEASURE = 1_000_000_000;
/** Counted by their keys; JSON Schema has no maxItems for them. */
const RECORDS: ReadonlySet<string> = new Set(['category_attributes', 'variations.variation_images.mapping']);

/** Shops of a listing. */
export const MOST_SHOPS = 50;

export const FIELD_RULES: readonly FieldRule[] = [
  count('shops', 1, MOST_SHOPS, 'shops'),
  atLeastOne('shops[].shop_id'),
  price('shops[].price'),
  atLeastOne('shops[].shipping_profile_id'),
  atLeastOne('shops[].return_policy_id'),
  atLeastOne('shops[].processing_profile_id'),
  atLeastOne('shops[].shop_section_id'),
  count('shops[].production_partner_ids', 0, 100, 'production partners'),
  atLeastOne('shops[].production_partner_ids[]'),

  text('listing.title', {
    max: MARKETPLACE_FACTS.title_max_chars,
    is_composed: true,
    forbidden: TITLE_FORBIDDEN,
    allowed: 'letters, numbers, punctuation, mathematical symbols, spaces, ™ © ®',
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
    allowed: "letters, numbers, spaces, -, ', ™ © ®",
    start: /^[-']/,
  }),
  count('listing.materials', 0, MARKETPLACE_FACTS.materials_per_listing, 'materials'),
  text('listing.materials[]', {
    is_composed: true,
    forbidden: WORD_FORBIDDEN,
    allowed: 'letters, numbers, spaces',
  }),
  count('listing.styles', 0, MARKETPLACE_FACTS.styles_per_listing, 'styles'),
  text('listing.styles[]', {
    max: MARKETPLACE_FACTS.style_max_chars,
    is_composed: true,
    forbidden: WORD_FORBIDDEN,
    allowed: 'letters, numbers, spaces',
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
  count('digital_files', 0, MARKETPLACE_FACTS.digital_files_per_listing, 'digital files'),
  url('digital_files[].url'),
  { path: 'digital_files[].name', bounds: { minLength: 3, maxLength: MAX_FILE_NAME }, check: checkFileName },
  count('videos', 0, 1, 'videos'),
  url('videos[].url'),

  text('personalization.instructions', { max: 256, min: 0 }),
  range('personalization.max_chars', 1, MARKETPLACE_FACTS.personalization_answer_max_chars),

  count('category_attributes', 0, 200, 'attributes'),
  count('category_attributes.*.value_ids', 0, 100, 'value ids'),
  count('category_attributes.*.values', 0, 100, 'values'),

  count('variations.properties', 0, 2, 'properties'),
  atLeastOne('variations.properties[].property_id'),
  text('variations.properties[].name', {}),
  atLeastOne('variations.properties[].scale_id'),
  count('variations.properties[].values', 1, MARKETPLACE_FACTS.values_per_property, 'values'),
  text('variations.properties[].values[]', {
    forbidden: PARENTHESES,
    allowed: 'characters other than parentheses',
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
    allowed?: string;
    once?: readonly string[];
    start?: RegExp;
    /** Sent as NFC, and counted as it is sent. */
    is_composed?: boolean;
  },
): FieldRule {
  const { min = 1, max, forbidden, allowed, once = [], start, is_composed = false } = rule;
  const bounds = { ...(min > 0 ? { minLength: min } : {}), ...(max === undefined ? {} : { maxLength: max }) };
  return {
    path,
    bounds,
    check: (given: string) => {
      const value = is_composed ? given.normalize('NFC') : given;
      const chars = countChars(value);
      const wrong = forbidden ? findForbidden(value, forbidden) : [];
      const repeated = once.filter((char) => value.split(char).length > 2);
      return join([
        min > 0 && value.trim() === '' && 'is empty',
        max !== undefined && chars > max && `has ${formatCount(chars, 'character')}; at most ${max}`,
        wrong.length > 0 &&
          `has characters that are not allowed: ${formatChars(wrong)}; only ${allowed}${describeEntity(value)}`,
        repeated.length > 0 &&
          `has ${repeated.join(' and ')} more than once; each of ${once.join(' ')} at most once`,
        start?.test(value.trim()) && `begins with ${value.trim()[0]}; begin it with a letter or number`,
      ]);
    },
  };
}

/** What only the marketplace can judge. */
function opaque(path: string): FieldRule {
  return {
    path,
    bounds: { maxLength: MAX_OPAQUE },
    check: (value: string | number) =>
      countChars(String(value)) > MAX_OPAQUE
        ? `has ${formatCount(countChars(String(value)), 'character')}; at most ${MAX_OPAQUE}`
        : undefined,
  };
}

function describeEntity(value: string): string {
  const entity = findEntity(value);
  return entity === undefined ? '' : `; ${entity} is HTML`;
}

function range(path: string, min: number, max: number): FieldRule {
  return {
    path,
    bounds: { minimum: min, maximum: max },
    check: (value: number) =>
      value < min || value > max ? `is ${value}; must be ${min} to ${max}` : undefined,
  };
}

function atLeastOne(path: string): FieldRule {
  return {
    path,
    bounds: { minimum: 1 },
    check: (value: number) => (value < 1 ? `is ${value}; must be 1 or more` : undefined),
  };
}

function moreThanZero(path: string): FieldRule {
  return {
    path,
    bounds: { exclusiveMinimum: 0 },
    check: (value: number) =>
      value <= 0
        ? `is ${value}; must be more than 0`
        : value > MAX_MEASURE
          ? `is ${value}; must be at most ${MAX_MEASURE}`
          : undefined,
  };
}

function price(path: string): FieldRule {
  return {
    path,
    bounds: { minimum: MIN_PRICE },
    check: (value: number) => {
      if (value > MAX_PRICE) return `is ${value}; at most ${MAX_PRICE}`;
      const isAmount = hasDecimals(value, 2);
      return join([
        (isAmount ? roundTo(value, 2) : value) < MIN_PRICE && `is ${value}; at least ${MIN_PRICE.toFixed(2)}`,
        !isAmount && `is ${value}; at most two decimals`,
      ]);
    },
  };
}

/** Of a list, or of the keys of a record. */
function count(path: string, min: number, max: number, what: string): FieldRule {
  const isRecord = RECORDS.has(path);
  return {
    path,
    ...(isRecord ? {} : { bounds: { ...(min > 0 ? { minItems: min } : {}), maxItems: max } }),
    max_items: max,
    check: (items: object) => {
      const given = Array.isArray(items) ? items.length : Object.keys(items).length;
      if (given < min) return `is empty; give ${min} to ${max} ${what}`;
      return given > max ? `has ${given} ${what}; at most ${max}` : undefined;
    },
  };
}

function oneOf(path: string, values: readonly string[]): FieldRule {
  return {
    path,
    bounds: { enum: values },
    check: (value: string) =>
      values.includes(value) ? undefined : `is ${JSON.stringify(value)}; must be one of ${values.join(', ')}`,
  };
}

function url(path: string): FieldRule {
  return {
    path,
    bounds: { maxLength: 2048 },
    check: (value: string) => {
      if (OWN_FILE.test(value)) {
        return 'is a file of your own and no address; send it with file_upload and use the url of its answer';
      }
      if (countChars(value) > 2048) return `has ${countChars(value)} characters; at most 2048`;
      if (!/^(https?|service-upload):\/\//i.test(value)) {
        return 'must begin with https://, http:// or service-upload://, which file_upload answers for a file';
      }
      return parseUrl(value) ? undefined : 'is no complete address';
    },
  };
}

/** `/home/…`, `~/…`, `./…`, `C:\…`, `\\server\…`, and the file itself in a data: URL. */
const OWN_FILE = /^(?:file:|data:|blob:|[/\\~.]|[a-z]:[/\\])/i;

/** A name that only another year's calendar explains is for the marketplace to judge. */
function checkWhenMade(value: string, year: number): string | undefined {
  if (isWhenMade(value)) return undefined;
  return `is ${JSON.stringify(value)}; must be one of ${listWhenMade(year).join(', ')}`;
}

function checkDescription(value: string): string | undefined {
  if (value.trim() === '') return 'is empty';
  const chars = countChars(value);
  if (chars > MAX_DESCRIPTION) {
    return `has ${formatCount(chars, 'character')}; at most ${MAX_DESCRIPTION}`;
  }
  const isText = toPlainText(value).text.trim() !== '';
  return isText ? undefined : 'has nothing but HTML tags, which are stripped';
}

function checkFileName(value: string): string | undefined {
  const chars = countChars(value);
  const wrong = findForbidden(value, FILE_NAME_FORBIDDEN);
  return join([
    (chars < 3 || chars > MAX_FILE_NAME) &&
      `has ${formatCount(chars, 'character')}; must have 3 to ${MAX_FILE_NAME}`,
    wrong.length > 0 &&
      `has characters that are not allowed: ${formatChars(wrong)}; only letters A to Z, digits, periods, hyphens and underscores (no spaces, no parentheses)`,
  ]);
}

function join(problems: readonly (string | false | undefined)[]): string | undefined {
  const found = problems.filter((problem) => typeof problem === 'string');
  return found.length > 0 ? found.join('; ') : undefined;
}
