import { describe, expect, it } from 'vitest';
import {
  createPacing,
  TooLongError,
  type Lane,
  type Pacing,
} from '../../../src/marketplace/limits/pacing.js';
import { createMemoryLog, createStillClock, NOW } from '../rig.js';

function open() {
  const clock = createStillClock();
  const pacing = createPacing({ app: 'key', clock, log: createMemoryLog() });
  const since = () => clock.now().getTime() - NOW.getTime();
  return { clock, pacing, since };
}

const limits = (per_second: number, remaining_today = 10_000, per_day = 10_000) => ({
  per_second,
  remaining_this_second: undefined,
  per_day,
  remaining_today,
});

/** When each of this many simultaneous calls was let through. */
function enterMany(pacing: Pacing, since: () => number, lane: Lane, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => pacing.enter(lane).then(since)));
}

/** The largest number of calls in any second. */
function getPeak(times: readonly number[]): number {
  return Math.max(
    ...times.map((start) => times.filter((time) => time >= start && time < start + 1000).length),
  );
}

describe('a second', () => {
  it('has at most the assumed number of calls before the limit is known', async () => {
    const { pacing, since } = open();
    expect(getPeak(await enterMany(pacing, since, 'interactive', 20))).toBe(5);
  });

  it('has as many calls as the answers reported', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(10));
    const work = await enterMany(pacing, since, 'work', 40);
    expect(getPeak(work)).toBe(10);
    expect(work.at(-1)).toBeLessThan(4_000);
    expect([...work].sort((a, b) => a - b)).toEqual(work);
  });

  it('is used fully if all answers take equally long', async () => {
    const { clock, pacing, since } = open();
    pacing.learn(limits(1));
    const times: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      const answered = await pacing.enter('work');
      times.push(since());
      clock.advance(150);
      answered(150);
    }
    expect(times).toEqual([0, 1_020, 2_040, 3_060]);
  });

  it.each([
    { name: 'whose answer took longer than the quickest', took_ms: 200, round_trip_ms: 200, late_ms: 150 },
    { name: 'that waited for its connection', took_ms: 400, round_trip_ms: 50, late_ms: 350 },
    { name: 'whose answer took very long', took_ms: 900, round_trip_ms: 900, late_ms: 300 },
  ])('counts a call from its latest possible arrival: one $name', async (call) => {
    const { clock, pacing, since } = open();
    pacing.learn(limits(1));
    const first = await pacing.enter('work');
    clock.advance(50);
    first(50);
    const second = await pacing.enter('work');
    expect(since()).toBe(1_020);
    clock.advance(call.took_ms);
    second(call.round_trip_ms);
    await pacing.enter('work');
    expect(since()).toBe(2_040 + call.late_ms);
  });

  it('lets background work through at a limit of one', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(1));
    expect(await enterMany(pacing, since, 'work', 3)).toEqual([0, 1_320, 2_640]);
  });

  it('lets a call through as soon as an answer shows a free slot', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(1));
    const answer = await pacing.enter('work');
    const next = pacing.enter('work');
    answer(0);
    await next;
    expect(since()).toBe(1_020);
  });

  it('lets background work through at a limit of one', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(1));
    expect(getPeak(await enterMany(pacing, since, 'work', 3))).toBe(1);
  });

  it('lets interactive calls pass waiting background work', async () => {
    const { pacing } = open();
    pacing.learn(limits(5));
    const order: string[] = [];
    const enter = (lane: Lane, name: string) => pacing.enter(lane).then(() => order.push(name));
    const working = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7'].map((name) => enter('work', name));
    while (order.length < 5) await Promise.resolve();
    await Promise.all([...working, ...['p1', 'p2', 'p3'].map((name) => enter('interactive', name))]);
    expect(order.slice(0, 5)).toEqual(['w1', 'w2', 'w3', 'w4', 'w5']);
    expect(order.slice(5)).toEqual(['p1', 'p2', 'p3', 'w6', 'w7']);
  });
});

