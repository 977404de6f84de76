import { CATEGORIES } from './world/categories.js';
import { PROPERTY_SETS } from './world/properties.js';
import type { PropertySeed } from './world/properties.js';

export type Category = {
  id: number;
  name: string;
  level: number;
  parent_id: number | null;
  full_path_taxonomy_ids: number[];
  properties: readonly PropertySeed[];
};

const categories = buildCategories();

export function findCategory(taxonomy_id: number): Category | undefined {
  return categories.get(taxonomy_id);
}

export function findProperty(taxonomy_id: number, property_id: number): PropertySeed | undefined {
  return categories.get(taxonomy_id)?.properties.find((property) => property.property_id === property_id);
}

/** A property that any category has; properties are the same in all categories. */
export function findAnyProperty(property_id: number): PropertySeed | undefined {
  return [...categories.keys()].map((id) => findProperty(id, property_id)).find((one) => one !== undefined);
}

export function findScaleName(
  taxonomy_id: number,
  property_id: number,
  scale_id: number | null,
): string | null {
  const scales = findProperty(taxonomy_id, property_id)?.scales ?? [];
  return scales.find((scale) => scale.scale_id === scale_id)?.display_name ?? null;
}

/** The direct children of a category, or the roots. */
export function listChildren(parent_id: number | null): Category[] {
  return [...categories.values()].filter((category) => category.parent_id === parent_id);
}

/** The category itself and everything below it: a search by category covers its branch. */
export function listBranchIds(taxonomy_id: number): number[] {
  return [...categories.values()]
    .filter((category) => category.full_path_taxonomy_ids.includes(taxonomy_id))
    .map((category) => category.id);
}

// In the table, parents come before their children, so one pass is enough.
function buildCategories(): Map<number, Category> {
  const built = new Map<number, Category>();
  for (const [id, name, parent_id, sets = []] of CATEGORIES) {
    const parent = parent_id === null ? undefined : built.get(parent_id);
    if (parent_id !== null && !parent) throw new Error(`category ${id} stands before its parent`);
    built.set(id, {
      id,
      name,
      level: parent ? parent.level + 1 : 0,
      parent_id,
      full_path_taxonomy_ids: [...(parent?.full_path_taxonomy_ids ?? []), id],
      properties: [...PROPERTY_SETS.everywhere, ...sets.flatMap((set) => [...PROPERTY_SETS[set]])],
    });
  }
  return built;
}
