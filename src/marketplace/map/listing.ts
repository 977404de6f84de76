import type {
  DraftListing,
  ListingChanges,
  MarketplaceListing,
} from '../../core/ports/marketplace_listing.js';
import type { Fields } from '../encode.js';
import type { WireListing } from '../wire.js';
import { decodeEntities } from './entities.js';
import { toPrice } from './money.js';

type ListingType = DraftListing['listing_type'];

export function toListing(wire: WireListing): MarketplaceListing {
  const { listing_type, price, style, created_timestamp, creation_timestamp, ...same } = wire;
  return {
    ...same,
    title: decodeEntities(wire.title),
    description: decodeEntities(wire.description),
    tags: wire.tags.map(decodeEntities),
    materials: wire.materials.map(decodeEntities),
    styles: style.map(decodeEntities),
    listing_type: listing_type === 'download' ? 'digital' : listing_type,
    price: toPrice(price),
    currency_code: price.currency_code,
    created_at_epoch_s: created_timestamp ?? creation_timestamp ?? 0,
  };
}

/** An empty list is left out: creation refuses some of them (`array_too_short`), and has nothing to clear. */
export function toDraftFields({ listing_type, ...draft }: DraftListing): Fields {
  const given = Object.entries(draft).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return { ...Object.fromEntries(given), type: toWireType(listing_type) };
}

/** The type goes with every change: without it the marketplace has turned digital listings into physical ones. */
export function toChangeFields(
  listing_type: ListingType,
  changes: ListingChanges | { state: 'active' },
): Fields {
  return { ...changes, type: toWireType(listing_type) };
}

function toWireType(listing_type: ListingType): string {
  return listing_type === 'digital' ? 'download' : 'physical';
}
