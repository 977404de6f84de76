import type { ErrorBody } from '../../schemas/error.js';
import { toErrorBody } from '../core/errors.js';
import { toServiceError } from '../core/operations/service_error.js';
import type { Clock, Log } from '../core/ports/index.js';
import { RefusedError } from './desk.js';

/** What a person asked for and what became of it, as far as this process knows. */
export type Errand = { status: 'running' } | { status: 'refused'; error: ErrorBody['error'] };

/** How long a refusal is told on the page that it belongs to. */
const TOLD_MS = 10 * 60 * 1000;
const MAX_ERRANDS = 1_000;

/**
 * Checking a listing downloads its files, which may take minutes; a browser is not kept waiting for it. What was asked for
 * goes on here, the page shows that it does, and a refusal is told there. Publishing itself is a job and outlives this.
 */
export type Errands = {
  /**
   * Starts the work, and answers when it has ended or after `patience_ms`. While one runs for a listing, no second one is
   * started for it.
   */
  run(listing: ListingKey, work: () => Promise<unknown>, patience_ms: number): Promise<void>;
  find(listing: ListingKey): Errand | undefined;
};

export type ListingKey = { account_id: string; listing_pk: number };

type Parts = { clock: Clock; log: Log; docs_url: string };

export function createErrands({ clock, log, docs_url }: Parts): Errands {
  const errands = new Map<string, Errand & { since_ms: number; ended: Promise<void> }>();

  /** Never rejects: the page that started it may have stopped waiting. */
  async function follow(key: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      errands.delete(key);
    } catch (cause) {
      if (!(cause instanceof RefusedError)) log.error('an errand of the dashboard failed', { error: cause });
      const error =
        cause instanceof RefusedError ? cause.error : toErrorBody(toServiceError(cause), docs_url).error;
      forgetOldest();
      const since_ms = clock.now().getTime();
      errands.set(key, { status: 'refused', error, since_ms, ended: Promise.resolve() });
    }
  }

  function forgetOldest(): void {
    for (const [key, { status }] of errands) {
      if (errands.size < MAX_ERRANDS) return;
      if (status === 'refused') errands.delete(key);
    }
  }

  return {
    async run(listing, work, patience_ms) {
      const key = toKey(listing);
      let errand = errands.get(key);
      if (errand?.status !== 'running') {
        const ended = follow(key, work);
        errand = { status: 'running', since_ms: clock.now().getTime(), ended };
        errands.set(key, errand);
      }
      const patience = new AbortController();
      const slept = clock.sleep(patience_ms, patience.signal).catch(() => undefined);
      await Promise.race([errand.ended, slept]);
      patience.abort();
    },
    find(listing) {
      const errand = errands.get(toKey(listing));
      const isOld = errand?.status === 'refused' && clock.now().getTime() - errand.since_ms > TOLD_MS;
      return isOld ? undefined : errand;
    },
  };
}

function toKey({ account_id, listing_pk }: ListingKey): string {
  return `${account_id} ${listing_pk}`;
}
