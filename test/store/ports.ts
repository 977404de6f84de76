import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Ids, Log, LogFields } from '../../src/core/ports/index.js';

export const START = '2026-11-20T10:00:00.000Z';

/** A clock that only moves when set; sleeping takes a moment of real time. */
export type TestClock = Clock & {
  advance(duration_ms: number): void;
  /** Only the clock is set; monotonic time goes on. */
  set(by_ms: number): void;
};

export function createTestClock(start = START): TestClock {
  let passed_ms = 0;
  let slept_ms = 0;
  let set_ms = 0;
  return {
    now: () => new Date(Date.parse(start) + passed_ms + set_ms),
    monotonic: () => passed_ms + slept_ms,
    async sleep(duration_ms) {
      await pause(2);
      slept_ms += duration_ms;
    },
    advance(duration_ms) {
      passed_ms += duration_ms;
    },
    set(by_ms) {
      set_ms += by_ms;
    },
  };
}

export function createRealClock(): Clock {
  return {
    now: () => new Date(),
    monotonic: () => performance.now(),
    sleep: (duration_ms, signal) =>
      pause(duration_ms, undefined, signal ? { signal } : {}).catch(() => {
        throw signal?.reason;
      }),
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
