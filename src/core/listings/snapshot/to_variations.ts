import { formatNames } from '../../text/choices.js';
import { quoteName } from '../../errors.js';
import type { Offering, VariationProperty, Variations } from '../../../../schemas/listing_request.js';
import type { InventoryProduct, InventoryPropertyValue } from '../../ports/marketplace_listing.js';
import { isOfferingKey, toOfferingKey } from '../rules/variation_rules.js';
import { FORM_IMAGES } from './form_room.js';
import type { ListingSnapshot } from './snapshot.js';

/** Variation properties of a request at most; the marketplace has three. */
const MOST_PROPERTIES = 2;

/** Why a request cannot express the variations of a listing, in words for a seller; undefined where it can. */
export function describeVariationGap({ inventory }: Pick<ListingSnapshot, 'inventory'>): string | undefined {
  const properties = listProperties(inventory.products);
  if (properties.length > MOST_PROPERTIES) {
    return `It varies by ${formatNames(properties.map(({ name }) => name))}, and this form has room for two.`;
  }
  const keys = properties.map(({ name }) => toOfferingKey(name));
  const taken = properties.find(({ name }) => isOfferingKey(toOfferingKey(name)));
  if (taken) return `It varies by ${quoteName(taken.name)}, a name that this form needs for something else.`;
  if (new Set(keys).size < keys.length) return 'Two of its variations have the same name.';
  const isWhole = inventory.products.every(
    ({ property_values }) => property_values.length === properties.length,
  );
  return isWhole ? undefined : 'Some of its products lack a variation that others have.';
}

/**
 * Variations in a request's form, each product an offering; undefined where a request cannot express them.
 * @param has_own_profiles whether each offering names its processing profile
 */
export function toOwnVariations(
  snapshot: ListingSnapshot,
  has_own_profiles: boolean,
): Variations | undefined {
  const { inventory } = snapshot;
  const properties = listProperties(inventory.products);
  if (properties.length === 0 || describeVariationGap(snapshot) !== undefined) return undefined;
  const variation_images = toMapping(snapshot, properties);
  return {
    properties,
    offerings: inventory.products.map((product) => toOffering(product, has_own_profiles)),
    ...(variation_images && { variation_images }),
  };
}

/** Properties and their values, in the order in which the products have them. */
export function listProperties(products: readonly InventoryProduct[]): VariationProperty[] {
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

function toOffering(product: InventoryProduct, has_own_profiles: boolean): Offering {
  const { price, quantity, sku, is_enabled, readiness_state_id } = product;
  return {
    ...Object.fromEntries(
      product.property_values.map((value) => [toOfferingKey(value.property_name), readValue(value)]),
    ),
    price,
    quantity,
    ...(sku !== '' && { sku }),
    ...(!is_enabled && { enabled: false }),
    ...(has_own_profiles && readiness_state_id !== null && { processing_profile_id: readiness_state_id }),
  };
}

function readValue({ values }: InventoryPropertyValue): string {
  return values.join(', ');
}

/** Photos of values by position among the listing's photos, as far as our form has room for these. */
function toMapping(
  { variation_images, images, inventory }: ListingSnapshot,
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