describe('after a 429', () => {
  it('sends no call before the pause is over', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(8));
    pacing.hold(3_000);
    pacing.hold(100);
    const times = await enterMany(pacing, since, 'interactive', 12);
    expect(Math.min(...times)).toBe(3_000);
    expect(getPeak(times)).toBe(8);
  });

  it('refuses waiting and new calls if the pause is longer than a minute', async () => {
    const { clock, pacing } = open();
    pacing.learn(limits(1));
    await pacing.enter('work');
    const waiting = pacing.enter('work');
    pacing.hold(3_600_000);
    await expect(waiting).rejects.toMatchObject({ name: 'TooLongError', wait_ms: 3_600_000 });
    clock.advance(1_000_000);
    await expect(pacing.enter('interactive')).rejects.toEqual(new TooLongError(2_600_000));
    clock.advance(2_600_000);
    await pacing.enter('interactive');
  });
});

describe('a day', () => {
  it('reserves its last hundredth for interactive calls, and asks again after a minute', async () => {
    const { clock, pacing } = open();
    pacing.learn(limits(100, 99));
    await expect(pacing.enter('work')).rejects.toMatchObject({ name: 'TooLongError', wait_ms: 60_000 });
    await pacing.enter('interactive');
    clock.advance(60_000);
    await pacing.enter('work');
  });
});

describe('background work', () => {
  it('goes after everything else', async () => {
    const { pacing } = open();
    pacing.learn(limits(5));
    const order: string[] = [];
    const enter = (lane: Lane, name: string) => pacing.enter(lane).then(() => order.push(name));
    const waiting = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'].map((name) => enter('background', name));
    while (order.length < 5) await Promise.resolve();
    await Promise.all([
      ...waiting,
      ...['w1', 'w2'].map((name) => enter('work', name)),
      enter('interactive', 'p1'),
    ]);
    expect(order).toEqual(['b1', 'b2', 'b3', 'b4', 'b5', 'p1', 'w1', 'w2', 'b6']);
  });

  it('leaves the last tenth of a day to other calls', async () => {
    const { clock, pacing } = open();
    expect(pacing.getLimits().per_day).toBeNull();
    pacing.learn(limits(100, 999));
    expect(pacing.getLimits().per_day).toBe(10_000);
    await expect(pacing.enter('background')).rejects.toMatchObject({ wait_ms: 60_000 });
    await pacing.enter('work');
    clock.advance(60_000);
    await pacing.enter('background');
  });
});

describe('a call that is canceled', () => {
  it('gets the reason, and passes its turn to the next', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(1));
    await pacing.enter('work');
    const leaving = new AbortController();
    const left = pacing.enter('work', leaving.signal);
    const next = pacing.enter('work').then(since);
    const reason = new Error('bye');
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    expect(await next).toBeLessThan(2_000);
  });

  it('does not enter with an aborted signal', async () => {
    const { pacing } = open();
    await expect(pacing.enter('work', AbortSignal.abort('over'))).rejects.toBe('over');
  });
});

describe('a clock', () => {
  it('that is set back stops no call', async () => {
    const { clock, pacing } = open();
    pacing.learn(limits(4));
    await enterMany(pacing, () => 0, 'interactive', 4);
    clock.set(-3_600_000);
    await enterMany(pacing, () => 0, 'interactive', 8);
    // It waits for seconds, not for the hour.
    expect(Math.max(...clock.slept_ms)).toBeLessThan(2_000);
  });

  it('that was ahead and is set back lengthens no pause', async () => {
    const { clock, pacing } = open();
    clock.set(3_600_000);
    await pacing.enter('work');
    clock.set(0);
    pacing.hold(120_000);
    clock.advance(120_000);
    await pacing.enter('work');
    expect(clock.slept_ms).toEqual([]);
  });

  it('that jumps, as after the computer slept, ends a pause', async () => {
    const { clock, pacing } = open();
    pacing.hold(120_000);
    clock.set(120_000);
    await pacing.enter('work');
    expect(clock.slept_ms).toEqual([]);
  });
});

describe('closing the limiter', () => {
  it('rejects waiting and new calls', async () => {
    const { pacing } = open();
    pacing.learn(limits(1));
    await pacing.enter('work');
    const waiting = pacing.enter('work');
    const reason = new Error('closed');
    pacing.close(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(pacing.enter('interactive')).rejects.toBe(reason);
  });
});
