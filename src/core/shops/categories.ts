import type { z } from 'zod/v3';
import type { CategorySchema, categoriesFound, categoriesQuery } from '../../../schemas/category.js';
import { searchCategories } from './category_search.js';
import type { Ports } from '../ports/index.js';
import { ServiceError } from '../errors.js';
import { MarketplaceError, type Category } from '../ports/index.js';
import { REQUIRED_FIELDS } from '../operations/required_fields.js';
import { createSharedRuns } from '../shared_runs.js';
import { untilAborted } from '../async/until_aborted.js';

/** Categories change rarely; the API asks callers to cache them, too. */
const FRESH_MS = 24 * 60 * 60 * 1000;

export type Categories = {
  /**
   * A category's schema, cached for a day. Throws CATEGORY_NOT_FOUND.
   * @param account_id the account whose access is used to ask the marketplace, here and below
   * @param options `signal` ends only this caller's waiting, here and below; others may wait for the same answer
   */
  getSchema(account_id: string, category_id: number, options?: Waiting): Promise<CategorySchema>;
  /** The stored schema, of any age; never calls the marketplace. */
  findKeptSchema(category_id: number): Promise<CategorySchema | undefined>;
  /** `Home & Living > … > Mugs` in the stored tree, of any age; never calls the marketplace. */
  findKeptPath(category_id: number): Promise<string | undefined>;
  /** Whether the stored tree is current and does not contain the category; never calls the marketplace. */
  isKnownMissing(category_id: number): Promise<boolean>;
  /** By words, best first. Searches a stored tree of at most a day; an older one if the marketplace does not answer. */
  search(account_id: string, query: z.output<typeof categoriesQuery>, options?: Waiting): Promise<Found>;
  /** The same over the stored tree, of any age; never calls the marketplace. */
  searchKept(query: z.output<typeof categoriesQuery>): Promise<Found>;
  /** All categories of the stored tree, of any age; never calls the marketplace. */
  listKept(): Promise<readonly Category[]>;
};

type Waiting = { signal?: AbortSignal };

/** Matches, best first. */
type Found = z.output<typeof categoriesFound>;

/** A tree, with its categories' full paths by id. */
type KeptTree = {
  fetched_at: string;
  categories: readonly Category[];
  paths: ReadonlyMap<number, string>;
};

export function createCategories({ store, marketplace, clock, log }: Ports): Categories {
  const shareTree = createSharedRuns<readonly Category[]>();
  const shareSchema = createSharedRuns<CategorySchema>();
  /** The stored tree, parsed: it is thousands of lines of JSON, and every answer needs names. */
  let parsed: KeptTree | undefined;

  async function findKeptTree(): Promise<KeptTree | undefined> {
    const fetched_at = await store.categories.findCategoryTreeTime();
    if (fetched_at === undefined || fetched_at === parsed?.fetched_at) return parsed;
    const kept = await store.categories.findCategoryTree();
    if (kept) parsed = { ...kept, paths: new Map(kept.categories.map(toPath)) };
    return parsed;
  }

  async function listKept(): Promise<readonly Category[]> {
    return (await findKeptTree())?.categories ?? [];
  }

  async function findKeptPath(category_id: number): Promise<string | undefined> {
    return (await findKeptTree())?.paths.get(category_id);
  }

  function isFresh({ fetched_at }: { fetched_at: string }): boolean {
    return clock.now().getTime() - Date.parse(fetched_at) < FRESH_MS;
  }

  async function getTree(account_id: string): Promise<readonly Category[]> {
    const kept = await findKeptTree();
    if (kept && isFresh(kept)) return kept.categories;
    try {
      const fetched_at = clock.now().toISOString();
      const categories = await marketplace.listCategories(account_id);
      await store.categories.saveCategoryTree(categories, fetched_at);
      return categories;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError) || !kept) throw cause;
      log.warn('category tree is older than a day, the marketplace did not answer');
      return kept.categories;
    }
  }

  async function readSchema(account_id: string, category_id: number): Promise<CategorySchema> {
    const kept = await store.categories.findCategorySchema(category_id);
    if (kept && isFresh(kept)) return kept.schema;
    try {
      const fetched_at = clock.now().toISOString();
      const { attributes, variations } = await marketplace.getCategoryProperties(account_id, category_id);
      const schema: CategorySchema = {
        category_id,
        required_fields: [...REQUIRED_FIELDS],
        category_attributes: attributes,
        variation_properties: variations,
      };
      await store.categories.saveCategorySchema(schema, fetched_at);
      return schema;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'not_found' || (cause.failure === 'refused' && cause.status === 400)) {
        throw new ServiceError(
          'CATEGORY_NOT_FOUND',
          { code: 'category_not_found', params: { category_id } },
          { cause },
        );
      }
      if (!kept) throw cause;
      log.warn('category schema is older than a day, the marketplace did not answer', { category_id });
      return kept.schema;
    }
  }

  async function withPath({ category_id, ...rest }: CategorySchema): Promise<CategorySchema> {
    const full_path = await findKeptPath(category_id);
    return full_path === undefined ? { category_id, ...rest } : { category_id, full_path, ...rest };
  }

  return {
    async search(account_id, query, { signal } = {}) {
      // Shared per account, since the marketplace may refuse the application of one account but not that of another.
      const tree = shareTree(account_id, () => getTree(account_id));
      return searchIn(await untilAborted(tree, signal), query);
    },
    searchKept: async (query) => searchIn(await listKept(), query),
    listKept,
    async getSchema(account_id, category_id, { signal } = {}) {
      const run = shareSchema(`${account_id}/${category_id}`, () => readSchema(account_id, category_id));
      return withPath(await untilAborted(run, signal));
    },
    findKeptPath,
    async isKnownMissing(category_id) {
      const kept = await findKeptTree();
      return kept !== undefined && isFresh(kept) && !kept.paths.has(category_id);
    },
    async findKeptSchema(category_id) {
      return (await store.categories.findCategorySchema(category_id))?.schema;
    },
  };
}

function toPath({ category_id, full_path }: Category): readonly [number, string] {
  return [category_id, full_path.join(' > ')];
}

function searchIn(tree: readonly Category[], { keywords, limit }: z.output<typeof categoriesQuery>): Found {
  const { total, list } = searchCategories(tree, keywords);
  return { total, categories: list(limit) };
}
