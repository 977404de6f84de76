import type { AttributeSchema, VariationPropertySchema } from '../../../schemas/category.js';
import type { Category } from '../../core/ports/marketplace.js';
import { parseWire, taxonomyNode, UnreadableError, type WireTaxonomyProperty } from './wire.js';
import { decodeEntities } from './entities.js';

/** The tree has about seven levels and some thousands of nodes. */
const MAX_DEPTH = 20;
const MAX_CATEGORIES = 100_000;

/** The whole tree in its own order, each category with the names of its ancestors, followed by its own. */
export function toCategories(roots: readonly unknown[]): Category[] {
  const categories: Category[] = [];
  const walk = (nodes: readonly unknown[], above: readonly string[]): void => {
    if (above.length >= MAX_DEPTH) throw new UnreadableError('a category tree without an end');
    for (const node of nodes) {
      const { id, name: encoded, children } = parseWire(taxonomyNode, node);
      const name = decodeEntities(encoded);
      const full_path = [...above, name];
      categories.push({ category_id: id, name, full_path, is_leaf: children.length === 0 });
      if (categories.length > MAX_CATEGORIES) throw new UnreadableError('a category tree without an end');
      if (children.length > 0) walk(children, full_path);
    }
  };
  walk(roots, []);
  return categories;
}

/** A property can serve as an attribute, as a variation, as both, or as neither. */
export function toProperties(wire: readonly WireTaxonomyProperty[]): {
  attributes: AttributeSchema[];
  variations: VariationPropertySchema[];
} {
  return {
    attributes: wire.filter((property) => property.supports_attributes).map(toAttribute),
    variations: wire.filter((property) => property.supports_variations).map(toVariation),
  };
}

function toVariation(wire: WireTaxonomyProperty): VariationPropertySchema {
  return {
    property_id: wire.property_id,
    name: decodeEntities(wire.name),
    display_name: decodeEntities(wire.display_name),
    possible_values: wire.possible_values.map((value) => ({ ...value, name: decodeEntities(value.name) })),
    scales: wire.scales.map((scale) => ({
      scale_id: scale.scale_id,
      display_name: decodeEntities(scale.display_name),
      description: decodeEntities(scale.description),
    })),
  };
}

function toAttribute(wire: WireTaxonomyProperty): AttributeSchema {
  const { is_required, is_multivalued, max_values_allowed: max_values } = wire;
  return { ...toVariation(wire), is_required, is_multivalued, max_values };
}
