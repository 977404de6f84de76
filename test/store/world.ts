import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Clock, Ids, Log, LogFields, Store } from '../../src/core/ports/index.js';
import { openStore } from '../../src/store/index.js';

export const START = '2026-11-20T10:00:00.000Z';

/** A clock that stands still until told; sleeping takes a moment of real time. */
export type TestClock = Clock & { advance(duration_ms: number): void };

export function createTestClock(start = START): TestClock {
  let now_ms = Date.parse(start);
  return {
    now: () => new Date(now_ms),
    sleep: async () => pause(2),
    advance(duration_ms) {
      now_ms += duration_ms;
    },
  };
}

export function createTestIds(): Ids {
  return { build: (prefix) => prefix + randomBytes(11).toString('hex') };
}

export type TestLog = Log & { lines: { level: string; message: string; fields: LogFields | undefined }[] };

export function createTestLog(): TestLog {
  const lines: TestLog['lines'] = [];
  const write = (level: string) => (message: string, fields?: LogFields) => {
    lines.push({ level, message, fields });
  };
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** A directory that goes when the test ends. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'store-test-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

export type World = { store: Store; clock: TestClock; log: TestLog; data_dir: string };

/** A store on a directory (a new one unless named), closed when the test ends. */
export async function openWorld(options: { data_dir?: string; master_key?: string } = {}): Promise<World> {
  const data_dir = options.data_dir ?? join(makeDirectory(), 'data');
  const clock = createTestClock();
  const log = createTestLog();
  const store = await openStore({ ...options, data_dir, clock, ids: createTestIds(), log });
  onTestFinished(() => store.close());
  return { store, clock, log, data_dir };
}

/** Two accounts of one store, to see that they see nothing of each other. */
export async function createTwoAccounts(store: Store): Promise<{ mine: string; other: string }> {
  const mine = await store.accounts.createAccount('mine');
  const other = await store.accounts.createAccount('other');
  return { mine: mine.account_id, other: other.account_id };
}
