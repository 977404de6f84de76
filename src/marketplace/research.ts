import type { Marketplace } from '../core/ports/index.js';
import type { Send } from './call.js';
import { toCategories, toCategoryProperties } from './map/category.js';
import { createReader } from './map/read.js';

type Research = Pick<Marketplace, 'listCategories' | 'getCategoryProperties' | 'searchActiveListings'>;

/** What anyone may read: categories, and the active listings of all shops. */
export function createResearch(send: Send): Research {
  const read = createReader(false);
  return {
    async listCategories(options) {
      return toCategories(
        read,
        read.results(await send({ operation_id: 'getSellerTaxonomyNodes', options })),
      );
    },
    async getCategoryProperties(taxonomy_id, options) {
      const body = await send({ operation_id: 'getPropertiesByTaxonomyId', path: { taxonomy_id }, options });
      return toCategoryProperties(read, read.results(body));
    },
    async searchActiveListings({ keywords, limit, offset }, options) {
      const query = { keywords, limit, offset };
      const body = await send({ operation_id: 'findAllListingsActive', query, options });
      return { count: read.number(read.object(body), 'count'), results: read.results(body) };
    },
  };
}
