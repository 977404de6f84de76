import { MediaError } from '../core/ports/media.js';

type Waiting = { owner: string; begin: () => void };

/** Limits how much work of one kind runs at a time, and shares it between those who request it. */
type Places = {
  /**
   * Runs the work when a place is free. No owner gets more than half of the places, and a free place goes to
   * the waiting owner who was served least recently. Throws MediaError busy if no place becomes free in time
   * or too much of the owner's work is waiting, and the reason of the signal if it is aborted.
   */
  run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  count(): number;
};

type PlacesOptions = {
  places: number;
  /** How long to wait for a place; by default 20 s. */
  patience_ms?: number | undefined;
  /** How much work of one owner may wait; by default any amount. */
  max_waiting?: number;
  /** The message of the MediaError. */
  busy: string;
};

export function createPlaces(options: PlacesOptions): Places {
  const { places, patience_ms = PATIENCE_MS, max_waiting = Infinity, busy } = options;
  const share = Math.ceil(places / 2);
  const running: string[] = [];
  const waiting: Waiting[] = [];
  /** Owners in the order in which they were last served. */
  const served = new Set<string>();

  const hasPlace = (owner: string) =>
    running.length < places && running.filter((other) => other === owner).length < share;

  function occupy(owner: string): void {
    running.push(owner);
    served.delete(owner);
    served.add(owner);
    const [oldest] = served;
    if (served.size > MAX_REMEMBERED && oldest !== undefined) served.delete(oldest);
  }

  function beginNext(): void {
    const ready = new Map<string, Waiting>();
    for (const entry of waiting) {
      if (!ready.has(entry.owner) && hasPlace(entry.owner)) ready.set(entry.owner, entry);
    }
    const owner =
      [...ready.keys()].find((one) => !served.has(one)) ?? [...served].find((one) => ready.has(one));
    const next = owner === undefined ? undefined : ready.get(owner);
    if (!next) return;
    waiting.splice(waiting.indexOf(next), 1);
    occupy(next.owner);
    next.begin();
  }

  async function wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (waiting.filter((other) => other.owner === owner).length >= max_waiting)
      throw new MediaError('busy', busy);
    const late = AbortSignal.timeout(patience_ms);
    const over = signal ? AbortSignal.any([signal, late]) : late;
    await new Promise<void>((begin, reject) => {
      const entry: Waiting = { owner, begin };
      waiting.push(entry);
      over.addEventListener('abort', () => {
        const index = waiting.indexOf(entry);
        if (index === -1) return;
        waiting.splice(index, 1);
        reject(signal?.aborted ? (signal.reason as Error) : new MediaError('busy', busy));
      });
    });
  }

  return {
    async run(owner, work, signal) {
      if (hasPlace(owner)) occupy(owner);
      else await wait(owner, signal);
      try {
        return await work();
      } finally {
        running.splice(running.indexOf(owner), 1);
        beginNext();
      }
    },
    count: () => running.length,
  };
}

const PATIENCE_MS = 20_000;
const MAX_REMEMBERED = 1_000;
