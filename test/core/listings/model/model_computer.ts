import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../../src/core/ports/index.js';
import { openAddon } from '../../../../src/sqlite.js';
import { backupDatabase } from '../../../../src/store/index.js';
import { systemClock } from '../../../../src/world/clock.js';
import { mountSmallDisk } from '../../../small_disk.js';
import type { ClockStep, ModelTroubles } from './model_troubles.js';

/** Room is promised to each file that comes without its size, 16 MB at a time, and several come at once. */
const DISK_MB = 192;
/** Twice as long as a write waits for a lock. */
const LOCK_MS = 10_000;

/** The computer that a service runs on: its disk, and what happens to it. The marketplace's own data is not on that disk. */
export type Computer = {
  getDataDir(): string;
  /** Begins with all its troubles; resolves when the last of them is over. */
  begin(troubles: ModelTroubles): Promise<void>;
  /** While no service is up: where a copy was made, what is there from now on is the copy, and the titles that it knows. */
  restore(): Promise<ReadonlySet<string> | undefined>;
  close(): Promise<void>;
};

export async function openComputer(): Promise<Computer> {
  const directory = await mkdtemp(join(tmpdir(), 'model-'));
  const folder = join(directory, 'disk');
  const disk = mountSmallDisk(folder, DISK_MB);
  const copy = join(directory, 'copy.db');
  let data_dir = join(folder, 'data');
  let is_copied = false;
  await makeFolder();

  async function makeFolder(): Promise<void> {
    await mkdir(data_dir);
    await symlink(join(directory, 'sandbox.db'), join(data_dir, 'sandbox.db'));
  }

  async function fillDisk({ after_ms, lasts_ms }: { after_ms: number; lasts_ms: number }): Promise<void> {
    await delay(after_ms);
    disk?.fill();
    await delay(lasts_ms);
    disk?.free();
  }

  async function lock({ after_ms }: { after_ms: number }): Promise<void> {
    await delay(after_ms);
    const holder = openAddon(join(data_dir, 'service.db'));
    holder.exec('BEGIN EXCLUSIVE');
    await delay(LOCK_MS);
    holder.close();
  }

  async function backUp({ after_ms }: { after_ms: number }): Promise<void> {
    await delay(after_ms);
    await backupDatabase({ data_dir, file: copy, now: new Date() });
    is_copied = true;
  }

  return {
    getDataDir: () => data_dir,
    async begin({ full_disk, lock: locked, sleep: asleep, backup }) {
      await Promise.all([
        full_disk && fillDisk(full_disk),
        locked && lock(locked),
        asleep && sleep(asleep),
        backup && backUp(backup),
      ]);
    },
    async restore() {
      if (!is_copied) return undefined;
      const before = data_dir;
      data_dir = join(folder, 'restored');
      await makeFolder();
      await cp(copy, join(data_dir, 'service.db'));
      for (const kept of ['master.key', 'marketplace', 'blobs']) {
        await cp(join(before, kept), join(data_dir, kept), { recursive: true });
      }
      is_copied = false;
      return readTitles(copy);
    },
    async close() {
      disk?.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function sleep({ after_ms, lasts_ms }: { after_ms: number; lasts_ms: number }): Promise<void> {
  await delay(after_ms);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lasts_ms);
}

/** A clock that is wrong and is set; the time that passes is not. */
export function buildClock(steps: readonly ClockStep[]): Clock {
  const started_ms = systemClock.monotonic();
  const getAhead_ms = () => {
    const passed_ms = systemClock.monotonic() - started_ms;
    return 1000 * (steps.findLast(({ after_ms }) => after_ms <= passed_ms)?.ahead_s ?? 0);
  };
  return { ...systemClock, now: () => new Date(Date.now() + getAhead_ms()) };
}

function readTitles(file: string): Set<string> {
  const copy = openAddon(file, { readonly: true });
  try {
    return new Set(copy.prepare<[], string>('SELECT title FROM listings').pluck().all());
  } finally {
    copy.close();
  }
}
