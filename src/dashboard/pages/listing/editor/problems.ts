import type { Issue } from '../../../../../schemas/issue.js';
import { renderForSeller, writeText } from '../../../../core/issues/render.js';
import { capitalize } from '../../../../core/issues/words.js';
import { getRow } from '../../../../core/listings/listing_fields.js';
import { MORE_FIELDS, PERSONALIZATION_FIELDS } from './more/fields.js';
import { isNumberText } from '../../changes/numbers.js';
import type { Places } from './to_request.js';
import {
  listCurrencies,
  listTicked,
  readOptions,
  readRows,
  readTrimmed,
  shopField,
  type Scope,
  type Values,
} from './values.js';

/** A problem and the id of its field; empty if it is about none of the form's fields. */
export type Problem = {
  field: string;
  text: string;
  /** Names the field, if the text does not. */
  label?: string;
};

/** Paths that do not depend on the form's content. */
const PLACES: Places = [
  ['listing.taxonomy_id', 'category_words'],
  ['images', 'photos-part'],
  ['digital_files', 'files-part'],
  ['videos', 'video-part'],
  ['shops', 'shops-part'],
  ['variations.variation_images', 'pictured'],
  ['variations', 'variations-part'],
  ['personalization.instructions', 'personalization_text'],
  ['personalization.max_chars', 'personalization_max'],
  ['personalization', 'personalization'],
];

const MISSING: Record<string, string> = {
  category_words: 'Choose a category.',
  'shops-part': 'Choose at least one shop.',
};

/** Prefix for paths of the shops that a saved listing is added to. */
export const ADDED = 'added.';

/** The problems of a request, each at its field. @param places of the request, see buildRequest */
export function placeIssues(issues: readonly Issue[], places: Places): Problem[] {
  const all = [...places, ...PLACES];
  return issues.map((issue) => {
    const field = findField(issue.at, all);
    const isMissing = issue.code === 'required' || issue.code === 'list_empty';
    const text = isMissing ? MISSING[field] : undefined;
    return { field, text: text ?? say(issue) };
  });
}

function say(issue: Issue): string {
  return writeText(renderForSeller(withoutIds({ ...issue, at: issue.at.replace(ADDED, '') })));
}

function findField(at: string, places: Places): string {
  const [, image] = /^images\[(\d+)\]/.exec(at) ?? [];
  if (image !== undefined) return `photo_${image}`;
  const [, attribute] = /^category_attributes\.(\d+)/.exec(at) ?? [];
  if (attribute !== undefined) return `attribute_${attribute}`;
  const known = places.find(
    ([path]) => at === path || (at.startsWith(path) && /^[.[]/.test(at.slice(path.length))),
  );
  // The form's other fields have the same names as the request's.
  return known?.[1] ?? /^listing\.(\w+)/.exec(at)?.[1] ?? '';
}

/** The choices are in the field that shows the problem. */
function withoutIds({ notes: _, ...issue }: Issue): Issue {
  return issue;
}

const EXPECTED = {
  number: 'Enter a number without thousands separators, such as 1250 or 12.50.',
  whole: 'Enter a whole number without thousands separators, such as 12.',
};

/**
 * Problems of the form itself: numbers that can be misread, prices that are missing in a currency, and text that would not be saved.
 * @param saved the values of a saved listing
 */
export function listFormProblems(values: Values, scope: Scope, saved?: Values): Problem[] {
  const currencies = listCurrencies(values, scope);
  const shops = listTicked(values, scope);
  const wrong: Problem[] = [];
  const check = (field: string, text: string, type: keyof typeof EXPECTED, label: string) => {
    if (text.trim() !== '' && !isNumberText(text, type)) wrong.push({ field, text: EXPECTED[type], label });
  };
  for (const code of currencies)
    check(`price_${code}`, values.get(`price_${code}`) ?? '', 'number', `Price, ${code}`);
  for (const { shop_id, details } of shops) {
    const name = shopField.price(shop_id);
    check(name, values.get(name) ?? '', 'number', `Price in ${details.shop_name}`);
  }
  for (const field of MORE_FIELDS) {
    const { type, label } = getRow(field);
    if (type === 'number') check(field, values.get(field) ?? '', 'number', capitalize(label.one));
  }
  check('personalization_max', values.get('personalization_max') ?? '', 'whole', 'Maximum characters');
  if (isBlank(values.get('personalization'))) {
    const typed = PERSONALIZATION_FIELDS.filter(
      (field) => readTrimmed(values, field) !== (saved ? readTrimmed(saved, field) : ''),
    );
    for (const field of typed)
      if (!isBlank(values.get(field))) wrong.push({ field, text: PERSONALIZATION_OFF });
  }
  check('quantity', values.get('quantity') ?? '', 'whole', 'Stock');
  readRows(values, currencies).forEach(({ key, prices, stock, is_on }, place) => {
    if (!is_on) return;
    const of = key.join(', ');
    for (const [code, text] of prices)
      check(`row_price_${code}_${place}`, text, 'number', `Price of ${of}, ${code}`);
    check(`row_stock_${place}`, stock, 'whole', `Stock of ${of}`);
  });
  // A listing with too many variations for the form's table may have a price in each of them instead.
  const isPricedElsewhere = (code: string) =>
    saved !== undefined &&
    [saved, values].every((one) => readOptions(one).length === 0 && isBlank(one.get(`price_${code}`))) &&
    listCurrencies(saved, scope).includes(code);
  for (const code of shops.length > 0 ? currencies : []) {
    if (isPricedElsewhere(code)) continue;
    const own = shops.filter(({ details }) => details.currency_code === code);
    const isLacking = own.some(({ shop_id }) => isBlank(values.get(shopField.price(shop_id))));
    if (isBlank(values.get(`price_${code}`)) && isLacking && !hasAllPrices(values, scope, code)) {
      wrong.push({ field: `price_${code}`, text: `Enter a price in ${code}.` });
    }
  }
  return wrong;
}

const PERSONALIZATION_OFF =
  'Personalization is off, so this would not be saved. Choose what buyers may write above, or clear this.';

function hasAllPrices(values: Values, scope: Scope, code: string): boolean {
  const rows = readRows(values, listCurrencies(values, scope)).filter(({ is_on }) => is_on);
  return (
    readOptions(values).length > 0 &&
    rows.length > 0 &&
    rows.every(({ prices }) => !isBlank(prices.get(code)))
  );
}

/** Edited prices that no variation uses, since each has its own. */
export function listUnusedPrices(values: Values, saved: Values, scope: Scope): Problem[] {
  const text = 'Every variation has its own price. Change the prices in the table of variations.';
  return listCurrencies(values, scope)
    .filter((code) => hasAllPrices(values, scope, code))
    .flatMap((code) => {
      const shops = scope.shops.filter(({ details }) => details.currency_code === code);
      return [`price_${code}`, ...shops.map(({ shop_id }) => shopField.price(shop_id))];
    })
    .filter((field) => !isBlank(values.get(field)) && values.get(field) !== saved.get(field))
    .map((field) => ({ field, text }));
}

function isBlank(text: string | null | undefined): boolean {
  return (text ?? '').trim() === '';
}

/** All problems; for each field, only those of the form if it has any. */
export function joinProblems(own: readonly Problem[], found: readonly Problem[]): Problem[] {
  const fields = new Set(own.map(({ field }) => field));
  return [...own, ...found.filter(({ field }) => field === '' || !fields.has(field))];
}

export function byField(problems: readonly Problem[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { field, text } of problems) {
    const known = found.get(field) ?? [];
    if (!known.includes(text)) found.set(field, [...known, text]);
  }
  return found;
}
