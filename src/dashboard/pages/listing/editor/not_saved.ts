import type { RefusedError } from '../../../operations.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import { joinWords } from '../../../../core/text/choices.js';
import { describeRefusal } from '../../../words/refusals.js';
import { findPartLabel } from './parts.js';
import { placePrices } from './variations/priced_by.js';
import type { Problem } from './problems.js';
import {
  listCurrencies,
  listTicked,
  readOptions,
  readTrimmed,
  shopField,
  type Scope,
  type Values,
} from './values.js';

/** Why a draft is not saved yet: `Not saved yet. Add a title and a price. Needs correction: Tags.` */
export function describeNotSaved(found: readonly Problem[], values: Values, scope: Scope): string {
  const problems = placePrices(found, values, scope);
  const isProblem = (field: string) => problems.some((problem) => problem.field === field);
  const missing = listNeeds(values, scope).filter(({ field, is_blank }) => isProblem(field) && is_blank);
  const others = problems
    .filter(({ field }) => missing.every((one) => one.field !== field))
    .map(({ field, label, text }) => cleanForeign(label ?? findPartLabel(field) ?? text));
  const needed =
    missing.length > 0 ? ` Add ${joinWords([...new Set(missing.map(({ noun }) => noun))])}.` : '';
  const wrong = others.length > 0 ? ` Needs correction: ${[...new Set(others)].join(', ')}.` : '';
  return `Not saved yet.${needed}${wrong}`;
}

/** A part that every draft has. `field`: where its absence is reported. */
type Need = { field: string; noun: string; is_blank: boolean };

/** In the order of the form. */
function listNeeds(values: Values, scope: Scope): Need[] {
  /** @param name the field that has the value, if it is reported at another one */
  const need = (field: string, noun: string, name = field): Need => ({
    field,
    noun,
    is_blank: readTrimmed(values, name) === '',
  });
  const shops = listTicked(values, scope);
  const currencies = listCurrencies(values, scope);
  const options = readOptions(values);
  return [
    need('title', 'a title'),
    need('description', 'a description'),
    need('category_words', 'a category', 'category_id'),
    need('files-part', 'a file for buyers', 'digital'),
    need('shops-part', 'a shop', 'shop'),
    ...shops.flatMap(({ shop_id, details }) => {
      const where = shops.length > 1 ? ` for ${cleanForeign(details.shop_name)}` : '';
      return [
        need(shopField.shipping(shop_id), `a shipping profile${where}`),
        need(shopField.returns(shop_id), `a return policy${where}`),
      ];
    }),
    ...currencies.map((code) => {
      const where = shops.length > 0 && currencies.length > 1 ? ` in ${code}` : '';
      return need(`price_${code}`, `${options.length > 0 ? 'prices' : 'a price'}${where}`);
    }),
    need('quantity', options.length > 0 ? 'stock' : 'a stock quantity'),
    ...options.flatMap(({ name, values: own }, index): Need[] => [
      {
        field: `option_name_${index}`,
        noun: index === 0 ? 'the first option' : 'the second option',
        is_blank: name === '',
      },
      {
        field: `option_values_${index}`,
        noun: nameValues(name, index),
        is_blank: own.length === 0,
      },
    ]),
  ];
}

function nameValues(option: string, index: number): string {
  if (option !== '') return `the values of ${cleanForeign(option)}`;
  return index === 0 ? 'its values' : 'the values of the second option';
}

/** For a refusal that is not about the form's fields. */
export function describeNotSavedRefusal({ error }: RefusedError): string {
  return `Not saved yet. ${cleanForeign(describeRefusal(error).lines.join(' '))}`;
}
