import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { RefusedError, toRefusal, type Operations } from '../../../operations.js';

/** The category, followed by its names and values, such as `Occasion` and `Birthday`. */
export type Attributes = [name: string, value: string][];

/** Attributes with the marketplace's names; if these cannot be read, as in the request. */
export async function listAttributes(operations: Operations, request: ListingRequest): Promise<Attributes> {
  const [category, own] = await Promise.all([
    describeCategory(operations, request.listing.taxonomy_id),
    listOwn(operations, request),
  ]);
  return [['Category', category], ...own];
}

/** `Home & Living > Kitchen & Dining > Mugs` */
export async function describeCategory(operations: Operations, category_id: number): Promise<string> {
  const found = await operations
    .call('categories_search', { keywords: String(category_id), limit: 1 })
    .catch(toRefusal);
  const [first] = 'error' in found ? [] : found.categories;
  return first?.category_id === category_id
    ? first.full_path
    : `number ${category_id}; its name is not available right now`;
}

async function listOwn(
  operations: Operations,
  { listing, category_attributes = {} }: ListingRequest,
): Promise<Attributes> {
  const given = Object.entries(category_attributes);
  if (given.length === 0) return [];
  const category = await operations
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
