import { expect, it } from 'vitest';
import type { HttpAnswer } from '../../src/marketplace/http/http.js';
import { createClockSkew } from '../../src/marketplace/time/clock_skew.js';
import { createMemoryLog, NOW } from './rig.js';

const answer = (ahead_ms: number): HttpAnswer => ({
  status: 200,
  text: '',
  round_trip_ms: 0,
  findHeader: () => new Date(NOW.getTime() + ahead_ms).toUTCString(),
});

it.each([
  [300_000, 301],
  [-300_000, -299],
])('a clock that is %i ms off is warned about once', (ahead_ms, behind_by_s) => {
  const log = createMemoryLog();
  const skew = createClockSkew(log);
  skew.learn(answer(20_000), NOW);
  expect(log.lines).toEqual([]);
  for (let index = 0; index < 3; index += 1) skew.learn(answer(ahead_ms), NOW);
  expect(log.lines).toEqual([
    { level: 'warn', message: expect.stringContaining("this computer's clock"), fields: { behind_by_s } },
  ]);
});
