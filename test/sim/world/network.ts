/* oxlint-disable unicorn/consistent-function-scoping, promise/always-return -- each exchange is read from top to bottom, in the order of its ways; what follows an arrival has no value */
import {
  DeadlineError,
  type HttpRequest,
  type Network,
  type Progress,
  type Received,
} from '../../../src/marketplace/http/network.js';
import type { Chance } from '../kernel/chance.js';
import type { Journal } from '../kernel/journal.js';
import type { Schedule } from '../kernel/schedule.js';
import type { Fate, Fates } from './fates.js';
import type { Arrived, Door } from './marketplace.js';

/** A computer's outgoing connection; what it waits for never comes once the owner has ended. */
export type Owner = {
  name: string;
  isAlive(): boolean;
  /** A request leaves, or an answer arrives. It may end there, and then throws. */
  reach(place: 'request' | 'answer'): void;
};

/** A sent request, and what its answer reported about the day of the application's key. */
export type Sent = {
  owner: Owner;
  at_ms: number;
  kind: 'look' | 'write' | 'other';
  told?: DayTold;
};

/**
 * `at_ms`: when it arrived. `wait_ms`: for a refusal, how long it asks to wait, and `until_ms`: until when, by
 * its own time.
 */
export type DayTold = {
  at_ms: number;
  remaining: number;
  limit: number;
  wait_ms: number;
  until_ms: number;
};

type Parts = {
  schedule: Schedule;
  chance: Chance;
  journal: Journal;
  door: Door;
  fates: Fates;
  /** The longest time until a list shows a change. */
  lag_ms: number;
};

/**
 * The program's default (RECONCILE_SETTLE_MS): the effect of a call may take this long after its deadline to
 * show. No program could prevent a later request from being a second one.
 */
const SETTLE_MS = 30_000;

/** The time a request takes on the way, and its answer, too. */
export const TRIP_MS = { least: 8, most: 90 };

