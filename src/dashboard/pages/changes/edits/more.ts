import type { BatchEdit } from '../../../../../schemas/batch.js';
import { listReferences, type ReferenceField } from '../../../../core/listings/requests/shop_references.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import type { EditField } from '../field.js';
import { readNumber } from '../numbers.js';
import type { Scope } from '../selection.js';
import type { EditForm } from './form.js';

const PROFILES = [
  ['shipping_profile_id', 'Shipping profile'],
  ['processing_profile_id', 'Processing profile'],
  ['return_policy_id', 'Return policy'],
] as const satisfies [ReferenceField, string][];

const COPIED = [...PROFILES, ['shop_section_id', 'Shop section']] as const satisfies [
  ReferenceField,
  string,
][];

/** A form for each kind of profile that at least one of the shops has. Names are resolved in each shop. */
export function listProfileForms({ shops }: Scope): EditForm[] {
  return PROFILES.flatMap(([field, label]): EditForm[] => {
    const names = new Set(
      shops.flatMap(({ lists }) => listReferences(lists, field).flatMap(({ name = [] }) => name)),
    );
    if (names.size === 0) return [];
    const choices = [...names].sort().map((name) => [name, cleanForeign(name)] as const);
    return [
      {
        op: field,
        title: label,
        note: 'Listings are skipped in shops that have none, or several, with this name.',
        fields: [{ name: 'value', label, type: 'choice', choices }],
        read: (fields) => [{ field, op: 'set', value: fields.get('value') ?? undefined }],
      },
    ];
  });
}

function buildAdd(op: 'append' | 'prepend', title: string): EditForm {
  return {
    op,
    title,
    fields: [{ name: 'file', label: 'Photos', type: 'photos', note: 'JPG, PNG, GIF, HEIC, WebP or AVIF.' }],
    read: (_, urls) => [{ field: 'images', op, value: [...urls] }],
  };
}

export function listPhotoForms(): EditForm[] {
  return [
    buildAdd('append', 'Add photos at the end'),
    buildAdd('prepend', 'Add photos at the beginning'),
    {
      op: 'remove',
      title: 'Remove a photo',
      fields: [{ name: 'value', label: 'Position', type: 'whole', note: '1 is the main photo.' }],
      read: (fields) => [{ field: 'images', op: 'remove', value: toList(readNumber(fields.get('value'))) }],
    },
    {
      op: 'set_alt_text',
      title: 'Set alt text',
      fields: [
        { name: 'rank', label: 'Position', type: 'whole', note: '1 is the main photo.' },
        { name: 'value', label: 'Alt text', type: 'text' },
      ],
      read(fields) {
        const rank = readNumber(fields.get('rank'));
        const alt_text = fields.get('value') ?? '';
        return [{ field: 'images', op: 'set_alt_text', value: toList(rank && { rank, alt_text }) }];
      },
    },
  ];
}

function toList<Value>(value: Value | undefined): Value[] | undefined {
  return value === undefined ? undefined : [value];
}

/**
 * A form for each connected shop that does not have all of the listings. Blank fields are matched by name and
 * terms; another currency needs its price.
 */
export function listCopyForms({ connected, shops, shared }: Scope): EditForm[] {
  const currencies = new Set(shops.map(({ details }) => details.currency_code));
  const others = connected.filter(({ shop_id }) => !shared.has(`${shop_id}`));
  return others.map(({ shop_id, details: { shop_name, currency_code }, lists }): EditForm => {
    const isForeign = currencies.size > 1 || !currencies.has(currency_code);
    const price: EditField = {
      name: 'price',
      label: `Price in ${currency_code}`,
      type: 'number',
      ...(currencies.size > 0 && !currencies.has(currency_code)
        ? { is_required: true }
        : { note: 'Needed for listings in another currency.' }),
    };
    const references = COPIED.flatMap(([field, label]): EditField[] => {
      const known = listReferences(lists, field);
      if (known.length === 0) return [];
      const choices = known.map(({ id, name = '' }) => [`${id}`, cleanForeign(name)] as const);
      const none = field === 'shop_section_id' ? ([['none', 'No section']] as const) : [];
      return [
        {
          name: field,
          label,
          type: 'choice',
          choices: [['', 'Match by name'], ...choices, ...none],
        },
      ];
    });
    return {
      op: `to_${shop_id}`,
      title: `To ${cleanForeign(shop_name)}`,
      note: 'Creates drafts, which are free. Listings that the shop has already are skipped.',
      is_of_all_shops: true,
      fields: [...(isForeign ? [price] : []), ...references],
      read(fields) {
        const amount = readNumber(fields.get('price'));
        const chosen = COPIED.flatMap(([field]) => {
          const value = fields.get(field) ?? '';
          return value === '' ? [] : [[field, value === 'none' ? null : Number(value)] as const];
        });
        const target = {
          shop_id,
          ...(amount !== undefined && { price: amount }),
          ...Object.fromEntries(chosen),
        };
        return [{ field: 'copy', op: 'to', shops: [target] }];
      },
    };
  });
}

function buildAutoRenew(isOn: boolean): EditForm {
  return {
    op: isOn ? 'auto_on' : 'auto_off',
    title: `Turn auto-renew ${isOn ? 'on' : 'off'}`,
    note: isOn
      ? 'Free now. Etsy charges a listing fee at each renewal.'
      : 'Free. The listings expire at the end of their four months.',
    fields: [],
    read: (): BatchEdit[] => [{ field: 'should_auto_renew', op: 'set', value: isOn }],
  };
}

export function listRenewForms(): EditForm[] {
  return [
    {
      op: 'renew',
      title: 'Renew expired or sold-out listings',
      note: 'Costs a listing fee for each shop, which the next page shows. Active listings stay unchanged.',
      fields: [
        {
          name: 'stock',
          label: 'Stock for sold-out listings',
          type: 'whole',
          note: 'Leave empty if none is sold out.',
        },
      ],
      read(fields) {
        const stock = readNumber(fields.get('stock'));
        return [{ field: 'state', op: 'active', ...(stock !== undefined && { stock }) }];
      },
    },
    buildAutoRenew(true),
    buildAutoRenew(false),
  ];
}
