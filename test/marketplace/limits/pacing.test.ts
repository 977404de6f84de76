import { describe, expect, it } from 'vitest';
import {
  createPacing,
  TooLongError,
  type Lane,
  type Pacing,
} from '../../../src/marketplace/limits/pacing.js';
import { createStillClock, NOW } from '../rig.js';

function open() {
  const clock = createStillClock();
  const pacing = createPacing({ clock, random: () => 0 });
  const since = () => clock.now().getTime() - NOW.getTime();
  return { clock, pacing, since };
}

const limits = (per_second: number, remaining_today = 10_000, per_day = 10_000) => ({
  per_second,
  remaining_this_second: undefined,
  per_day,
  remaining_today,
});

/** When each of so many calls, asked for at once, was let go. */
function enterMany(pacing: Pacing, since: () => number, lane: Lane, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => pacing.enter(lane).then(since)));
}

/** The most calls in any second. */
function getPeak(times: readonly number[]): number {
  return Math.max(
    ...times.map((start) => times.filter((time) => time >= start && time < start + 1000).length),
  );
}

describe('a second', () => {
  it('takes no more than the first guess before anything is known', async () => {
    const { pacing, since } = open();
    expect(getPeak(await enterMany(pacing, since, 'interactive', 20))).toBe(5);
  });

  it('takes what the answers told', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(10));
    const work = await enterMany(pacing, since, 'work', 40);
    expect(getPeak(work)).toBe(10);
    expect([...work].sort((a, b) => a - b)).toEqual(work);
  });

  it('leaves a part to people for ten seconds after one was there', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(10));
    (await pacing.enter('interactive'))();
    const work = await enterMany(pacing, since, 'work', 200);
    expect(getPeak(work.filter((time) => time > 1_020 && time < 10_000))).toBe(9);
    expect(getPeak(work.filter((time) => time > 10_000))).toBe(10);
  });

  it('is used whole when all answers take as long', async () => {
    const { clock, pacing, since } = open();
    pacing.learn(limits(1));
    const times: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      const leave = await pacing.enter('work');
      times.push(since());
      clock.advance(150);
      leave();
    }
    // The first answer may have been slow because its connection had to be opened; the others say how long it takes.
    expect(times).toEqual([0, 1_170, 2_190, 3_210]);
  });

  it('does not mistake calls of its own, counted a moment ago, for those of others', async () => {
    const { clock, pacing, since } = open();
    pacing.learn(limits(10));
    const leaves = await Promise.all(Array.from({ length: 10 }, () => pacing.enter('work')));
    leaves.forEach((leave) => leave());
    clock.advance(1_100);
    pacing.learn({ ...limits(10), remaining_this_second: 0 });
    const times = await enterMany(pacing, since, 'work', 10);
    expect(getPeak(times)).toBe(10);
  });

  it('counts a call until a second after its arrival, which is before its answer', async () => {
    const { clock, pacing, since } = open();
    pacing.learn(limits(1));
    const leave = await pacing.enter('work');
    clock.advance(200);
    leave();
    await pacing.enter('work');
    expect(since()).toBe(1_220);
    clock.advance(1_250);
    // Without an answer by now, it arrived long ago all the same.
    await pacing.enter('work');
    expect(since()).toBe(1_220 + 1_320);
  });

  it('a limit of one still lets work through', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(1));
    expect(getPeak(await enterMany(pacing, since, 'work', 3))).toBe(1);
  });

  it('lets people pass the work that waits', async () => {
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

describe('others with the same key', () => {
  it('are left what they took of a second, for a second', async () => {
    const { pacing, since } = open();
    (await pacing.enter('interactive'))();
    // One of the eight calls was ours.
    pacing.learn({ ...limits(10), remaining_this_second: 2 });
    const times = await enterMany(pacing, since, 'interactive', 20);
    expect(times.filter((time) => time < 1_000)).toHaveLength(2);
    expect(getPeak(times.filter((time) => time > 1_000))).toBe(10);
  });

  it('are not suspected when all of it was ours', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(10));
    for (const leave of await Promise.all([1, 2, 3].map(() => pacing.enter('interactive')))) leave();
    pacing.learn({ ...limits(10), remaining_this_second: 7 });
    const times = await enterMany(pacing, since, 'interactive', 7);
    expect(Math.max(...times)).toBeLessThan(1_000);
  });
});

