import type { ErrorBody } from '../../../../schemas/error.js';
import type { Issue } from '../../../../schemas/issue.js';

/** An error as pages show it: its body, and its problems as data. */
export type Refused = ErrorBody['error'] & { issues?: readonly Issue[] };

/** The listing that work of a page is about. */
export type PageTaskRef = { account_id: string; listing_pk: number };

/** It runs in an instance that is alive, or was refused. */
export type PageTask = { status: 'running' } | { status: 'refused'; error: Refused };

/** Background work that a page has started, one for each listing at a time, known to all instances. What an instance leaves at its end is over. */
export type PageTaskStore = {
  /** The caller then does the work, and ends it. False when an instance that is alive does some for the listing, or the listing is gone. */
  beginPageTask(ref: PageTaskRef): Promise<boolean>;
  /** Of this instance. @param error why it was refused; undefined: it was done, and is forgotten */
  endPageTask(ref: PageTaskRef, error: Refused | undefined): Promise<void>;
  /** @param refusal_ms how long a refusal is told */
  findPageTask(ref: PageTaskRef, refusal_ms: number): Promise<PageTask | undefined>;
};
