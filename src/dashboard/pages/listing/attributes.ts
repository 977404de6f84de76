import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { RefusedError, type Desk } from '../../desk.js';

/** Names and values that belong to the category, such as `Occasion` and `Birthday`. */
export type Attributes = [name: string, value: string][];

/** With the names of the category's schema; where that cannot be had, what the request says by itself. */
export async function listAttributes(
  desk: Desk,
  { listing, category_attributes = {} }: ListingRequest,
): Promise<Attributes> {
  const given = Object.entries(category_attributes);
  if (given.length === 0) return [];
  const category = await desk
    .call('listing_schema', { category_id: listing.taxonomy_id })
    .catch((cause: unknown) => {
      if (cause instanceof RefusedError) return undefined;
      throw cause;
    });
  return given.map(([property_id, { values, value_ids = [] }]) => {
    const known = category?.category_attributes.find(
      (attribute) => String(attribute.property_id) === property_id,
    );
    const names =
      values ??
      value_ids.map(
        (id) => known?.possible_values.find(({ value_id }) => value_id === id)?.name ?? String(id),
      );
    return [known?.display_name ?? `Property ${property_id}`, names.join(', ')];
  });
}
