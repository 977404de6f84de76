import type { ErrorBody } from '../../schemas/error.js';
import { toErrorBody } from '../core/errors.js';
import { toServiceError } from '../core/operations/service_error.js';
import type { Clock, Log } from '../core/ports/index.js';
import { RefusedError } from './operations.js';

/** Work that a person started on a page, as far as this process knows: it runs, or was refused. */
export type Task = { status: 'running' } | { status: 'refused'; error: ErrorBody['error'] };

/** How long a refusal is shown on the listing's page. */
const REFUSAL_SHOWN_MS = 10 * 60 * 1000;
const MAX_TASKS = 1_000;

/**
 * Background work of pages. Checking a listing downloads its files, which may take minutes, too long for a browser to wait: the work
 * goes on in this process, and the listing's page shows that it runs or why it was refused. Publishing itself is a job, which goes
 * on even if this process ends.
 */
export type Tasks = {
  /** Starts the work, unless work for the listing is running. Answers when the running one has ended, or after `patience_ms`. */
  run(listing: ListingKey, work: () => Promise<unknown>, patience_ms: number): Promise<void>;
  find(listing: ListingKey): Task | undefined;
};

export type ListingKey = { account_id: string; listing_pk: number };

type Parts = { clock: Clock; log: Log; docs_url: string };

export function createTasks({ clock, log, docs_url }: Parts): Tasks {
  const tasks = new Map<string, Task & { since_ms: number; ended: Promise<void> }>();

  /** Runs the work to its end and keeps a refusal. Never rejects, because the page that started it may have stopped waiting. */
  async function runToEnd(key: string, work: () => Promise<unknown>): Promise<void> {
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
        const ended = runToEnd(key, work);
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
      const isOld = task?.status === 'refused' && clock.now().getTime() - task.since_ms > REFUSAL_SHOWN_MS;
      return isOld ? undefined : task;
    },
  };
}

function toKey({ account_id, listing_pk }: ListingKey): string {
  return `${account_id} ${listing_pk}`;
}
