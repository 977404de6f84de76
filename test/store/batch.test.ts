import { expect, it } from 'vitest';
import { createBatch } from '../../src/store/batch.js';

/** A batch that doubles numbers and cannot double 13, with the lists it was given and the end of its waiting. */
function start() {
  const runs: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const double = (items: readonly number[]) => {
    runs.push(items);
    if (items.includes(13)) throw new Error('not 13');
    return items.map((item) => item * 2);
  };
  const batch = createBatch<number, number>(
    async (items) => double(items),
    (work) => ends.push(work),
  );
  return { batch, double, runs, endWaiting: () => ends.shift()?.() };
}

it('what is asked for within a while is done together, and each alone where that fails', async () => {
  const { batch, runs, endWaiting } = start();
  const asked = Promise.allSettled([batch.ask(1), batch.ask(13), batch.ask(2)]);
  endWaiting();

  expect(await asked).toMatchObject([{ value: 2 }, { reason: new Error('not 13') }, { value: 4 }]);
  expect(runs).toEqual([[1, 13, 2], [1], [13], [2]]);
});

it('what was asked for is done beside something else at once, and not again when its while is over', async () => {
  const { batch, double, runs, endWaiting } = start();
  const asked = batch.ask(1);
  const value = await batch.doBeside(async (items) => ({ results: double(items), value: 'done' }));
  const later = batch.ask(2);
  endWaiting();

  expect(value).toBe('done');
  expect(await asked).toBe(2);
  expect(runs).toEqual([[1]]);
  endWaiting();
  expect(await later).toBe(4);
  expect(runs).toEqual([[1], [2]]);
});

it('what is in a hurry is done after a shorter while, and not again when the longer one is over', async () => {
  const { batch, runs, endWaiting } = start();
  const hurried: (() => void)[] = [];
  batch.hurry((work) => hurried.push(work));
  expect(hurried).toEqual([]);

  const asked = batch.ask(1);
  batch.hurry((work) => hurried.push(work));
  batch.hurry((work) => hurried.push(work));
  for (const work of hurried) work();
  expect(await asked).toBe(2);
  endWaiting();
  expect(runs).toEqual([[1]]);
});

it('what was asked for is done all the same when what was to be done beside it fails', async () => {
  const { batch, runs } = start();
  const asked = batch.ask(1);
  const beside = batch.doBeside(() => Promise.reject(new Error('no')));

  await expect(beside).rejects.toThrow('no');
  expect(await asked).toBe(2);
  expect(runs).toEqual([[1]]);
});
