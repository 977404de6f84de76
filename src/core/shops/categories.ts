import type { z } from 'zod/v3';
import type { CategorySchema, categoriesFound, categoriesQuery } from '../../../schemas/category.js';
import { searchCategories } from './category_search.js';
import type { Ports } from '../ports/index.js';
import { ServiceError } from '../errors.js';
import { MarketplaceError, type CallOptions, type Category } from '../ports/index.js';
import { REQUIRED_FIELDS } from '../operations/required_fields.js';

/** Categories change rarely; the interface asks callers to cache them too. */
const FRESH_MS = 24 * 60 * 60 * 1000;

export type Categories = {
  /**
   * A category's schema, from the cache for a day. Throws CATEGORY_NOT_FOUND.
   * @param account_id the account with whose access the marketplace is asked, here and below
   */
  getSchema(account_id: string, category_id: number, options?: CallOptions): Promise<CategorySchema>;
  /** The kept schema, of any age; never calls the marketplace. */
  findKeptSchema(category_id: number): Promise<CategorySchema | undefined>;
  /** `Home & Living > … > Mugs` in the tree that is kept, however old; never calls the marketplace. */
  findKeptPath(category_id: number): Promise<string | undefined>;
  /** Whether a tree of today is kept and does not have it; never calls the marketplace. */
  isKnownMissing(category_id: number): Promise<boolean>;
  /** All categories. From the cache for a day; an older one when the marketplace does not answer. */
  getTree(account_id: string, options?: CallOptions): Promise<Category[]>;
  /** By words, over the tree of getTree, best first. */
  search(account_id: string, query: z.output<typeof categoriesQuery>, options?: CallOptions): Promise<Found>;
  /** The same over the tree that is kept, however old; never calls the marketplace. */
  searchKept(query: z.output<typeof categoriesQuery>): Promise<Found>;
};

/** Matches, best first. */
type Found = z.output<typeof categoriesFound>;

export function createCategories({ store, marketplace, clock, log }: Ports): Categories {
  /**
   * Full paths by category id, kept in memory: parsing the stored tree is thousands of lines of JSON, and every answer needs names.
   */
  let paths: { read_ms: number; by_id: ReadonlyMap<number, string> } | undefined;

  async function findKeptPath(category_id: number): Promise<string | undefined> {
    const now_ms = clock.now().getTime();
    if (!paths?.by_id.has(category_id) || now_ms - paths.read_ms > FRESH_MS) {
      const kept = await store.categories.findCategoryTree();
      const entries = (kept?.categories ?? []).map(
        ({ category_id: id, full_path }) => [id, full_path.join(' > ')] as const,
      );
      paths = { read_ms: now_ms, by_id: new Map(entries) };
    }
    return paths.by_id.get(category_id);
  }

  async function getTree(account_id: string, options?: CallOptions): Promise<Category[]> {
    const kept = await store.categories.findCategoryTree();
    const now = clock.now();
    if (kept && now.getTime() - Date.parse(kept.fetched_at) < FRESH_MS) return kept.categories;
    try {
      const categories = await marketplace.listCategories(account_id, options);
      await store.categories.saveCategoryTree(categories, now.toISOString());
      return categories;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError) || !kept) throw cause;
      log.warn('category tree is older than a day, the marketplace did not answer');
      return kept.categories;
    }
  }

  async function withPath({ category_id, ...rest }: CategorySchema): Promise<CategorySchema> {
    const full_path = await findKeptPath(category_id);
    return full_path === undefined ? { category_id, ...rest } : { category_id, full_path, ...rest };
  }

  return {
    getTree,
    search: async (account_id, query, options) => searchIn(await getTree(account_id, options), query),
    searchKept: async (query) =>
      searchIn((await store.categories.findCategoryTree())?.categories ?? [], query),
    async getSchema(account_id, category_id, options) {
      const kept = await store.categories.findCategorySchema(category_id);
      const now = clock.now();
      if (kept && now.getTime() - Date.parse(kept.fetched_at) < FRESH_MS) return withPath(kept.schema);
      try {
        const { attributes, variations } = await marketplace.getCategoryProperties(
          account_id,
          category_id,
          options,
        );
        const schema: CategorySchema = {
          category_id,
          required_fields: [...REQUIRED_FIELDS],
          category_attributes: attributes,
          variation_properties: variations,
        };
        await store.categories.saveCategorySchema(schema, now.toISOString());
        return await withPath(schema);
      } catch (cause) {
        if (!(cause instanceof MarketplaceError)) throw cause;
        if (cause.failure === 'not_found' || (cause.failure === 'refused' && cause.status === 400)) {
          throw new ServiceError('CATEGORY_NOT_FOUND', `The marketplace has no category ${category_id}.`, {
            cause,
          });
        }
        if (!kept) throw cause;
        log.warn('category schema is older than a day, the marketplace did not answer', { category_id });
        return withPath(kept.schema);
      }
    },
    findKeptPath,
    async isKnownMissing(category_id) {
      if ((await findKeptPath(category_id)) !== undefined) return false;
      const kept = await store.categories.findCategoryTree();
      return kept !== undefined && clock.now().getTime() - Date.parse(kept.fetched_at) < FRESH_MS;
    },
    async findKeptSchema(category_id) {
      return (await store.categories.findCategorySchema(category_id))?.schema;
    },
  };
}

function searchIn(tree: readonly Category[], { keywords, limit }: z.output<typeof categoriesQuery>): Found {
  const { total, list } = searchCategories(tree, keywords);
  return { total, categories: list(limit) };
}
