import type { Chance } from './chance.js';

/** The operating system's own timers, saved before the simulation replaces them. */
const nextTurn = setImmediate;

/** A completion waiting for its time. `owner`: cancels it when it ends. */
type Completion = { at_ms: number; tie: number; number: number; owner: object | undefined; run: () => void };

export type Cancel = () => void;

/**
 * Virtual time and the order of events. JavaScript runs its microtasks in one fixed order, so the only choice
 * left is which completion comes next: the earliest one, and among several of the same time the one that
 * chance puts first.
 */
export type Schedule = {
  /** Milliseconds of virtual time since 1970. */
  now(): number;
  /** @param owner completions for an owner that has ended are dropped */
  after(delay_ms: number, run: () => void, owner?: object): Cancel;
  /** Resolves after the given time; for callers that never end before it. */
  pause(delay_ms: number): Promise<void>;
  /** Drops everything due for the owner. */
  end(owner: object): void;
  /** Delays everything due for the owner until `resume`, in its order. */
  suspend(owner: object): void;
  resume(owner: object): void;
  /** Runs completions until the promise is settled; throws if none is left that could settle it. */
  runUntil<Result>(promise: Promise<Result>): Promise<Result>;
  /** Completions so far. */
  count(): number;
};

export function createSchedule(start_ms: number, chance: Chance): Schedule {
  const heap: Completion[] = [];
  const ended = new WeakSet();
  /** Completions due for a sleeping owner. */
  const asleep = new Map<object, Completion[]>();
  let now_ms = start_ms;
  let number = 0;
  let completed = 0;

  function after(delay_ms: number, run: () => void, owner?: object): Cancel {
    number += 1;
    const at_ms = now_ms + Math.max(0, Math.ceil(Number.isFinite(delay_ms) ? delay_ms : 0));
    const completion: Completion = { at_ms, tie: chance.word(), number, owner, run };
    push(heap, completion);
    return () => {
      completion.run = nothing;
    };
  }

  return {
    now: () => now_ms,
    after,
    pause: (delay_ms) => new Promise((resolve) => void after(delay_ms, resolve)),
    end: (owner) => ended.add(owner),
    suspend(owner) {
      asleep.set(owner, asleep.get(owner) ?? []);
    },
    resume(owner) {
      const due = asleep.get(owner) ?? [];
      asleep.delete(owner);
      // In the order they were due, before anything else due at this time.
      due.forEach((completion, index) => {
        completion.at_ms = now_ms;
        completion.tie = index - due.length;
        push(heap, completion);
      });
    },
    async runUntil<Result>(promise: Promise<Result>): Promise<Result> {
      let isSettled = false;
      const settle = (): void => {
        isSettled = true;
      };
      promise.then(settle, settle);
      for (;;) {
        await new Promise<void>((resolve) => void nextTurn(resolve));
        if (isSettled) return promise;
        const next = takeNext();
        if (!next) throw new Error('Nothing is due any more, and what is waited for has not come.');
        now_ms = Math.max(now_ms, next.at_ms);
        completed += 1;
        next.run();
      }
    },
    count: () => completed,
  };

  function takeNext(): Completion | undefined {
    for (;;) {
      const next = pop(heap);
      if (!next) return undefined;
      if (next.run === nothing || (next.owner && ended.has(next.owner))) continue;
      const kept = next.owner && asleep.get(next.owner);
      if (!kept) return next;
      kept.push(next);
    }
  }
}

function nothing(): void {}

function isBefore(a: Completion, b: Completion): boolean {
  if (a.at_ms !== b.at_ms) return a.at_ms < b.at_ms;
  return a.tie === b.tie ? a.number < b.number : a.tie < b.tie;
}

function push(heap: Completion[], added: Completion): void {
  let at = heap.length;
  heap.push(added);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || !isBefore(added, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = added;
}

function pop(heap: Completion[]): Completion | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    let child = heap[below];
    const right = heap[below + 1];
    if (right && child && isBefore(right, child)) {
      below += 1;
      child = right;
    }
    if (!child || !isBefore(child, last)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
  return first;
}
