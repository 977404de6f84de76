import type { AttributeSchema, VariationPropertySchema } from '../../../schemas/category.js';
import type { Category } from '../../core/ports/marketplace.js';
import type { CallOptions } from '../../core/ports/marketplace_call.js';
import type { Call } from '../http/call.js';
import { toCategories, toProperties } from '../map/category.js';
import { OPERATIONS } from './operations.js';
import * as wire from '../map/wire.js';

/** The seller taxonomy. Needs no shop. */
export type CategoryCalls = {
  listCategories(options?: CallOptions): Promise<Category[]>;
  getCategoryProperties(
    category_id: number,
    options?: CallOptions,
  ): Promise<{ attributes: AttributeSchema[]; variations: VariationPropertySchema[] }>;
};

export function createCategories(call: Call): CategoryCalls {
  return {
    listCategories: (options) =>
      call(
        OPERATIONS.getSellerTaxonomyNodes,
        {},
        (body) => toCategories(wire.parseWire(wire.anyList, body).results),
        options,
      ),
    getCategoryProperties: (category_id, options) =>
      call(
        OPERATIONS.getPropertiesByTaxonomyId,
        { path: { taxonomy_id: category_id } },
        (body) => toProperties(wire.parseWire(wire.listOf(wire.taxonomyProperty), body).results),
        options,
      ),
  };
}
