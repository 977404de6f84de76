import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { openAddon } from '../../src/sqlite.js';
import type { Chance } from './chance.js';
import { AHEAD_CLOCK, buildClockSteps } from './clocks.js';
import { backUp, restore } from './restoring.js';
import type { Seller } from './seller.js';
import type { End, Life, Server } from './server.js';
import { NOTHING_INJECTED, type Injected } from './tally.js';
import type { World } from './world.js';

/** Twice the time a write waits for a lock. */
const LOCK_MS = 10_000;
/** Longer than every deadline of a call, and than every claim. */
const LONG_SLEEP_MS = 40_000;
/** The message of a start that fails because the disk is full or another process keeps the database locked. */
const REFUSED_START =
  /^listing-service: (The disk that holds the service's data is full|Another program has kept the service's database locked)/m;
const FAULTS = new RegExp(`"code":"(SQLITE_FULL|SQLITE_BUSY|SQLITE_IOERR|ENOSPC)|${REFUSED_START.source}`);

/** Troubles of the service's processes other than kills; `injected` counts those that happened. */
export type Troubles = {
  injected: Injected;
  /** Starts a life with its own clock, which is set while it runs. */
  start(): Life;
  /** Subjects the current life to the next kind of trouble, in turn. Returns the life running afterwards. */
  befall(life: Life): Promise<Life>;
  /** Ends a life that was killed. Once a backup is old enough, the next life starts on it. */
  bury(life: Life): Promise<void>;
};

export function createTroubles(
  world: World,
  server: Server,
  seller: Seller,
  chance: Chance,
  { has_long_sleep }: { has_long_sleep: boolean },
): Troubles {
  const injected: Injected = { ...NOTHING_INJECTED };
  const troubles = [fillDisk, lock, sleep, takeOver, makeBackup];
  let befallen = 0;
  let backup: { file: string; lives_left: number } | undefined;

  function start(extra = buildClockSteps(chance)): Life {
    injected.clocks += 1;
    return server.start(extra);
  }

  /**
   * Returns the running life, the next one if it was killed halfway, or undefined if that could not start
   * (which it must report).
   */
  async function endure(life: Life, duration_ms: number): Promise<Life | undefined> {
    if (chance.below(2) === 0) {
      await delay(duration_ms);
      return life;
    }
    await delay(duration_ms / 2);
    await kill(life);
    const next = start();
    await Promise.all([delay(duration_ms / 2), Promise.race([next.ended, next.url.catch(() => undefined)])]);
    const end = await Promise.race([next.ended, delay(0)]);
    if (!end) return next;
    expectEnd(end);
    return undefined;
  }

  async function fillDisk(life: Life): Promise<Life> {
    if (!world.disk) return life;
    world.disk.fill();
    const next = await endure(life, 1_000 + chance.below(4_000));
    world.disk.free();
    injected.full_disks += 1;
    return next ?? start();
  }

  async function lock(life: Life): Promise<Life> {
    const holder = openAddon(join(world.environment.DATA_DIR, 'service.db'));
    holder.exec('BEGIN EXCLUSIVE');
    const next = await endure(life, LOCK_MS);
    holder.close();
    injected.locks += 1;
    return next ?? start();
  }

  async function sleep(life: Life): Promise<Life> {
    life.sleep();
    await delay(has_long_sleep && injected.sleeps === 0 ? LONG_SLEEP_MS : 500 + chance.below(7_500));
    life.wake();
    injected.sleeps += 1;
    return life;
  }

  /** While one process sleeps, another, to which every claim has expired, adopts its jobs; then both run. */
  async function takeOver(life: Life): Promise<Life> {
    life.sleep();
    const other = start(AHEAD_CLOCK);
    await Promise.race([other.url.catch(() => undefined), other.ended]);
    await delay(chance.below(4_000));
    life.wake();
    await delay(chance.below(4_000));
    await kill(other);
    injected.takeovers += 1;
    return life;
  }

  async function makeBackup(life: Life): Promise<Life> {
    const file = await backUp(world, `backup-${befallen}`);
    backup = { file, lives_left: 1 + chance.below(3) };
    return life;
  }

  async function kill(life: Life): Promise<void> {
    life.kill();
    injected.kills += 1;
    expectEnd(await life.ended);
  }

  return {
    injected,
    start,
    async befall(life) {
      await life.url;
      const trouble = troubles[befallen % troubles.length];
      befallen += 1;
      return trouble ? trouble(life) : life;
    },
    async bury(life) {
      expectEnd(await life.ended);
      if (!backup || --backup.lives_left > 0) return;
      injected.restores += 1;
      seller.startAgain(await restore(world, backup.file, `restored-${injected.restores}`));
      backup = undefined;
    },
  };
}

/** Expects that the process was killed, or could not start because of its computer, and logged nothing else. */
function expectEnd({ signal, code, stderr }: End): void {
  const others = stderr.split('\n').filter((line) => line !== '' && !FAULTS.test(line));
  const wanted = REFUSED_START.test(stderr) ? { signal: null, code: 1 } : { signal: 'SIGKILL', code: null };
  expect({ signal, code, others }).toEqual({ ...wanted, others: [] });
}
