import type { BatchEdit } from '../../../../../schemas/batch.js';
import { listRoundings } from '../../../../core/batches/edits/prices.js';
import { toFieldWords } from '../../../../core/issues/field_words.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import type { EditField } from '../field.js';
import type { EditForm } from './form.js';
import { DIRECTION, readNumber, readSigned, toSign } from '../numbers.js';
import { listCopyForms, listPhotoForms, listProfileForms, listRenewForms } from './more.js';
import { listTicked, type Scope } from '../selection.js';

type Kind = { title: string; button: string; listForms: (scope: Scope) => EditForm[] };

/** The edits that the dashboard offers for many listings, in the order of the buttons. */
export const KINDS = {
  price: { title: 'Change prices', button: 'Price', listForms: listPriceForms },
  stock: { title: 'Change stock', button: 'Stock', listForms: listStockForms },
  tags: { title: 'Change tags', button: 'Tags', listForms: listTagForms },
  section: { title: 'Change the section', button: 'Section', listForms: listSectionForms },
  title: { title: 'Change titles', button: 'Title', listForms: () => listTextForms('title') },
  description: {
    title: 'Change descriptions',
    button: 'Description',
    listForms: () => listTextForms('description'),
  },
  profile: { title: 'Change profiles', button: 'Profiles', listForms: listProfileForms },
  photos: { title: 'Change photos', button: 'Photos', listForms: listPhotoForms },
  sale: { title: 'Activate or deactivate', button: 'Activate or deactivate', listForms: listSaleForms },
  renew: { title: 'Renew', button: 'Renew', listForms: listRenewForms },
  copy: { title: 'Copy to a shop', button: 'Copy to a shop', listForms: listCopyForms },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

export function isKind(name: string | null): name is KindName {
  return name !== null && Object.hasOwn(KINDS, name);
}

function listPriceForms({ shops }: Scope): EditForm[] {
  const currencies = listCurrencies(shops);
  const listMeant = (fields: URLSearchParams) => listCurrencies(listTicked({ shops }, fields));
  const groups = groupByRounding(currencies);
  const roundings = groups.map(({ codes, choices }): EditField => ({
    name: `round_${codes.join('_')}`,
    label: groups.length > 1 ? `Round prices in ${codes.join(', ')}` : 'Round to',
    type: 'choice',
    choices: [['', 'Not rounded'], ...choices.map((choice) => [choice, toRoundingWords(choice)] as const)],
  }));
  const amounts = (label: string) =>
    currencies.map((code): EditField => ({
      name: `amount_${code}`,
      label: `${label} in ${code}`,
      type: 'number',
      ...(currencies.length > 1 && { note: `Leave blank to keep prices in ${code} unchanged.` }),
    }));
  const readRounding = (fields: URLSearchParams, code: string) => {
    const group = groups.find(({ codes }) => codes.includes(code));
    const round_to = group && fields.get(`round_${group.codes.join('_')}`);
    return round_to ? { round_to } : {};
  };
  const readAmounts = (fields: URLSearchParams, op: string, sign: number): BatchEdit[] => {
    const meant = listMeant(fields);
    const edits = meant.flatMap((code): BatchEdit[] => {
      const value = readNumber(fields.get(`amount_${code}`));
      const currency = currencies.length > 1 ? { currency: code } : {};
      const rounding = op === 'set' ? {} : readRounding(fields, code);
      return value === undefined
        ? []
        : [{ field: 'price', op, value: sign * value, ...currency, ...rounding }];
    });
    return edits.length > 0 ? edits : [{ field: 'price', op, currency: meant[0] }];
  };
  return [
    {
      op: 'percent',
      title: 'By percent',
      fields: [DIRECTION, { name: 'percent', label: 'Percent', type: 'percent' }, ...roundings],
      read(fields) {
        const value = readSigned(fields, 'percent');
        const edit = { field: 'price', op: 'increase_percent', value };
        // Currencies with the same rounding are one edit, whichever of them the listings have.
        if (groups.length < 2) return [{ ...edit, ...readRounding(fields, currencies[0] ?? '') }];
        return listMeant(fields).map((code) => ({ ...edit, currency: code, ...readRounding(fields, code) }));
      },
    },
    {
      op: 'amount',
      title: 'By an amount',
      fields: [DIRECTION, ...amounts('Amount'), ...roundings],
      read: (fields) => readAmounts(fields, 'increase_by', toSign(fields)),
    },
    {
      op: 'set',
      title: 'To one price',
      fields: amounts('Price'),
      read: (fields) => readAmounts(fields, 'set', 1),
    },
  ];
}

function listCurrencies(shops: Scope['shops']): string[] {
  return [...new Set(shops.map(({ details }) => details.currency_code))].sort();
}

/** Currencies with the same choices. */
function groupByRounding(currencies: readonly string[]): { codes: string[]; choices: string[] }[] {
  const groups = new Map<string, { codes: string[]; choices: string[] }>();
  for (const code of currencies) {
    const choices = listCoarser(code);
    const group = groups.get(choices.join()) ?? { codes: [], choices };
    group.codes.push(code);
    groups.set(choices.join(), group);
  }
  return [...groups.values()];
}

/** Roundings coarser than the finest one, which all prices already have. */
function listCoarser(currency_code: string): string[] {
  const all = listRoundings(currency_code);
  const endings = all.filter((choice) => choice.startsWith('x.'));
  const [, ...steps] = all
    .filter((choice) => !endings.includes(choice))
    .sort((a, b) => Number(a) - Number(b));
  return [...steps, ...endings];
}

function toRoundingWords(choice: string): string {
  return choice.startsWith('x.') ? `End in ${choice.slice(1)}` : choice;
}

function listStockForms(): EditForm[] {
  return [
    {
      op: 'set',
      title: 'Set the stock',
      note: 'Each variation gets this stock.',
      fields: [{ name: 'value', label: 'Stock', type: 'whole' }],
      read: (fields) => [{ field: 'quantity', op: 'set', value: readNumber(fields.get('value')) }],
    },
    {
      op: 'add',
      title: 'Add or remove',
      fields: [DIRECTION, { name: 'value', label: 'Quantity', type: 'whole' }],
      read: (fields) => [{ field: 'quantity', op: 'add', value: readSigned(fields, 'value') }],
    },
  ];
}

const WORDS_NOTE = 'Separate tags with commas.';

function listTagForms(): EditForm[] {
  const ways = [
    ['add', 'Add tags'],
    ['remove', 'Remove tags'],
    ['set', 'Replace all tags'],
  ] as const;
  return [
    ...ways.map(([op, title]): EditForm => ({
      op,
      title,
      fields: [{ name: 'value', label: 'Tags', type: 'text', note: WORDS_NOTE }],
      read: (fields) => [{ field: 'tags', op, value: readWords(fields.get('value')) }],
    })),
    {
      op: 'replace',
      title: 'Replace one tag',
      fields: [
        { name: 'find', label: 'Tag', type: 'text' },
        { name: 'with', label: 'New tag', type: 'text' },
      ],
      read: (fields) => [readReplacement('tags', fields)],
    },
  ];
}

/** `none` cannot be the name of a section, since names start with `name:`. */
function listSectionForms({ shops }: Scope): EditForm[] {
  const names = new Set(shops.flatMap(({ lists }) => lists.shop_sections.map(({ title }) => title)));
  const choices = [...names].sort().map((name) => [`name:${name}`, cleanForeign(name)] as const);
  return [
    {
      op: 'set',
      title: 'Move to a section',
      note: 'Listings are skipped in shops that have no section with this name.',
      fields: [
        {
          name: 'value',
          label: 'Shop section',
          type: 'choice',
          choices: [...choices, ['none', 'No section']],
        },
      ],
      read(fields) {
        const chosen = fields.get('value') ?? '';
        const value = chosen === 'none' ? null : chosen.slice('name:'.length);
        return [{ field: 'shop_section_id', op: 'set', value }];
      },
    },
  ];
}

function listTextForms(field: 'title' | 'description'): EditForm[] {
  const name = toFieldWords(field);
  const type = field === 'title' ? 'text' : 'lines';
  const ways = [
    ['prepend', `Add before the ${name}`],
    ['append', `Add after the ${name}`],
    ['set', `One ${name} for all`],
  ] as const;
  const [before, after, set] = ways.map(([op, title]): EditForm => ({
    op,
    title,
    fields: [
      {
        name: 'value',
        label: 'Text',
        type,
        ...(op !== 'set' && field === 'title' && { note: 'A space is added between the two.' }),
      },
    ],
    read(fields) {
      const text = fields.get('value') ?? '';
      return [{ field, op, value: text === '' ? undefined : withSpace(field, op, text) }];
    },
  }));
  const replace: EditForm = {
    op: 'replace',
    title: 'Find and replace',
    note: 'Finds exact matches only, including capitalization.',
    fields: [
      { name: 'find', label: 'Find', type: 'text' },
      { name: 'with', label: 'Replace with', type: 'text', note: 'Leave blank to remove the text.' },
    ],
    read: (fields) => [readReplacement(field, fields)],
  };
  return [before, after, replace, set].filter((form) => form !== undefined);
}

/** Adds the space or blank line between the parts, which sellers do not type. */
function withSpace(field: 'title' | 'description', op: 'prepend' | 'append' | 'set', text: string): string {
  const unified = text.replaceAll('\r\n', '\n');
  if (op === 'set') return unified;
  if (field === 'description') return op === 'prepend' ? `${unified}\n\n` : `\n\n${unified}`;
  return op === 'prepend' ? `${unified.trim()} ` : ` ${unified.trim()}`;
}

function listSaleForms(): EditForm[] {
  return [
    {
      op: 'inactive',
      title: 'Deactivate',
      note: 'Free. Buyers no longer see the listings. Reactivating them is free until their four months end.',
      fields: [],
      read: () => [{ field: 'state', op: 'inactive' }],
    },
    {
      op: 'active',
      title: 'Activate',
      note: 'Activates inactive listings and renews expired or sold-out ones. The next page shows the cost.',
      fields: [
        {
          name: 'stock',
          label: 'Stock for sold-out listings',
          type: 'whole',
          note: 'Optional.',
        },
      ],
      read(fields) {
        const stock = readNumber(fields.get('stock'));
        return [{ field: 'state', op: 'active', ...(stock !== undefined && { stock }) }];
      },
    },
  ];
}

function readReplacement(field: string, fields: URLSearchParams): BatchEdit {
  return { field, op: 'replace', find: fields.get('find') ?? '', with: fields.get('with') ?? '' };
}

function readWords(text: string | null): string[] | undefined {
  const words = (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words.length > 0 ? words : undefined;
}
