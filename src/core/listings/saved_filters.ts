import { checkName } from '../identity/check_name.js';
import { toQuotaError } from '../operations/quotas.js';
import type { Ports, SavedFilter } from '../ports/index.js';
import type { Settings } from '../settings.js';

export const MAX_FILTER_NAME_CHARS = 60;

/** Saved filters of the listings page. Only that page reads a `query`. */
export type SavedFilters = {
  /** By name. */
  list(account_id: string): Promise<SavedFilter[]>;
  /**
   * Replaces a filter with the same name. Throws VALIDATION_FAILED if the name is not allowed, and QUOTA_EXCEEDED.
   * @param was the filter's current name, if `filter` renames it
   */
  save(filter: SavedFilter, was?: string): Promise<void>;
  remove(account_id: string, name: string): Promise<void>;
};

export function createSavedFilters(
  { store: { saved_filters } }: Pick<Ports, 'store'>,
  settings: Pick<Settings, 'quotas'>,
): SavedFilters {
  return {
    list: (account_id) => saved_filters.listFilters(account_id),
    async save(filter, was = filter.name) {
      for (const name of [filter.name, was]) checkName(name, MAX_FILTER_NAME_CHARS);
      await saved_filters.saveFilter(filter, { ...settings.quotas, was }).catch((cause: unknown) => {
        throw toQuotaError(cause, settings);
      });
    },
    async remove(account_id, name) {
      checkName(name, MAX_FILTER_NAME_CHARS);
      await saved_filters.deleteFilter(account_id, name);
    },
  };
}
