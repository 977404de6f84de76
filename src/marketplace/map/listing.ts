import type {
  DraftListing,
  ListingChanges,
  MarketplaceListing,
} from '../../core/ports/marketplace_listing.js';
import type { Fields, FieldValue } from '../http/encode.js';
import { ANSWERED_FIELDS, LISTING_WIRE, type WireListing } from './wire_listing.js';
import { decodeEntities } from './entities.js';
import { toPrice } from './money.js';

type ListingType = DraftListing['listing_type'];

export function toListing(wire: WireListing): MarketplaceListing {
  const { listing_id, shop_id, state, url, language, price, production_partners, ending_timestamp } = wire;
  const values: Readonly<Record<string, unknown>> = wire;
  const fields = ANSWERED_FIELDS.map(({ field, answered }) => [field, decode(values[answered])]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields of the table that answers have, and all others
  return {
    ...Object.fromEntries(fields),
    listing_id,
    shop_id,
    state,
    url,
    language,
    listing_type: wire.listing_type === 'download' ? 'digital' : wire.listing_type,
    price: toPrice(price),
    currency_code: price.currency_code,
    skus: wire.skus.map(decodeEntities),
    production_partner_ids: production_partners.map(({ production_partner_id }) => production_partner_id),
    created_at_epoch_s: wire.created_timestamp ?? wire.creation_timestamp ?? 0,
    updated_at_epoch_s: wire.updated_timestamp ?? wire.last_modified_timestamp ?? 0,
    ends_at_epoch_s: (state !== 'draft' && ending_timestamp) || null,
  } as MarketplaceListing;
}

/** Decodes entities in text and lists of text; returns everything else unchanged. */
function decode(value: unknown): unknown {
  if (typeof value === 'string') return decodeEntities(value);
  return Array.isArray(value) ? value.map(decode) : value;
}

/**
 * The fields that create a draft. Empty lists are omitted: the marketplace refuses some (`array_too_short`),
 * and a new listing has nothing to clear.
 */
export function toDraftFields({ listing_type, ...draft }: DraftListing): Fields {
  const given = Object.entries(draft).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return { ...toWireFields(given), type: toWireType(listing_type) };
}

/**
 * The fields of an update. The type is always sent: without it the marketplace has turned digital listings
 * into physical ones.
 */
export function toChangeFields(
  listing_type: ListingType,
  changes: ListingChanges | { state: 'active' | 'inactive' },
): Fields {
  return { ...toWireFields(Object.entries(changes)), type: toWireType(listing_type) };
}

/** The order of photos and the state are not in the table, and have the same names on both sides. */
function toWireFields(fields: readonly [string, FieldValue][]): Fields {
  const known: Readonly<Record<string, { sent: string | null } | undefined>> = LISTING_WIRE;
  return Object.fromEntries(fields.map(([field, value]) => [known[field]?.sent ?? field, value]));
}

function toWireType(listing_type: ListingType): string {
  return listing_type === 'digital' ? 'download' : 'physical';
}
