import { expect, it } from 'vitest';
import { createMarketplaceTime } from '../../src/marketplace/marketplace_time.js';
import { createTestLog } from '../store/ports.js';

const TOLD = 'Fri, 20 Nov 2026 10:00:00 GMT';
const TOLD_S = Date.parse(TOLD) / 1000;

function open() {
  const log = createTestLog();
  let passed_ms = 5_000;
  const time = createMarketplaceTime(log, () => passed_ms);
  const learn = (date: string | undefined) =>
    time.learn({ status: 200, text: '', round_trip_ms: 0, findHeader: () => date });
  return { log, time, learn, wait: (duration_ms: number) => (passed_ms += duration_ms) };
}

it('is the last Date header and its age', () => {
  const { time, learn, wait } = open();
  expect(time.find()).toBeUndefined();
  learn(TOLD);
  wait(90_000);
  expect(time.find()).toEqual(new Date((TOLD_S + 90) * 1000));
  learn('no date');
  learn(undefined);
  expect(time.find()).toEqual(new Date((TOLD_S + 90) * 1000));
});

it('is that of what was made just now where the header has another, and the log says so once', () => {
  const { log, time, learn } = open();
  learn(TOLD);
  time.compare(TOLD_S - 3_600);
  time.compare(TOLD_S - 3_601);
  expect(time.find()).toEqual(new Date((TOLD_S - 3_601) * 1000));
  expect(log.lines).toEqual([
    {
      level: 'warn',
      message: 'the Date header of the marketplace and the times of its listings disagree',
      fields: { header_is_ahead_by_s: 3_600 },
    },
  ]);
  time.compare(TOLD_S - 20);
  expect(time.find()).toEqual(new Date(TOLD_S * 1000));
});
