/* oxlint-disable unicorn/consistent-function-scoping -- what does nothing yet stands where it is replaced */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { compose, type App } from '../../../src/compose.js';
import { loadConfig } from '../../../src/config.js';
import type { Outcome } from '../../../src/core/operations/invoke.js';
import type { Clock, Log } from '../../../src/core/ports/index.js';
import { loadSqlite } from '../../../src/sqlite.js';
import type { Network } from '../../../src/marketplace/http/network.js';
import type { Post } from '../../../src/webhooks/index.js';
import type { Chance } from '../kernel/chance.js';
import type { Journal } from '../kernel/journal.js';
import type { Schedule } from '../kernel/schedule.js';
import type { PlannedMachine } from '../plan.js';
import type { Disk } from './disk.js';
import type { Owner } from './network.js';

/** One run of the program, from its start to its end. */
export type Life = {
  /** Its completions are void after its end. */
  owner: Owner;
  app: App;
  account_id: string;
  /** Resolves when it has ended. */
  ended: Promise<'ended'>;
};

/** A program that is restarted after each end. */
export type Machine = {
  name: string;
  getLife(): Life | undefined;
  start(): Promise<Life>;
  /** Kills it at once: nothing more of it happens, and uncommitted data is lost. */
  crash(): void;
  /** Sleeps until then, and its own time with it. */
  sleep(duration_ms: number, options?: { is_away: boolean }): void;
  /** Whether it sleeps and will not be woken before its time. */
  isAway(): boolean;
  isAsleep(): boolean;
  /** Someone needs it: it wakes, unless it is away. */
  wake(): void;
  /** Stops it cleanly. */
  stop(): Promise<void>;
  /** Called at each place where it may crash; an error thrown by this is thrown there. */
  onReached: ((place: Place) => void) | undefined;
};

/** Its own time stops while the computer sleeps. */
type OwnClock = Clock & { asleep_ms: number; asleep_since_ms: number | undefined };

/** Before and after a commit of the service's database; when a request leaves; when an answer arrives. */
export type Place = 'before_commit' | 'after_commit' | 'request' | 'answer';

/** Shorter than the default, so that a run covers the sweep of deliveries, of events and of the plans of jobs. */
export const KEPT_DAYS = 30;

export type MachineParts = {
  number: number;
  planned: PlannedMachine;
  folder: string;
  environment: Record<string, string>;
  start_ms: number;
  schedule: Schedule;
  chance: Chance;
  journal: Journal;
  disk: Disk;
  openNetwork: (owner: Owner) => Network;
  openPost: (owner: Owner) => Post;
};

/** Errors of killed programs on their closed databases. */
export function isOfCrash(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  const isClosed = reason.message === 'The database connection is not open';
  return reason instanceof CrashError || (isClosed && hasCrashed) || isOfCrash(reason.cause);
}

/** Whether a program was killed since the world began: one that stops cleanly leaves nothing behind. */
let hasCrashed = false;

export class CrashError extends Error {
  override readonly name = 'CrashError';
}

