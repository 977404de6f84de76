import type { CategorySchema } from '../../../../schemas/category.js';
import type { Categories } from '../../shops/categories.js';
import { ServiceError } from '../../errors.js';
import type { Issue, Note } from '../../../../schemas/issue.js';
import { MarketplaceError } from '../../ports/index.js';
import type { PartialRequest } from '../rules/index.js';
import { checkCategory } from './category.js';

type CategoryFindings = {
  issues: Issue[];
  /** Undefined if there is no such category, or a draft names one that has not been read yet. */
  schema: CategorySchema | undefined;
  /** Paths of values that can be checked only with the category. */
  not_checked: string[];
};

/**
 * Reads the category of a request and checks the request against it. A draft makes no marketplace calls, and relies
 * on stored categories.
 */
type CategoryReading = {
  inspect(account_id: string, request: PartialRequest, isLive: boolean): Promise<CategoryFindings>;
  /** The categories the words may mean. */
  suggest(account_id: string, words: string, isLive: boolean): Promise<Note>;
};

export function createCategoryReading(categories: Categories): CategoryReading {
  async function inspect(
    account_id: string,
    request: PartialRequest,
    isLive: boolean,
  ): Promise<CategoryFindings> {
    const id = request.listing?.taxonomy_id;
    if (id === undefined || id < 1) return { issues: [], schema: undefined, not_checked: [] };
    const schema = await findSchema(account_id, id, isLive);
    if (schema) return { issues: checkCategory(request, schema), schema, not_checked: [] };
    if (isLive || (await categories.isKnownMissing(id))) {
      const title = request.listing?.title ?? '';
      const notes = [await suggest(account_id, title, isLive, true)];
      const issue: Issue = { code: 'category_unknown', at: 'listing.taxonomy_id', params: { id }, notes };
      return { issues: [issue], schema: undefined, not_checked: [] };
    }
    const isKnown = (await categories.findKeptPath(id)) !== undefined;
    return { issues: [], schema: undefined, not_checked: listUnchecked(request, isKnown) };
  }

  /** Undefined if there is none, or none is stored. */
  async function findSchema(
    account_id: string,
    id: number,
    isLive: boolean,
  ): Promise<CategorySchema | undefined> {
    try {
      return await (isLive ? categories.getSchema(account_id, id) : categories.findKeptSchema(id));
    } catch (cause) {
      if (cause instanceof ServiceError && cause.code === 'CATEGORY_NOT_FOUND') return undefined;
      throw cause;
    }
  }

  async function suggest(
    account_id: string,
    words: string,
    isLive: boolean,
    isByTitle = false,
  ): Promise<Note> {
    const query = { keywords: words, limit: 10 };
    try {
      const found = await (isLive ? categories.search(account_id, query) : categories.searchKept(query));
      const leaves = found.categories.filter(({ is_leaf }) => is_leaf).slice(0, 3);
      const choices = leaves.map(({ category_id, full_path }) => ({ id: category_id, name: full_path }));
      return { code: 'category_suggestions', params: { choices, is_by_title: isByTitle } };
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      return { code: 'category_suggestions', params: { choices: [], is_by_title: isByTitle } };
    }
  }

  return { inspect, suggest: (account_id, words, isLive) => suggest(account_id, words, isLive) };
}

function listUnchecked({ category_attributes = {}, variations }: PartialRequest, isKnown: boolean): string[] {
  return [
    ...(isKnown ? [] : ['listing.taxonomy_id']),
    ...Object.keys(category_attributes).map((key) => `category_attributes.${key}`),
    ...((variations?.properties?.length ?? 0) > 0 ? ['variations.properties'] : []),
  ];
}
