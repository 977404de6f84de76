import { expect, it } from 'vitest';
import { createTurns } from '../../src/media/turns.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('runs so many at a time, in order, and goes on after a failure', async () => {
  const turns = createTurns(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const run = (number: number) =>
    turns(async () => {
      started.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 1) throw new Error('broken');
      return number;
    });
  const all = [1, 2, 3, 4].map((number) => run(number).catch(() => 'failed'));

  await settle();
  expect(started).toEqual([1, 2]);
  ends[0]?.();
  await settle();
  expect(started).toEqual([1, 2, 3]);
  ends[1]?.();
  ends[2]?.();
  await settle();
  ends[3]?.();
  expect(await Promise.all(all)).toEqual(['failed', 2, 3, 4]);
});
