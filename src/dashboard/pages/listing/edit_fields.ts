import type { ListingChanges } from '../../../../schemas/listing_changes.js';
import { findSavedOffer } from '../../../core/listings/requests/saved_offer.js';
import { cleanForeign } from '../../../core/text/foreign.js';
import type { EditField } from '../changes/field.js';
import { readNumber } from '../changes/numbers.js';
import type { Detail } from './detail.js';

/** A field of the form, with what the listing has. */
export type ListingField = EditField & { value: string };

const PRICE = 'price_';

/** Title, description and tags for all shops, the price in each, and the stock. */
export function listFields({ request, shops, status }: Detail): ListingField[] {
  const { listing, variations } = request;
  const texts: ListingField[] = [
    { name: 'title', label: 'Title', type: 'text', value: listing.title },
    { name: 'description', label: 'Description', type: 'lines', value: unify(listing.description) },
    {
      name: 'tags',
      label: 'Tags',
      type: 'text',
      note: 'Separate tags with commas.',
      value: (listing.tags ?? []).join(', '),
    },
  ];
  if (variations) return texts;
  // A shop that has no listing yet is changed only in a draft, which is saved here.
  const there = shops.filter(({ listing_id }) => listing_id !== null || status === 'draft');
  const offers = there.map((shop) => {
    const saved = findSavedOffer(request, Number(shop.shop_id));
    return { shop, price: shop.price ?? saved.price, quantity: shop.quantity ?? saved.quantity };
  });
  const prices = offers.map(({ shop, price }): ListingField => ({
    name: `${PRICE}${shop.shop_id}`,
    label: cleanForeign(
      `Price in ${shop.shop_name ?? 'a shop that is not connected'}${shop.currency_code === null ? '' : `, ${shop.currency_code}`}`,
    ),
    type: 'number',
    value: price === null ? '' : String(price),
  }));
  const stocks = [...new Set(offers.map(({ quantity }) => quantity))];
  const [stock] = stocks;
  const isSame = stocks.length === 1 && typeof stock === 'number';
  return [
    ...texts,
    ...prices,
    {
      name: 'quantity',
      label: 'Stock',
      type: 'whole',
      value: isSame ? String(stock) : '',
      ...(!isSame && {
        note: `Leave blank to keep each shop’s stock: ${stocks.join(' / ')}.`,
      }),
    },
  ];
}

/** Whether a field that was edited has been changed by someone else since the form was made. */
export function findConflict(fields: readonly ListingField[], given: URLSearchParams): boolean {
  return fields.some(({ name, value }) => isEdited(name, given) && read(given, `was_${name}`) !== value);
}

/** The merge patch with the edited fields alone; undefined without any. */
export function readChanges(
  fields: readonly ListingField[],
  given: URLSearchParams,
): ListingChanges | undefined {
  const edited = listEdited(fields, given);
  if (edited.length === 0) return undefined;
  const listing: Record<string, unknown> = {};
  const shops: Record<string, unknown>[] = [];
  for (const { name } of edited) {
    const text = read(given, name);
    if (name.startsWith(PRICE)) {
      shops.push({ shop_id: Number(name.slice(PRICE.length)), price: toNumber(text) });
    } else if (name === 'quantity') listing[name] = toNumber(text);
    else if (name === 'tags') listing[name] = toWords(text);
    else listing[name] = text;
  }
  return {
    ...(Object.keys(listing).length > 0 && { listing }),
    ...(shops.length > 0 && { shops }),
    // Values of the wrong type are refused by the operation.
  } as ListingChanges;
}

export function listEdited(fields: readonly ListingField[], given: URLSearchParams): ListingField[] {
  return fields.filter(({ name }) => isEdited(name, given));
}

function isEdited(name: string, given: URLSearchParams): boolean {
  return given.has(name) && read(given, name) !== read(given, `was_${name}`);
}

/** Browsers send line breaks as CR LF. */
function read(given: URLSearchParams, name: string): string {
  return unify(given.get(name) ?? '');
}

function unify(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function toNumber(text: string): number | string {
  return readNumber(text) ?? text.trim();
}

function toWords(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
