import { ServiceError } from '../errors.js';
import type { Hold } from '../listings/jobs/hold.js';
import type { Ports } from '../ports/index.js';

/** How long an item waits for another change of its listing; after that it goes last, once. */
const BUSY_MS = 60_000;
export const BUSY_PAUSE_MS = 1_000;

/** Whether the cause is another change of the listing that will finish. A creation with an unknown outcome does not. */
export function isBusy(cause: unknown): cause is ServiceError {
  if (!(cause instanceof ServiceError) || cause.code !== 'LISTING_BUSY') return false;
  return cause.issues.some(({ code }) => code === 'listing_busy' || code === 'listing_contended');
}

/**
 * Retries while another change of the listing is in the way. Throws LISTING_BUSY after a minute, or once the batch was
 * canceled.
 */
export async function waitWhileBusy<Answer>(
  { clock }: Pick<Ports, 'clock'>,
  hold: Hold,
  work: () => Promise<Answer>,
  isCanceled: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<Answer> {
  const until_ms = clock.monotonic() + BUSY_MS;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      hold.checkStop();
      if (!isBusy(cause) || clock.monotonic() >= until_ms || (await isCanceled())) throw cause;
      await hold.pause(BUSY_PAUSE_MS);
    }
  }
}
