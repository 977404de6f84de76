import type {
  DraftListing,
  ListingChanges,
  MarketplaceListing,
} from '../../core/ports/marketplace_listing.js';
import type { Fields } from '../http/encode.js';
import type { WireListing } from './wire.js';
import { decodeEntities } from './entities.js';
import { toPrice } from './money.js';

type ListingType = DraftListing['listing_type'];

export function toListing(wire: WireListing): MarketplaceListing {
  const {
    listing_type,
    price,
    style,
    created_timestamp,
    creation_timestamp,
    updated_timestamp,
    last_modified_timestamp,
    ending_timestamp,
    production_partners,
    ...same
  } = wire;
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
    skus: wire.skus.map(decodeEntities),
    production_partner_ids: production_partners.map(({ production_partner_id }) => production_partner_id),
    created_at_epoch_s: created_timestamp ?? creation_timestamp ?? 0,
    updated_at_epoch_s: updated_timestamp ?? last_modified_timestamp ?? 0,
    ends_at_epoch_s: (wire.state !== 'draft' && ending_timestamp) || null,
  };
}

/**
 * The fields that create a draft. Empty lists are left out: the marketplace refuses some (`array_too_short`), and a new listing has
 * nothing to clear.
 */
export function toDraftFields({ listing_type, ...draft }: DraftListing): Fields {
  const given = Object.entries(draft).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return { ...Object.fromEntries(given), type: toWireType(listing_type) };
}

/** The fields of a change. The type is always sent: without it the marketplace has turned digital listings into physical ones. */
export function toChangeFields(
  listing_type: ListingType,
  changes: ListingChanges | { state: 'active' | 'inactive' },
): Fields {
  return { ...changes, type: toWireType(listing_type) };
}

function toWireType(listing_type: ListingType): string {
  return listing_type === 'digital' ? 'download' : 'physical';
}
