import { expect, it } from 'vitest';
import { createMarketplaceTime } from '../../src/marketplace/time/marketplace_time.js';
import { createTestLog } from '../store/ports.js';

const TOLD = 'Fri, 20 Nov 2026 10:00:00 GMT';
const TOLD_S = Date.parse(TOLD) / 1000;

function open() {
  const log = createTestLog();
  let passed_ms = 5_000;
  let ours_ms = 0;
  const time = createMarketplaceTime(log, { now: () => new Date(ours_ms), monotonic: () => passed_ms });
  const learn = (date: string | undefined, round_trip_ms = 0) =>
    time.learn({ status: 200, text: '', round_trip_ms, findHeader: () => date });
  const setClock = (step_ms: number) => (ours_ms += step_ms);
  const wait = (duration_ms: number) => {
    passed_ms += duration_ms;
    setClock(duration_ms);
  };
  return { log, time, learn, wait, setClock };
}

const toRange = (earliest_s: number, latest_s = earliest_s) => ({
  earliest: new Date(earliest_s * 1000),
  latest: new Date(latest_s * 1000),
});

it("the marketplace's time is the last Date header plus its age", () => {
  const { time, learn, wait } = open();
  expect(time.find()).toBeUndefined();
  learn(TOLD);
  wait(90_000);
  expect(time.find()).toEqual(toRange(TOLD_S + 90));
  learn('no date');
  learn(undefined);
  expect(time.find()).toEqual(toRange(TOLD_S + 90));
});

it("the marketplace's time is the time of something made just now if the header differs, and the log says so once", () => {
  const { log, time, learn } = open();
  learn(TOLD);
  time.compare(TOLD_S - 3_600);
  time.compare(TOLD_S - 3_601);
  expect(time.find()).toEqual(toRange(TOLD_S - 3_601));
  expect(log.lines).toEqual([
    {
      level: 'warn',
      message: 'the Date header of the marketplace and the times of its listings disagree',
      fields: { header_is_ahead_by_s: 3_600 },
    },
  ]);
  time.compare(TOLD_S - 20);
  expect(time.find()).toEqual(toRange(TOLD_S));
});

it("the marketplace's time may be later by what our clock says has passed, as after a sleep, and is never earlier", () => {
  const { time, learn, setClock } = open();
  learn(TOLD);
  setClock(3_600_000);
  expect(time.find()).toEqual(toRange(TOLD_S, TOLD_S + 3_600));
  setClock(-7_200_000);
  expect(time.find()).toEqual(toRange(TOLD_S));
});

it("the marketplace's time may be later by the time its answer took, through which a process may have slept", () => {
  const { time, learn } = open();
  learn(TOLD, 3_600_000);
  expect(time.find()).toEqual(toRange(TOLD_S, TOLD_S + 3_600));
});