describe('after a 429', () => {
  it('no call goes before the time is over, and then half as many as before', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(8));
    pacing.hold(3_000);
    const times = await enterMany(pacing, since, 'interactive', 12);
    expect(Math.min(...times)).toBe(3_000);
    // Four were left of eight, and one came back for each of the three seconds.
    expect(times.filter((time) => time < 4_000)).toHaveLength(7);
    expect(getPeak(times)).toBe(7);
  });

  it('refusals of calls that were under way together halve it once', async () => {
    const { pacing, since } = open();
    pacing.learn(limits(8));
    for (let refusal = 0; refusal < 5; refusal += 1) pacing.hold(100);
    const times = await enterMany(pacing, since, 'interactive', 5);
    expect(times.filter((time) => time < 1_000)).toHaveLength(4);
  });

  it('waits a little longer, by chance, so that processes come back one by one', async () => {
    const clock = createStillClock();
    const pacing = createPacing({ clock, random: () => 0.5 });
    pacing.hold(10_000);
    await pacing.enter('work');
    expect(clock.now().getTime() - NOW.getTime()).toBe(10_125);
  });

  it('tells waiting and new calls when it takes longer than a minute', async () => {
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
  it('keeps its last hundredth for people, and looks again after a minute', async () => {
    const { clock, pacing } = open();
    pacing.learn(limits(100, 100));
    await pacing.enter('work');
    await expect(pacing.enter('work')).rejects.toMatchObject({ name: 'TooLongError', wait_ms: 60_000 });
    await pacing.enter('interactive');
    clock.advance(60_000);
    await pacing.enter('work');
  });
});

describe('background', () => {
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

  it('leaves the last tenth of a day to the others', async () => {
    const { clock, pacing } = open();
    expect(pacing.getDayLimit()).toBeUndefined();
    pacing.learn(limits(100, 999));
    expect(pacing.getDayLimit()).toBe(10_000);
    await expect(pacing.enter('background')).rejects.toMatchObject({ wait_ms: 60_000 });
    await pacing.enter('work');
    clock.advance(60_000);
    await pacing.enter('background');
  });
});

describe('a call that is cancelled', () => {
  it('gets the reason, and gives the place to the next', async () => {
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

  it('does not enter with a signal that is over', async () => {
    const { pacing } = open();
    await expect(pacing.enter('work', AbortSignal.abort('over'))).rejects.toBe('over');
  });
});

describe('a clock', () => {
  it('that was set back stops no call', async () => {
    const { clock, pacing } = open();
    pacing.learn(limits(4));
    await enterMany(pacing, () => 0, 'interactive', 4);
    clock.set(-3_600_000);
    await enterMany(pacing, () => 0, 'interactive', 8);
    // Each second was slept, not the hour.
    expect(Math.max(...clock.slept_ms)).toBeLessThan(2_000);
  });

  it('that was ahead and is set back lengthens no pause', async () => {
    const { clock, pacing } = open();
    clock.set(3_600_000);
    (await pacing.enter('work'))();
    clock.set(0);
    pacing.hold(120_000);
    clock.advance(120_000);
    await pacing.enter('work');
    expect(clock.slept_ms).toEqual([]);
  });

  it('that leaps, as after a sleep of the computer, has passed', async () => {
    const { clock, pacing } = open();
    pacing.hold(120_000);
    clock.set(120_000);
    await pacing.enter('work');
    expect(clock.slept_ms).toEqual([]);
  });

  it('whose sleeps leave its time as it was stops no call', async () => {
    const clock = { now: () => NOW, monotonic: () => 0, sleep: () => Promise.resolve() };
    const pacing = createPacing({ clock, random: () => 0 });
    expect(await enterMany(pacing, () => 1, 'work', 30)).toHaveLength(30);
  });
});

describe('closing', () => {
  it('turns away waiting and new calls', async () => {
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