export function createMachine(parts: MachineParts): Machine {
  const { number, planned, folder, schedule, chance, journal, disk } = parts;
  const name = `m${number}`;
  let lives = 0;
  let current: (Life & { end: () => void }) | undefined;
  let clock: OwnClock | undefined;
  let isAway = false;
  let cancelWaking = (): void => undefined;

  const machine: Machine = {
    name,
    getLife: () => current,
    onReached: undefined,
    async start() {
      lives += 1;
      let isAlive = true;
      let end = (): void => undefined;
      const ended = new Promise<'ended'>((resolve) => {
        end = () => {
          isAlive = false;
          schedule.end(owner);
          resolve('ended');
        };
      });
      const owner: Owner = {
        name,
        isAlive: () => isAlive,
        reach: (place) => machine.onReached?.(place),
      };
      const data_dir = join(folder, `${name}.${lives}`);
      symlinkSync(join(folder, 'data'), data_dir);
      watched.set(join(data_dir, 'service.db'), machine);
      cancelWaking();
      isAway = false;
      clock = createClock(owner);
      const { blobs, media } = disk.mount(owner);
      const app = await compose(loadConfig({}, { ...parts.environment, DATA_DIR: data_dir }), {
        is_http: false,
        clock,
        randomness: { bytes: (count) => chance.bytes(count) },
        log: createLog(owner),
        openNetwork: () => parts.openNetwork(owner),
        post: parts.openPost(owner),
        blobs,
        media,
        limits: { deliveries_days: KEPT_DAYS, plans_days: KEPT_DAYS },
        disk: { listTroubles: () => Promise.resolve([]), getFreeBytes: () => Promise.resolve(1e12) },
        pauseForLock: (duration_ms) =>
          new Promise((resolve) => void schedule.after(duration_ms, resolve, owner)),
      });
      const { account_id } = await app.core.accounts.getDefault();
      current = { owner, app, account_id, ended, end };
      journal.note(name, 'started');
      await app.core.listings.resume();
      app.core.sweeper.start();
      app.delivery_worker.start();
      app.order_listening.start();
      app.listing_looks.start();
      return current;
    },
    crash() {
      if (!current) return;
      const { app, end } = current;
      current = undefined;
      journal.note(name, 'CRASH');
      hasCrashed = true;
      end();
      app.drop();
    },
    isAway: () => isAway,
    isAsleep: () => clock?.asleep_since_ms !== undefined,
    sleep(duration_ms, options = { is_away: false }) {
      if (!current || !clock || clock.asleep_since_ms !== undefined) return;
      const { owner } = current;
      const own = clock;
      own.asleep_since_ms = schedule.now();
      isAway = options.is_away;
      schedule.suspend(owner);
      cancelWaking = schedule.after(duration_ms, () => wake(owner, own));
    },
    wake() {
      if (isAway) return;
      cancelWaking();
      if (current && clock) wake(current.owner, clock);
    },
    async stop() {
      if (!current) return;
      const { app, end } = current;
      app.stopBeingReady();
      await app.close();
      current = undefined;
      end();
      journal.note(name, 'stopped');
    },
  };
  return machine;

  function wake(owner: Owner, own: OwnClock): void {
    if (own.asleep_since_ms === undefined) return;
    own.asleep_ms += schedule.now() - own.asleep_since_ms;
    own.asleep_since_ms = undefined;
    isAway = false;
    schedule.resume(owner);
  }

  function createClock(owner: Owner): OwnClock {
    const began_ms = schedule.now();
    const own: OwnClock = {
      asleep_ms: 0,
      asleep_since_ms: undefined,
      now() {
        const passed_ms = schedule.now() - parts.start_ms;
        const { skew_ms, step } = planned;
        return new Date(schedule.now() + (step && step.at_ms <= passed_ms ? step.skew_ms : skew_ms));
      },
      monotonic: () => schedule.now() - began_ms - own.asleep_ms,
      sleep: (duration_ms, signal) =>
        new Promise((resolve, reject) => {
          const onAbort = (): void => {
            cancel();
            reject(signal?.reason as Error);
          };
          const cancel = schedule.after(
            duration_ms,
            () => {
              signal?.removeEventListener('abort', onAbort);
              resolve();
            },
            owner,
          );
          if (signal?.aborted) onAbort();
          else signal?.addEventListener('abort', onAbort, { once: true });
        }),
    };
    return own;
  }

  function createLog({ isAlive }: Owner): Log {
    const write = (level: string) => (message: string, fields?: Record<string, unknown>) => {
      if (!isAlive()) return;
      const { error, cause } = fields ?? {};
      const outcome = error ?? cause;
      journal.note(name, `${level}: ${message}`, outcome instanceof Error ? String(outcome) : '');
      // For readers only: the position in a file is not part of what happened.
      if (outcome instanceof Error) journal.remark((outcome.stack ?? '').split('\n').slice(1, 5).join(' | '));
    };
    const silent = (): void => undefined;
    return { debug: silent, info: silent, warn: write('warn'), error: write('error') };
  }
}

/** Databases by the path under which a life has opened them. */
const watched = new Map<string, Machine>();

/** Call it once: from then on, commits of machines can be places of crashes. */
export function watchCommits(): void {
  const { prototype } = loadSqlite() as { prototype: BetterSqlite3.Database };
  const { prepare } = prototype;
  /** Writing connections: read-only ones commit nothing. */
  const writers = new WeakSet<BetterSqlite3.Database>();
  const watchedPrepare = function (this: BetterSqlite3.Database, sql: string): BetterSqlite3.Statement {
    const statement = prepare.call(this, sql) as BetterSqlite3.Statement;
    if (sql === 'BEGIN IMMEDIATE') writers.add(this);
    if (sql !== 'COMMIT') return statement;
    const { run } = statement;
    const reach = (place: Place): void => {
      if (writers.has(this)) watched.get(this.name)?.onReached?.(place);
    };
    statement.run = () => {
      reach('before_commit');
      const done = run.call(statement);
      reach('after_commit');
      return done;
    };
    return statement;
  };
  Object.assign(prototype, { prepare: watchedPrepare });
}

export function forgetMachines(): void {
  watched.clear();
  hasCrashed = false;
}

/** The answer, or that the answering program has ended. */
export function untilEnd<Answer>(life: Life, answer: Promise<Answer>): Promise<Answer | 'ended'> {
  // Nobody receives its result after the end.
  answer.catch(() => undefined);
  return Promise.race([answer, life.ended]);
}

export type { Outcome };

export function makeDataFolder(folder: string): void {
  mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 });
}
