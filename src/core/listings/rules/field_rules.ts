import { MARKETPLACE_FACTS } from '../marketplace_facts.js';
import { MIN_PRICE, hasDecimals } from './money.js';
import { countChars, findForbidden, formatChars, stripHtml } from './text.js';

/** What is wrong with a value, as the end of a sentence that begins with its path; undefined when it is right. */
type Check = (value: never) => string | undefined;

/** One row of the interface's resources table. `path` as in the document, with [] for every item and * for every key. */
export type FieldRule = {
  path: string;
  /** JSON Schema keywords of this rule, for the schema that callers are shown. */
  bounds?: Readonly<Record<string, number | string | readonly string[]>>;
  check: Check;
};

// The marketplace's own classes. They have no combining marks, so text is judged and sent composed (NFC).
const TITLE_FORBIDDEN = /[^\p{L}\p{Nd}\p{P}\p{Sm}\p{Zs}™©®]/gu;
const TAG_FORBIDDEN = /[^\p{L}\p{Nd}\p{Zs}\-'™©®]/gu;
const WORD_FORBIDDEN = /[^\p{L}\p{Nd}\p{Zs}]/gu;
const PARENTHESES = /[()]/g;

export const FIELD_RULES: readonly FieldRule[] = [
  count('shops', 1, 50, 'shops'),
  atLeastOne('shops[].shop_id'),
  price('shops[].price'),
  atLeastOne('shops[].shipping_profile_id'),
  atLeastOne('shops[].return_policy_id'),
  atLeastOne('shops[].processing_profile_id'),
  atLeastOne('shops[].shop_section_id'),
  atLeastOne('shops[].production_partner_ids[]'),

  text('listing.title', {
    max: 140,
    forbidden: TITLE_FORBIDDEN,
    allowed: 'letters, numbers, punctuation, mathematical symbols, spaces, ™ © ®',
    once: ['%', ':', '&', '+'],
  }),
  { path: 'listing.description', bounds: { minLength: 1 }, check: checkDescription },
  atLeastOne('listing.taxonomy_id'),
  price('listing.price'),
  range('listing.quantity', 1, 999),
  oneOf('listing.when_made', MARKETPLACE_FACTS.when_made),
  count('listing.tags', 0, 13, 'tags'),
  text('listing.tags[]', {
    max: 20,
    forbidden: TAG_FORBIDDEN,
    allowed: "letters, numbers, spaces, -, ', ™ © ®",
    start: /^[-']/,
  }),
  count('listing.materials', 0, 13, 'materials'),
  text('listing.materials[]', { forbidden: WORD_FORBIDDEN, allowed: 'letters, numbers, spaces' }),
  count('listing.styles', 0, 2, 'styles'),
  text('listing.styles[]', {
    max: MARKETPLACE_FACTS.style_max_chars,
    forbidden: WORD_FORBIDDEN,
    allowed: 'letters, numbers, spaces',
  }),
  text('listing.sku', { max: 512 }),
  moreThanZero('listing.item_weight'),
  oneOf('listing.item_weight_unit', MARKETPLACE_FACTS.item_weight_units),
  moreThanZero('listing.item_length'),
  moreThanZero('listing.item_width'),
  moreThanZero('listing.item_height'),
  oneOf('listing.item_dimensions_unit', MARKETPLACE_FACTS.item_dimensions_units),
  atLeastOne('listing.processing_min'),
  atLeastOne('listing.processing_max'),

  count('images', 1, 10, 'images'),
  url('images[].url'),
  range('images[].rank', 1, 10),
  count('digital_files', 0, 5, 'digital files'),
  url('digital_files[].url'),
  { path: 'digital_files[].name', bounds: { minLength: 3, maxLength: 70 }, check: checkFileName },
  count('videos', 0, 1, 'videos'),
  url('videos[].url'),

  text('personalization.instructions', { max: 256, min: 0 }),
  range('personalization.max_chars', 1, 1024),

  count('variations.properties', 0, 2, 'properties'),
  atLeastOne('variations.properties[].property_id'),
  text('variations.properties[].name', { forbidden: PARENTHESES, allowed: 'anything but parentheses' }),
  atLeastOne('variations.properties[].scale_id'),
  count('variations.properties[].values', 1, MARKETPLACE_FACTS.values_per_property, 'values'),
  text('variations.properties[].values[]', { forbidden: PARENTHESES, allowed: 'anything but parentheses' }),
  price('variations.offerings[].price'),
  range('variations.offerings[].quantity', 0, 999),
  text('variations.offerings[].sku', { max: 512, min: 0 }),
  atLeastOne('variations.offerings[].processing_profile_id'),
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
  },
): FieldRule {
  const { min = 1, max, forbidden, allowed, once = [], start } = rule;
  const bounds = { ...(min > 0 ? { minLength: min } : {}), ...(max === undefined ? {} : { maxLength: max }) };
  return {
    path,
    bounds,
    check: (given: string) => {
      const value = given.normalize('NFC');
      const chars = countChars(value);
      const wrong = forbidden ? findForbidden(value, forbidden) : [];
      const repeated = once.filter((char) => value.split(char).length > 2);
      return join([
        min > 0 && value.trim() === '' && 'is empty',
        max !== undefined && chars > max && `has ${chars} characters; at most ${max}`,
        wrong.length > 0 && `has characters that are not allowed: ${formatChars(wrong)}; only ${allowed}`,
        repeated.length > 0 &&
          `has ${repeated.join(' and ')} more than once; each of ${once.join(' ')} at most once`,
        start?.test(value) && `begins with ${value[0]}; begin it with a letter or number`,
      ]);
    },
  };
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
    check: (value: number) => (value <= 0 ? `is ${value}; must be more than 0` : undefined),
  };
}

function price(path: string): FieldRule {
  return {
    path,
    bounds: { minimum: MIN_PRICE },
    check: (value: number) =>
      join([
        value < MIN_PRICE && `is ${value}; at least 0.20`,
        !hasDecimals(value, 2) && `is ${value}; at most two decimals`,
        value > 1_000_000_000 && 'is more than the marketplace can take',
      ]),
  };
}

function count(path: string, min: number, max: number, what: string): FieldRule {
  return {
    path,
    bounds: { ...(min > 0 ? { minItems: min } : {}), maxItems: max },
    check: (items: unknown[]) =>
      items.length < min
        ? `is empty; give ${min} to ${max} ${what}`
        : items.length > max
          ? `has ${items.length} ${what}; at most ${max}`
          : undefined,
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
    check: (value: string) =>
      value.length > 2048
        ? `has ${value.length} characters; at most 2048`
        : /^(https?|service-upload):\/\//i.test(value)
          ? undefined
          : 'must begin with https://, http:// or service-upload://',
  };
}

function checkDescription(value: string): string | undefined {
  if (value.trim() === '') return 'is empty';
  return stripHtml(value).trim() === '' ? 'has nothing but HTML tags, which are stripped' : undefined;
}

function checkFileName(value: string): string | undefined {
  const chars = countChars(value);
  return join([
    (chars < 3 || chars > 70) && `has ${chars} characters; must have 3 to 70`,
    !/^[A-Za-z0-9._-]*$/.test(value) &&
      'may hold only letters, digits, periods, hyphens and underscores (no spaces, no parentheses)',
  ]);
}

function join(problems: readonly (string | false | undefined)[]): string | undefined {
  const found = problems.filter((problem) => typeof problem === 'string');
  return found.length > 0 ? found.join('; ') : undefined;
}
