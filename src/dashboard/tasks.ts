import { toErrorBody, toRefused } from '../core/errors.js';
import { toServiceError } from '../core/operations/service_error.js';
import type { Clock, Log, PageTask, PageTaskRef, PageTaskStore } from '../core/ports/index.js';
import { retry } from '../core/async/retry.js';
import { within } from '../core/async/within.js';
import { RefusedError } from './operations.js';

/** How long a refusal is shown on the listing's page. */
const REFUSAL_SHOWN_MS = 10 * 60 * 1000;
/** How often to poll for work that another page has started. */
const POLL_MS = 250;
/** How often, and after what delay, the end of work is saved again while the database cannot be written. */
const END_ATTEMPTS = 120;
const END_PAUSE_MS = 1_000;

/**
 * Background work of pages. Checking a listing downloads its files, which may take minutes, too long for a
 * browser to wait: the work continues in this process, and the listing's page, through any instance, shows
 * that it is running or why it was refused. It stops with this process. Publishing itself is a job, which
 * continues even then.
 */
export type Tasks = {
  /**
   * Starts the work, unless work for the listing is running. Resolves when the running work has ended, or
   * after `patience_ms`, with whether the work was started.
   */
  run(listing: PageTaskRef, work: () => Promise<unknown>, patience_ms: number): Promise<boolean>;
  find(listing: PageTaskRef): Promise<PageTask | undefined>;
};

type Parts = { page_tasks: PageTaskStore; clock: Clock; log: Log; docs_url: string };

export function createTasks({ page_tasks, clock, log, docs_url }: Parts): Tasks {
  /** Runs the work to its end and keeps a refusal. Never rejects, because the page that started it may have stopped waiting. */
  async function runToEnd(listing: PageTaskRef, work: () => Promise<unknown>): Promise<void> {
    try {
      const error = await work().then(() => undefined, toRefusal);
      await saveEnd(listing, error);
    } catch (error) {
      log.error('could not save the outcome of a dashboard task', { error });
    }
  }

  /**
   * In several attempts: until it is saved, every page shows that the work is running, and none starts it
   * again.
   */
  function saveEnd(listing: PageTaskRef, error: Parameters<PageTaskStore['endPageTask']>[1]): Promise<void> {
    return retry(() => page_tasks.endPageTask(listing, error), {
      attempts: END_ATTEMPTS,
      pause: () => clock.sleep(END_PAUSE_MS, undefined, { is_idle: true }),
    });
  }

  function toRefusal(cause: unknown) {
    if (cause instanceof RefusedError) return cause.error;
    log.error('a dashboard task failed', { error: cause });
    const error = toServiceError(cause);
    return toRefused(toErrorBody(error, docs_url), error.issues);
  }

  const find = (listing: PageTaskRef) => page_tasks.findPageTask(listing, REFUSAL_SHOWN_MS);

  async function waitForOther(listing: PageTaskRef, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await find(listing))?.status === 'running') {
      await clock.sleep(POLL_MS, signal).catch(() => undefined);
    }
  }

  return {
    find,
    async run(listing, work, patience_ms) {
      const isOwn = await page_tasks.beginPageTask(listing);
      await within(clock, patience_ms, (over) =>
        isOwn ? runToEnd(listing, work) : waitForOther(listing, over),
      );
      return isOwn;
    },
  };
}
