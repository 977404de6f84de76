import type { ErrorBody } from '../../../../schemas/error.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { AccountQuotas } from './usage_store.js';

/** An error as pages show it: its body, and its problems as data. */
export type Refused = ErrorBody['error'] & { issues?: readonly Issue[] };

/** The listing that a page's background work is about. */
export type PageTaskRef = { account_id: string; listing_pk: number };

/** It runs in an instance that is alive, or was refused. */
export type PageTask = { status: 'running' } | { status: 'refused'; error: Refused };

/**
 * Background work that a page started, one task per listing at a time, visible to all instances. A task ends
 * with its instance.
 */
export type PageTaskStore = {
  /**
   * The caller then does the work, and ends it. False if a live instance has a task for the listing, or the
   * listing is gone.
   */
  beginPageTask(ref: PageTaskRef): Promise<boolean>;
  /**
   * For a task of this instance. @param error why it was refused; undefined: it was done, and is forgotten
   */
  endPageTask(ref: PageTaskRef, error: Refused | undefined): Promise<void>;
  /** @param refusal_ms how long a refusal is returned */
  findPageTask(ref: PageTaskRef, refusal_ms: number): Promise<PageTask | undefined>;
};

/** A filter of the list of listings. The store does not read `query`. */
export type SavedFilter = { account_id: string; name: string; query: string };

export type SavedFilterStore = {
  /** By name. */
  listFilters(account_id: string): Promise<SavedFilter[]>;
  /**
   * Replaces one with the same name. Throws QuotaError if the account then had too many.
   * @param limits `was`: the name of the filter that this one replaces
   */
  saveFilter(
    filter: SavedFilter,
    limits: Pick<AccountQuotas, 'saved_filters'> & { was?: string | undefined },
  ): Promise<void>;
  deleteFilter(account_id: string, name: string): Promise<void>;
};
