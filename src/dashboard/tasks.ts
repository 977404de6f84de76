import type { ErrorBody } from '../../schemas/error.js';
import { toErrorBody } from '../core/errors.js';
import { toServiceError } from '../core/operations/service_error.js';
import type { Clock, Log } from '../core/ports/index.js';
import { RefusedError } from './operations.js';

/** Work that a person started on a page, and its outcome, as far as this process knows. */
export type Task = { status: 'running' } | { status: 'refused'; error: ErrorBody['error'] };

/** How long a refusal is shown on the listing's page. */
const TOLD_MS = 10 * 60 * 1000;
const MAX_TASKS = 1_000;

/**
 * Background work of pages. Checking a listing downloads its files, which may take minutes, and a browser is not kept waiting for
 * it: the work goes on here, and the listing's page shows that it runs or why it was refused. Publishing itself is a job and
 * outlives this process.
 */
export type Tasks = {
  /**
   * Starts the work, and answers when it has ended or after `patience_ms`. While one runs for a listing, no second one is
   * started for it.
   */
  run(listing: ListingKey, work: () => Promise<unknown>, patience_ms: number): Promise<void>;
  find(listing: ListingKey): Task | undefined;
};

export type ListingKey = { account_id: string; listing_pk: number };

type Parts = { clock: Clock; log: Log; docs_url: string };

export function createTasks({ clock, log, docs_url }: Parts): Tasks {
  const tasks = new Map<string, Task & { since_ms: number; ended: Promise<void> }>();

  /** Never rejects: the page that started it may have stopped waiting. */
  async function follow(key: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      tasks.delete(key);
    } catch (cause) {
      if (!(cause instanceof RefusedError)) log.error('an errand of the dashboard failed', { error: cause });
      const error =
        cause instanceof RefusedError ? cause.error : toErrorBody(toServiceError(cause), docs_url).error;
      forgetOldest();
      const since_ms = clock.now().getTime();
      tasks.set(key, { status: 'refused', error, since_ms, ended: Promise.resolve() });
    }
  }

  function forgetOldest(): void {
    for (const [key, { status }] of tasks) {
      if (tasks.size < MAX_TASKS) return;
      if (status === 'refused') tasks.delete(key);
    }
  }

  return {
    async run(listing, work, patience_ms) {
      const key = toKey(listing);
      let task = tasks.get(key);
      if (task?.status !== 'running') {
        const ended = follow(key, work);
        task = { status: 'running', since_ms: clock.now().getTime(), ended };
        tasks.set(key, task);
      }
      const patience = new AbortController();
      const slept = clock.sleep(patience_ms, patience.signal).catch(() => undefined);
      await Promise.race([task.ended, slept]);
      patience.abort();
    },
    find(listing) {
      const task = tasks.get(toKey(listing));
      const isOld = task?.status === 'refused' && clock.now().getTime() - task.since_ms > TOLD_MS;
      return isOld ? undefined : task;
    },
  };
}

function toKey({ account_id, listing_pk }: ListingKey): string {
  return `${account_id} ${listing_pk}`;
}
