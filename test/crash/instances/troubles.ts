import { setTimeout as delay } from 'node:timers/promises';
import type { BucketServer } from '../../blobs/bucket_server.js';
import type { Server as DatabaseServer } from '../../postgres/server.js';
import type { Chance } from '../chance.js';
import type { Fleet, Instance } from './fleet.js';

/** Longer than the claim of a job (30 s) plus the time until another instance notices that it expired (5 s). */
export const PAST_CLAIM_MS = 38_000;
/** Also longer than an instance counts as present after its last heartbeat (50 s). */
export const PAST_PRESENCE_MS = 56_000;

/** Troubles of the instances and their infrastructure, other than kills. */
export type Injected = {
  restarts: number;
  resets: number;
  lost_commits: number;
  /** Processes that were suspended past their claims, and resumed. */
  sleeps: number;
  /** Connections to the database that stalled past claims, and resumed. */
  stalls: number;
  bucket_faults: number;
  /** Counted by the fleet: see there. */
  refused_writers: number;
  refused_starts: number;
  /** Requests that were refused because the database or the bucket was unreachable. */
  refusals: number;
};

export const NOTHING_INJECTED: Injected = {
  restarts: 0,
  resets: 0,
  lost_commits: 0,
  sleeps: 0,
  stalls: 0,
  bucket_faults: 0,
  refused_writers: 0,
  refused_starts: 0,
  refusals: 0,
};

type Troubles = {
  injected: Pick<Injected, 'restarts' | 'resets' | 'lost_commits' | 'sleeps' | 'stalls' | 'bucket_faults'>;
  /** Whether it is suspended now, so that a kill would spoil the test. */
  isHeld(instance: Instance): boolean;
  /** Causes each kind once, in turn; the long ones run in parallel with the others. */
  befallAll(): Promise<void>;
};

export function createTroubles(
  fleet: Fleet,
  database: DatabaseServer,
  bucket: BucketServer,
  chance: Chance,
): Troubles {
  const injected = { restarts: 0, resets: 0, lost_commits: 0, sleeps: 0, stalls: 0, bucket_faults: 0 };
  const held = new Set<Instance>();
  const pick = (): Instance => {
    const free = fleet.instances.filter((instance) => !held.has(instance));
    const instance = free[chance.below(free.length)];
    if (!instance) throw new Error('each instance is held');
    return instance;
  };

  async function sleep(duration_ms: number): Promise<void> {
    const instance = pick();
    held.add(instance);
    const life = instance.life();
    await life.url.catch(() => undefined);
    life.sleep();
    await delay(duration_ms);
    life.wake();
    injected.sleeps += 1;
    // Gives its interrupted work a chance to proceed.
    await delay(3_000);
    held.delete(instance);
  }

  async function stall(duration_ms: number): Promise<void> {
    const instance = pick();
    held.add(instance);
    await instance.life().url.catch(() => undefined);
    instance.proxy.stall();
    await delay(duration_ms);
    instance.proxy.resume();
    injected.stalls += 1;
    await delay(3_000);
    held.delete(instance);
  }

  async function restart(): Promise<void> {
    await database.stop('immediate');
    await delay(chance.below(2_000));
    await database.start();
    injected.restarts += 1;
  }

  async function reset(): Promise<void> {
    for (let count = 0; count < 5; count += 1) {
      injected.resets += pick().proxy.reset();
      await delay(chance.below(1_000));
    }
  }

  async function loseCommits(): Promise<void> {
    for (let count = 0; count < 12; count += 1) {
      await Promise.race([
        pick()
          .proxy.loseCommit()
          .then(() => (injected.lost_commits += 1)),
        delay(3_000),
      ]);
      await delay(chance.below(400));
    }
  }

  async function spoilBucket(): Promise<void> {
    const before = bucket.seen.length;
    const faults = [
      { kind: 'status', status: 503, code: 'SlowDown' },
      { kind: 'slow', delay_ms: 3_000 },
      { kind: 'reset' },
      { kind: 'lose_answer' },
      { kind: 'truncate' },
    ] as const;
    for (const fault of faults) {
      bucket.fail(fault, { times: 12 });
      await delay(1_500);
    }
    bucket.heal();
    injected.bucket_faults += Math.min(bucket.seen.length - before, 12 * faults.length);
  }

  return {
    injected,
    isHeld: (instance) => held.has(instance),
    async befallAll() {
      await Promise.all([
        sleep(PAST_CLAIM_MS),
        (async () => {
          for (const trouble of [loseCommits, reset, restart, spoilBucket]) await trouble();
        })(),
      ]);
      await Promise.all([
        stall(PAST_PRESENCE_MS),
        (async () => {
          for (const trouble of [spoilBucket, loseCommits, reset]) await trouble();
        })(),
      ]);
    },
  };
}

export function toInjectedLine(injected: Injected): string {
  const { restarts, resets, lost_commits, sleeps, stalls, bucket_faults } = injected;
  const { refused_writers, refused_starts, refusals } = injected;
  return `injected over three instances: database restarts ${restarts}, connections reset ${resets}, answers of commits lost ${lost_commits}, sleeps ${sleeps}, stalls ${stalls} (writers refused ${refused_writers}), bucket faults ${bucket_faults}, starts refused ${refused_starts}, requests refused ${refusals}`;
}
