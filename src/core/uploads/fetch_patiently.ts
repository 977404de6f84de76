import { MediaError } from '../ports/index.js';
import type { FetchedSource, Uploads } from './uploads.js';

const BUSY_PAUSE_MS = 1_000;
const BUSY_TIMES = 30;

/** The work that a fetch is a part of. */
type Patience = { signal: AbortSignal; checkStop(): void; pause(duration_ms: number): Promise<void> };

/**
 * Fetches and keeps a photo or video, waiting for its turn. Throws MediaError busy if it does not get one, QUOTA_EXCEEDED, or
 * a disk fault.
 */
export async function fetchPatiently(
  uploads: Pick<Uploads, 'fetch'>,
  account_id: string,
  source: FetchedSource,
  { signal, checkStop, pause }: Patience,
): ReturnType<Uploads['fetch']> {
  for (let times = 1; ; times += 1) {
    checkStop();
    try {
      return await uploads.fetch(account_id, source, signal);
    } catch (cause) {
      checkStop();
      if (!(cause instanceof MediaError) || times === BUSY_TIMES) throw cause;
      await pause(BUSY_PAUSE_MS);
    }
  }
}
