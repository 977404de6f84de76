import type {
  DraftListing,
  ListingChanges,
  ListingState,
  MarketplaceListing,
} from '../../core/ports/index.js';
import type { FormFields } from '../encode.js';
import { toPrice } from './money.js';
import { toNumberOrNull, toStringOrNull, type Reader, type Wire } from './read.js';
import { decodeEntities } from './text.js';

const STATES: readonly string[] = ['active', 'inactive', 'sold_out', 'draft', 'removed', 'expired'];

/** `type` on the way in, `listing_type` on the way out; digital is called download there. */
const WIRE_TYPES = { physical: 'physical', digital: 'download' } as const;

export function toListingForm({ listing_type, ...rest }: DraftListing): FormFields {
  return { ...rest, type: WIRE_TYPES[listing_type] };
}

/** The type always goes along: leaving it out has turned digital listings physical. */
export function toChangesForm(listing_type: 'physical' | 'digital', changes: ListingChanges): FormFields {
  return { ...changes, type: WIRE_TYPES[listing_type] };
}

export function toListing(read: Reader, wire: Wire): MarketplaceListing {
  const money = toPrice(wire['price']);
  const decode = (texts: string[]) => texts.map(decodeEntities);
  return {
    listing_id: read.number(wire, 'listing_id'),
    state: toState(read.string(wire, 'state')),
    title: decodeEntities(read.string(wire, 'title')),
    description: decodeEntities(toStringOrNull(wire['description']) ?? ''),
    url: toStringOrNull(wire['url']) ?? '',
    listing_type: toListingType(wire['listing_type']),
    taxonomy_id: toNumberOrNull(wire['taxonomy_id']),
    price: money?.price ?? 0,
    currency_code: money?.currency_code ?? '',
    quantity: toNumberOrNull(wire['quantity']) ?? 0,
    created_at_epoch_s:
      toNumberOrNull(wire['created_timestamp']) ?? toNumberOrNull(wire['creation_timestamp']) ?? 0,
    who_made: toStringOrNull(wire['who_made']),
    when_made: toStringOrNull(wire['when_made']),
    is_supply: typeof wire['is_supply'] === 'boolean' ? wire['is_supply'] : null,
    tags: decode(read.strings(wire, 'tags')),
    materials: decode(read.strings(wire, 'materials')),
    styles: decode(read.strings(wire, 'style')),
    shipping_profile_id: toNumberOrNull(wire['shipping_profile_id']),
    return_policy_id: toNumberOrNull(wire['return_policy_id']),
    shop_section_id: toNumberOrNull(wire['shop_section_id']),
    is_customizable: wire['is_customizable'] === true,
    is_taxable: wire['is_taxable'] === true,
    should_auto_renew: wire['should_auto_renew'] === true,
    item_weight: toNumberOrNull(wire['item_weight']),
    item_weight_unit: toStringOrNull(wire['item_weight_unit']),
    item_length: toNumberOrNull(wire['item_length']),
    item_width: toNumberOrNull(wire['item_width']),
    item_height: toNumberOrNull(wire['item_height']),
    item_dimensions_unit: toStringOrNull(wire['item_dimensions_unit']),
  };
}

/** `edit` is an older name of inactive that still leaks out. */
function toState(state: string): ListingState {
  return STATES.includes(state) ? (state as ListingState) : 'inactive';
}

function toListingType(type: unknown): MarketplaceListing['listing_type'] {
  if (type === 'download') return 'digital';
  return type === 'both' ? 'both' : 'physical';
}
