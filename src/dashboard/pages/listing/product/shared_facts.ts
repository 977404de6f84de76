import { LISTING_FIELDS } from '../../../../../schemas/listing_fields.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { readGiven, SHARED } from '../../../../core/listings/listing_fields.js';

/** Facts that shops can share or have of their own, by their labels; several values where the shops have several. */
export function listSharedFacts({ listing, shops }: ListingRequest): (readonly [string, string])[] {
  return SHARED.flatMap((field) => {
    const values = shops.map((target) => readGiven(field, listing, target));
    const given = [...new Set(values.filter((value) => value !== undefined && value !== null).map(String))];
    const { one } = LISTING_FIELDS[field].label;
    return given.length === 0
      ? []
      : [[`${one.charAt(0).toUpperCase()}${one.slice(1)}`, given.join(', ')] as const];
  });
}
