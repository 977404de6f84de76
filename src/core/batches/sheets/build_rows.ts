import type { ListingRequest, Offering } from '../../../../schemas/listing_request.js';
import { toOfferingKey } from '../../listings/rules/variation_rules.js';
import { listAllOfferings } from '../../listings/resolve/changes/patch_offerings.js';
import type { ConnectedShop } from '../../ports/index.js';
import { listChoices } from '../edits/apply.js';
import { COLUMNS, type SheetRow } from './columns.js';

/** A listing in one shop, with the shop's current values. */
export type SheetPlace = {
  listing_pk: number;
  shop: ConnectedShop;
  listing_id: number;
  request: ListingRequest;
  state: string | null;
  ends_at: string | null;
};

/** The rows of a listing in one shop, without their versions: one per combination. */
export function buildRows(place: SheetPlace): SheetRow[] {
  const { shop, request, listing_pk, listing_id, state, ends_at } = place;
  const { listing, images = [] } = request;
  const { shop_id, details } = shop;
  const target = request.shops.find((one) => one.shop_id === shop_id);
  const shared: Record<string, string | number | undefined> = {
    listing_pk,
    shop_id,
    shop: details.shop_name,
    listing_id,
    currency: details.currency_code,
    title: listing.title,
    description: listing.description,
    tags: listing.tags?.join(', '),
    materials: listing.materials?.join(', '),
    section: toName(shop, 'shop_section_id', target?.shop_section_id),
    state: state ?? '',
    shipping_profile: toName(shop, 'shipping_profile_id', target?.shipping_profile_id),
    processing_profile: toName(shop, 'processing_profile_id', target?.processing_profile_id),
    ...Object.fromEntries(images.slice(0, 10).map(({ url }, index) => [`photo_${index + 1}`, url])),
    ends_at: ends_at ?? '',
  };
  const price = target?.price ?? listing.price;
  if (!isVaried(request)) {
    const { quantity, sku } = listing;
    return [toRow({ ...shared, price, quantity, sku })];
  }
  return listAllOfferings(request).map((offering) => {
    const [option_1, option_2] = toOptions(request, offering);
    return toRow({
      ...shared,
      option_1,
      option_2,
      price: offering.price ?? price,
      quantity: offering.quantity ?? listing.quantity,
      sku: offering.sku,
      offered: offering.enabled === false ? 'no' : 'yes',
    });
  });
}

export function countRows(request: ListingRequest): number {
  return isVaried(request) ? listAllOfferings(request).length : 1;
}

export function isVaried({ variations }: ListingRequest): boolean {
  return (variations?.properties?.length ?? 0) > 0;
}

/** A combination in two cells: `Size: Large`, `Glaze: Oat`. */
export function toOptions({ variations }: ListingRequest, offering: Offering): [string, string] {
  const [first = '', second = ''] = (variations?.properties ?? []).map(
    ({ name }) => `${name}: ${String(offering[toOfferingKey(name)])}`,
  );
  return [first, second];
}

function toName(
  shop: ConnectedShop,
  field: Parameters<typeof listChoices>[1],
  id: number | null | undefined,
): string | undefined {
  if (id === undefined || id === null) return undefined;
  return listChoices(shop, field).find((choice) => choice.id === id)?.name ?? String(id);
}

function toRow(values: Record<string, string | number | undefined>): SheetRow {
  return COLUMNS.map((column) => String(values[column] ?? ''));
}
