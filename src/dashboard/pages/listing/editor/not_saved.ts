import type { RefusedError } from '../../../operations.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import { joinWords } from '../../../../core/text/choices.js';
import { describeRefusal } from '../../../words/refusals.js';
import { findPartLabel } from './parts.js';
import { placePrices } from './variations/priced_by.js';
import type { Problem } from './problems.js';
import { listCurrencies, listTicked, readTrimmed, shopField, type Scope, type Values } from './values.js';

/** Why a draft is not saved yet: `Not saved yet. Add a title and a price. Needs correction: Tags.` */
export function describeNotSaved(found: readonly Problem[], values: Values, scope: Scope): string {
  const problems = placePrices(found, values, scope);
  const isProblem = (field: string) => problems.some((problem) => problem.field === field);
  const missing = listNeeds(values, scope).filter(
    ([field, , name = field]) => isProblem(field) && readTrimmed(values, name) === '',
  );
  const others = problems
    .filter(({ field }) => missing.every(([one]) => one !== field))
    .map(({ field, label, text }) => cleanForeign(label ?? findPartLabel(field) ?? text));
  const needed =
    missing.length > 0 ? ` Add ${joinWords([...new Set(missing.map(([, noun]) => noun))])}.` : '';
  const wrong = others.length > 0 ? ` Needs correction: ${[...new Set(others)].join(', ')}.` : '';
  return `Not saved yet.${needed}${wrong}`;
}

/** In the order of the form. `name`: the field that has the value, if its problems appear at another field. */
function listNeeds(values: Values, scope: Scope): [field: string, noun: string, name?: string][] {
  const currencies = listCurrencies(values, scope);
  return [
    ['title', 'a title'],
    ['description', 'a description'],
    ['category_words', 'a category', 'category_id'],
    ['files-part', 'a file for buyers', 'digital'],
    ['shops-part', 'a shop', 'shop'],
    ...listTicked(values, scope).flatMap(({ shop_id }): [string, string][] => [
      [shopField.shipping(shop_id), 'a shipping profile'],
      [shopField.returns(shop_id), 'a return policy'],
    ]),
    ...currencies.map((code): [string, string] => [
      `price_${code}`,
      currencies.length > 1 ? `a price in ${code}` : 'a price',
    ]),
    ['quantity', 'a stock quantity'],
  ];
}

/** For a refusal that is not about the form's fields. */
export function describeNotSavedRefusal({ error }: RefusedError): string {
  return `Not saved yet. ${cleanForeign(describeRefusal(error).lines.join(' '))}`;
}