/** Between computers of the service and the marketplace: every exchange has its own fate. */
export function createNetworks({ schedule, chance, journal, door, fates, lag_ms }: Parts): {
  open(owner: Owner): Network;
  countRequests(): number;
  countTraffic(): number;
  /** The arrival times of requests that count towards the limits, except those delayed or repeated on the way. */
  arrivals: readonly number[];
  /** All sent requests that count towards the limits, in the order of sending. */
  sent: readonly Sent[];
} {
  let requests = 0;
  let ends = 0;
  const arrivals: number[] = [];
  const sent: Sent[] = [];
  return { open, countRequests: () => requests, countTraffic: () => requests + ends, arrivals, sent };

  function open(owner: Owner): Network {
    let isClosed = false;
    return {
      async exchange(request, progress, signal) {
        if (isClosed) throw new Error('The client is closed.');
        return exchange(owner, request, progress, signal);
      },
      close() {
        isClosed = true;
        return Promise.resolve();
      },
    };
  }

  async function exchange(
    owner: Owner,
    request: HttpRequest,
    progress: Progress,
    signal: AbortSignal | undefined,
  ): Promise<Received> {
    if (!owner.isAlive()) return never();
    if (hasEndedAt(owner, 'request')) return never();
    requests += 1;
    const number = requests;
    const fate = fates.draw(request.method, request.path);
    const words = `${request.method} ${toShown(request.path)}`;
    const leaving: Sent = { owner, at_ms: schedule.now(), kind: toKind(request) };
    if (isCounted(request)) sent.push(leaving);
    journal.note(owner.name, `→ ${number}`, fate.kind === 'plain' ? words : `${words} !${describe(fate)}`);
    return new Promise((resolve, reject) => {
      let hasEnded = false;
      const end = (settle: () => void): void => {
        ends += 1;
        hasEnded = true;
        cancelDeadline();
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = (): void => end(() => reject(new Error('cancelled', { cause: signal?.reason })));
      const cancelDeadline = schedule.after(
        request.timeout_ms,
        () => end(() => reject(new DeadlineError())),
        owner,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      const fail = (cause: unknown): void => {
        journal.note(owner.name, `× ${number}`);
        end(() => reject(cause));
      };
      if (fate.kind === 'refused') {
        schedule.after(trip(), () => fail(buildSocketError('ECONNREFUSED')), owner);
        return;
      }
      readBody(request).then((body) => {
        progress.has_started = true;
        const isArrival = isCounted(request) && fate.kind !== 'late' && fate.kind !== 'twice';
        let times = 0;
        const arrive = (): Promise<Arrived> => {
          if (isArrival) arrivals.push(schedule.now());
          times += 1;
          const isLate = fate.kind === 'late' || times > 1;
          return door.receive({ ...request, headers: describeBody(request), body, is_late: isLate });
        };
        const answer = (received: Arrived, delay_ms: number): void => {
          const answered_ms = schedule.now();
          schedule.after(
            delay_ms,
            () => {
              journal.note(owner.name, `← ${number}`, received.status);
              if (hasEndedAt(owner, 'answer')) return;
              // Nobody reads an answer after its caller has given up.
              if (!hasEnded) Object.assign(leaving, { told: readDay(received, answered_ms, schedule.now()) });
              end(() => resolve({ status: received.status, headers: received.headers, text: received.text }));
            },
            owner,
          );
        };
        const breakOff = (delay_ms: number): void =>
          void schedule.after(delay_ms, () => fail(buildSocketError('ECONNRESET')), owner);
        follow(fate, { arrive, answer, breakOff, timeout_ms: request.timeout_ms });
      }, fail);
    });
  }

  type Way = {
    arrive: () => Promise<Arrived>;
    answer: (received: Arrived, delay_ms: number) => void;
    breakOff: (delay_ms: number) => void;
    timeout_ms: number;
  };

  function follow(fate: Fate, { arrive, answer, breakOff, timeout_ms }: Way): void {
    const later = (delay_ms: number, run: () => void): void => void schedule.after(delay_ms, run);
    const arriveLate = (delay_ms: number): void => {
      const done = (): void => void arrive().then((received) => answer(received, trip()));
      later(Math.min(delay_ms, timeout_ms + SETTLE_MS - lag_ms), done);
    };
    switch (fate.kind) {
      case 'plain':
        return later(trip(), () => void arrive().then((received) => answer(received, trip())));
      case 'refused':
        return;
      case 'reset':
        return breakOff(trip());
      case 'lost':
        return later(trip(), () => void arrive().then(() => breakOff(trip())));
      case 'silent':
        return later(trip(), () => void arrive());
      case 'late':
        return arriveLate(fate.delay_ms);
      case 'slow':
        return later(trip(), () => void arrive().then((received) => answer(received, fate.delay_ms)));
      case 'twice':
        return later(trip(), () => {
          void arrive().then((first) => {
            const second = trip();
            later(second, () => {
              void arrive().then((received) => {
                if (fate.answer === 'second') answer(received, trip());
              });
            });
            if (fate.answer === 'first') answer(first, trip());
            if (fate.answer === 'none') breakOff(second + trip());
          });
        });
      case 'truncated':
        return later(trip(), () => {
          void arrive().then((received) => {
            if (fate.is_told)
              answer({ ...received, text: received.text.slice(0, received.text.length >> 1) }, trip());
            else breakOff(trip());
          });
        });
      case 'status': {
        const instead: Arrived = { status: fate.status, headers: fate.headers, text: fate.text };
        if (!fate.is_committed) return later(trip(), () => answer(instead, trip()));
        return later(trip(), () => void arrive().then(() => answer(instead, trip())));
      }
    }
  }

  function trip(): number {
    return chance.between(TRIP_MS.least, TRIP_MS.most);
  }
}

function isCounted({ path }: HttpRequest): boolean {
  return !path.includes('/oauth/');
}

function toKind({ method, path }: HttpRequest): Sent['kind'] {
  if (path.includes('/receipts') || path.includes('/listings/batch')) return 'look';
  return method === 'GET' || path.endsWith('/scopes') ? 'other' : 'write';
}

function readDay({ status, headers }: Arrived, answered_ms: number, at_ms: number): DayTold | undefined {
  const remaining = Number(headers['x-remaining-today'] ?? Number.NaN);
  if (Number.isNaN(remaining)) return undefined;
  const wait_ms = status === 429 ? Number(headers['retry-after'] ?? 0) * 1000 : 0;
  const limit = Number(headers['x-limit-per-day']);
  return { at_ms, remaining, limit, wait_ms, until_ms: answered_ms + wait_ms };
}

function describe(fate: Fate): string {
  const { kind, ...rest } = fate;
  const { status, is_committed, delay_ms, answer } = rest as {
    status?: number;
    is_committed?: boolean;
    delay_ms?: number;
    answer?: string;
  };
  return [kind, status, is_committed === true ? 'done' : undefined, delay_ms, answer]
    .filter((word) => word !== undefined)
    .join(' ');
}

/** In the client's words. */
function describeBody({ headers, body }: HttpRequest): Record<string, string> {
  return {
    accept: 'application/json',
    ...headers,
    ...(body && { 'content-type': body.content_type, 'content-length': String(body.size_bytes) }),
  };
}

async function readBody({ body }: HttpRequest): Promise<Buffer | undefined> {
  const content = body?.open();
  if (content === undefined || Buffer.isBuffer(content)) return content;
  const pieces: Buffer[] = [];
  // A piece's memory is reused for the next.
  for await (const piece of content) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

function toShown(path: string): string {
  return path.replace('/v3/application', '').slice(0, 100);
}

function never<Result>(): Promise<Result> {
  return new Promise(() => undefined);
}

export function buildSocketError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function hasEndedAt(owner: Owner, place: 'request' | 'answer'): boolean {
  try {
    owner.reach(place);
    return false;
  } catch {
    return true;
  }
}
