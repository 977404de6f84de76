import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { FormGap } from '../../../../schemas/issues/request_warnings.js';
import type { Offering, VariationProperty, Variations } from '../../../../schemas/listing_request.js';
import type { InventoryProduct, InventoryPropertyValue } from '../../ports/marketplace_listing.js';
import { isOfferingKey, toOfferingKey } from '../rules/variation_rules.js';
import { FORM_IMAGES } from './shown_ids.js';

/** The most variation properties a request can hold; the marketplace allows three. */
const MOST_PROPERTIES = 2;

type OwnParts = Pick<ListingSnapshot, 'inventory' | 'images' | 'variation_images'>;

/** Why a request cannot express the variations of a listing, in words for a seller; undefined if it can. */
export function findVariationGap({ inventory }: Pick<ListingSnapshot, 'inventory'>): FormGap | undefined {
  const properties = listProperties(inventory.products);
  if (properties.length > MOST_PROPERTIES) {
    return { code: 'options_over', params: { options: properties.map(({ name }) => name) } };
  }
  const keys = properties.map(({ name }) => toOfferingKey(name));
  const taken = properties.find(({ name }) => isOfferingKey(toOfferingKey(name)));
  if (taken) return { code: 'option_name_needed', params: { option: taken.name } };
  if (new Set(keys).size < keys.length) return { code: 'option_names_alike', params: {} };
  const isWhole = inventory.products.every(
    ({ property_values }) => property_values.length === properties.length,
  );
  return isWhole ? undefined : { code: 'options_incomplete', params: {} };
}

/**
 * Variations in a request's form, each product an offering; undefined if a request cannot express them.
 * @param hasOwnProfiles whether each offering names its processing profile
 */
export function toOwnVariations(snapshot: OwnParts, hasOwnProfiles: boolean): Variations | undefined {
  const { inventory } = snapshot;
  const properties = listProperties(inventory.products);
  if (properties.length === 0 || findVariationGap(snapshot) !== undefined) return undefined;
  const variation_images = toMapping(snapshot, properties);
  return {
    properties,
    offerings: inventory.products.map((product) => toOffering(product, hasOwnProfiles)),
    ...(variation_images && { variation_images }),
  };
}

/** Properties and their values, in the order of the products. */
function listProperties(products: readonly InventoryProduct[]): VariationProperty[] {
  const properties = new Map<number, VariationProperty>();
  for (const value of products.flatMap(({ property_values }) => property_values)) {
    const { property_id, property_name, scale_id } = value;
    const property = properties.get(property_id) ?? {
      property_id,
      name: property_name,
      ...(scale_id !== null && { scale_id }),
      values: [],
    };
    const name = readValue(value);
    if (!property.values.includes(name)) property.values.push(name);
    properties.set(property_id, property);
  }
  return [...properties.values()];
}

function toOffering(product: InventoryProduct, hasOwnProfiles: boolean): Offering {
  const { price, quantity, sku, is_enabled, readiness_state_id } = product;
  return {
    ...Object.fromEntries(
      product.property_values.map((value) => [toOfferingKey(value.property_name), readValue(value)]),
    ),
    price,
    quantity,
    ...(sku !== '' && { sku }),
    ...(!is_enabled && { enabled: false }),
    ...(hasOwnProfiles && readiness_state_id !== null && { processing_profile_id: readiness_state_id }),
  };
}

function readValue({ values }: InventoryPropertyValue): string {
  return values.join(', ');
}

/** Photos of values by position among the listing's photos, as far as a request can hold them. */
function toMapping(
  { variation_images, images, inventory }: OwnParts,
  properties: readonly VariationProperty[],
): Variations['variation_images'] {
  const property = properties.find(({ property_id }) => property_id === variation_images[0]?.property_id);
  if (!property) return undefined;
  const own = inventory.products.flatMap(({ property_values }) =>
    property_values.filter(({ property_id }) => property_id === property.property_id),
  );
  const mapping = variation_images.flatMap(({ value_id, value, image_id }) => {
    const known = own.find(({ value_ids }) => value_ids.includes(value_id));
    const name = known ? readValue(known) : value;
    const image = images
      .slice(0, FORM_IMAGES)
      .findIndex(({ listing_image_id }) => listing_image_id === image_id);
    return name === null || !property.values.includes(name) || image === -1 ? [] : [[name, image] as const];
  });
  return mapping.length === 0 ? undefined : { property: property.name, mapping: Object.fromEntries(mapping) };
}
