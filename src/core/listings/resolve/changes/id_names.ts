import type { CategorySchema } from '../../../../../schemas/category.js';
import type { ConnectedShop } from '../../../ports/index.js';
import { listReferences, REFERENCE_FIELDS } from '../../requests/shop_references.js';
import type { IdNames } from '../../../ports/listing/difference.js';

/** A shop may have a thousand sections; those beyond this number are shown by id. */
const MOST = 100;

/** The names of a listing's ids in one shop, from the lists this service stores. */
export function buildIdNames(
  { lists }: ConnectedShop,
  schema: CategorySchema | undefined,
  category: string | undefined,
): IdNames {
  const named: { key: string; name: string | undefined }[] = [
    ...REFERENCE_FIELDS.flatMap((field) =>
      listReferences(lists, field)
        .slice(0, MOST)
        .map(({ id, name }) => ({ key: `${field} ${id}`, name })),
    ),
    ...(schema?.category_attributes ?? []).map(({ property_id, display_name }) => ({
      key: `category_attributes ${property_id}`,
      name: display_name,
    })),
    ...(schema ? [{ key: `taxonomy_id ${schema.category_id}`, name: category }] : []),
  ];
  return Object.fromEntries(named.flatMap(({ key, name }) => (name ? [[key, name]] : [])));
}
