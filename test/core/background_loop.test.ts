import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBackgroundLoop, type BackgroundLoop } from '../../src/core/background_loop.js';
import { systemClock as clock } from '../../src/world/clock.js';
import { createTestLog } from '../store/ports.js';

const PATIENT = { timeout: 10_000, interval: 5 };

function start(work: (signal: AbortSignal) => Promise<Date | undefined>) {
  const log = createTestLog();
  const loop: BackgroundLoop = createBackgroundLoop({ clock, log }, work);
  onTestFinished(() => loop.stop());
  loop.start();
  return { loop, log };
}

describe('a background loop', () => {
  it('runs at the start, and when it is due', async () => {
    let runs = 0;
    start(async () => {
      runs += 1;
      return new Date(Date.now() + 5);
    });
    await expect.poll(() => runs, PATIENT).toBeGreaterThan(3);
  });

  it('runs when it is woken, even during a run', async () => {
    let runs = 0;
    let release: (() => void) | undefined;
    const { loop } = start(async () => {
      runs += 1;
      if (runs === 2) await new Promise<void>((resolve) => (release = resolve));
      return undefined;
    });
    await expect.poll(() => runs, PATIENT).toBe(1);
    loop.wake();
    await expect.poll(() => release !== undefined, PATIENT).toBe(true);
    loop.wake();
    release?.();
    await expect.poll(() => runs, PATIENT).toBe(3);
  });

  it('continues after a failure, and logs it', async () => {
    let runs = 0;
    const { loop, log } = start(async () => {
      runs += 1;
      throw new Error('no');
    });
    await expect.poll(() => log.lines.length, PATIENT).toBe(1);
    loop.wake();
    await expect.poll(() => runs, PATIENT).toBe(2);
  });

  it('aborts its current run when stopped, and does not run again', async () => {
    let runs = 0;
    const { loop } = start(async (signal) => {
      runs += 1;
      await pause(60_000, undefined, { signal });
      return undefined;
    });
    await expect.poll(() => runs, PATIENT).toBe(1);
    await loop.stop();
    loop.wake();
    loop.start();
    await pause(20);
    expect(runs).toBe(1);
  });

  it('never runs if it was stopped before it was started', async () => {
    let runs = 0;
    const loop = createBackgroundLoop({ clock, log: createTestLog() }, async () => {
      runs += 1;
      return undefined;
    });
    await loop.stop();
    loop.start();
    await loop.stop();
    expect(runs).toBe(0);
  });
});
