import { MediaError } from '../../core/ports/media.js';

type Waiting = { owner: string; begin: () => void };

/** How many files are fetched at a time, for all who ask. */
export type FetchPlaces = {
  /**
   * Runs in the order of asking, but no owner has more than half of the places, so that slow downloads of one leave room for
   * others. Throws MediaError busy when no place was free in time, or why the signal was aborted.
   */
  run<T>(owner: string, fetch: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  count(): number;
};

/** How long to wait for a place. */
const PATIENCE_MS = 20_000;

export function createFetchPlaces(places: number, patience_ms = PATIENCE_MS): FetchPlaces {
  const share = Math.ceil(places / 2);
  const running: string[] = [];
  const waiting: Waiting[] = [];

  const hasPlace = (owner: string) =>
    running.length < places && running.filter((other) => other === owner).length < share;

  function beginNext(): void {
    const index = waiting.findIndex(({ owner }) => hasPlace(owner));
    const [next] = index === -1 ? [] : waiting.splice(index, 1);
    if (!next) return;
    running.push(next.owner);
    next.begin();
  }

  async function wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const late = AbortSignal.timeout(patience_ms);
    const over = signal ? AbortSignal.any([signal, late]) : late;
    await new Promise<void>((begin, reject) => {
      const entry: Waiting = { owner, begin };
      waiting.push(entry);
      over.addEventListener('abort', () => {
        const index = waiting.indexOf(entry);
        if (index === -1) return;
        waiting.splice(index, 1);
        const busy = new MediaError('busy', 'As many files are fetched as may be at a time.');
        reject(signal?.aborted ? (signal.reason as Error) : busy);
      });
    });
  }

  return {
    async run(owner, fetch, signal) {
      if (hasPlace(owner)) running.push(owner);
      else await wait(owner, signal);
      try {
        return await fetch();
      } finally {
        running.splice(running.indexOf(owner), 1);
        beginNext();
      }
    },
    count: () => running.length,
  };
}
