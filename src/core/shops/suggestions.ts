import type { Categories } from './categories.js';
import type { Shops } from './shops.js';

/** A shop or category: its id, as operations take it, and its name, as people know it. */
export type Suggestion = { id: string; name: string };

/**
 * Suggestions for a few letters, for people who know names and not ids, from stored data. They do not count toward the
 * account's limits, so a page can request them at each keystroke, and none of them may cost a marketplace call.
 */
export type Suggestions = {
  /** The account's shops, by name or id. */
  listShops(account_id: string, text: string): Promise<Suggestion[]>;
  /**
   * Categories by name or id; the name is the whole path, `Home & Living > Kitchen > Mugs`. Empty before the first search for
   * a category, which reads the tree.
   */
  listCategories(text: string): Promise<Suggestion[]>;
};

export function createSuggestions(shops: Shops, categories: Categories): Suggestions {
  return {
    async listShops(account_id, text) {
      const connected = await shops.listConnected(account_id);
      const all = connected.map(({ shop_id, details }) => ({ id: String(shop_id), name: details.shop_name }));
      return rank(all, text);
    },
    async listCategories(text) {
      const tree = await categories.listKept();
      const all = tree.map(({ category_id, full_path }) => ({
        id: String(category_id),
        name: full_path.join(' > '),
      }));
      return rank(all, text);
    },
  };
}

/** Order: names that begin with the text, names with it in their last part, other names with it. */
function rank(all: readonly Suggestion[], text: string): Suggestion[] {
  const wanted = text.trim().toLowerCase();
  const grade = ({ id, name }: Suggestion): number => {
    const own = name.toLowerCase();
    if (own.startsWith(wanted) || id.startsWith(wanted)) return 0;
    if (own.slice(own.lastIndexOf(' > ') + 1).includes(wanted)) return 1;
    return own.includes(wanted) ? 2 : 3;
  };
  const graded = all.map((suggestion) => ({ suggestion, at: grade(suggestion) }));
  return graded
    .filter(({ at }) => at < 3)
    .sort((a, b) => a.at - b.at)
    .map(({ suggestion }) => suggestion);
}
