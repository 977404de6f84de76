import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { countReceived } from '../../src/media/received_memory.js';

const MIB = 1024 * 1024;

it('collects the young generation every 4 MiB, and leaves the process without gc', async () => {
  const kinds: unknown[] = [];
  const observer = new PerformanceObserver((list) => {
    const collections = list.getEntries() as (PerformanceEntry & {
      detail: { kind: number; flags: number };
    })[];
    for (const { detail } of collections) {
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) kinds.push(detail.kind);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  for (let count = 0; count < 40 * 16; count += 1) countReceived(MIB / 16);
  await setImmediate();
  await setImmediate();
  observer.disconnect();
  expect(kinds).toEqual(Array.from({ length: 10 }, () => constants.NODE_PERFORMANCE_GC_MINOR));
  expect('gc' in globalThis).toBe(false);
});
