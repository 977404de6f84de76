import type { CategorySchema } from '../../../../schemas/category.js';
import type { Categories } from '../../shops/categories.js';
import { formatChoices } from '../../text/choices.js';
import { ServiceError, type Issue } from '../../errors.js';
import { MarketplaceError } from '../../ports/index.js';
import type { PartialRequest } from '../rules/index.js';
import { checkCategory } from './category.js';

export type CategoryFindings = {
  issues: Issue[];
  /** Undefined where there is no such category, or a draft names one that has not been read yet. */
  schema: CategorySchema | undefined;
  /** Paths of what only the category could tell. */
  not_checked: string[];
};

/** Reads the category of a request and holds the request against it. A draft makes no marketplace calls: what is kept has to do. */
export type CategoryReading = {
  inspect(account_id: string, request: PartialRequest, is_live: boolean): Promise<CategoryFindings>;
  /** Which categories the words may mean, as the end of a sentence. */
  suggest(account_id: string, words: string, is_live: boolean): Promise<string>;
};

export function createCategoryReading(categories: Categories): CategoryReading {
  async function inspect(
    account_id: string,
    request: PartialRequest,
    is_live: boolean,
  ): Promise<CategoryFindings> {
    const id = request.listing?.taxonomy_id;
    if (id === undefined || id < 1) return { issues: [], schema: undefined, not_checked: [] };
    const schema = await findSchema(account_id, id, is_live);
    if (schema) return { issues: checkCategory(request, schema), schema, not_checked: [] };
    if (is_live || (await categories.isKnownMissing(id))) {
      const title = request.listing?.title ?? '';
      const message = `is ${id}, which is no category of the marketplace; ${await suggest(account_id, title, is_live, 'by its title ')}`;
      return { issues: [{ path: 'listing.taxonomy_id', message }], schema: undefined, not_checked: [] };
    }
    const is_known = (await categories.findKeptPath(id)) !== undefined;
    return { issues: [], schema: undefined, not_checked: listUnchecked(request, is_known) };
  }

  /** Undefined where there is none, or none is kept. */
  async function findSchema(
    account_id: string,
    id: number,
    is_live: boolean,
  ): Promise<CategorySchema | undefined> {
    try {
      return await (is_live ? categories.getSchema(account_id, id) : categories.findKeptSchema(id));
    } catch (cause) {
      if (cause instanceof ServiceError && cause.code === 'CATEGORY_NOT_FOUND') return undefined;
      throw cause;
    }
  }

  async function suggest(account_id: string, words: string, is_live: boolean, because = ''): Promise<string> {
    const query = { keywords: words, limit: 10 };
    try {
      const found = await (is_live ? categories.search(account_id, query) : categories.searchKept(query));
      const leaves = found.categories.filter(({ is_leaf }) => is_leaf).slice(0, 3);
      if (leaves.length === 0) return SEARCH;
      const known = leaves.map(({ category_id, full_path }) => ({ id: category_id, name: full_path }));
      return `${because}perhaps ${formatChoices(known)}; ${SEARCH}`;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      return SEARCH;
    }
  }

  return { inspect, suggest: (account_id, words, is_live) => suggest(account_id, words, is_live) };
}

const SEARCH = 'categories_search finds one by words';

function listUnchecked(
  { category_attributes = {}, variations }: PartialRequest,
  is_known: boolean,
): string[] {
  return [
    ...(is_known ? [] : ['listing.taxonomy_id']),
    ...Object.keys(category_attributes).map((key) => `category_attributes.${key}`),
    ...((variations?.properties?.length ?? 0) > 0 ? ['variations.properties'] : []),
  ];
}
