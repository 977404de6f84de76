import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPlaces } from '../../src/media/places.js';
import { failureOf, makeMedia, serve } from './sample.js';

/** Work that continues until it is told to end. */
function begin(places: ReturnType<typeof createPlaces>, owner: string, signal?: AbortSignal) {
  const state = { begun: false, end: () => undefined as void };
  const work = new Promise<void>((resolve) => (state.end = resolve));
  const done = places.run(
    owner,
    () => {
      state.begun = true;
      return work;
    },
    signal,
  );
  return { done, has_begun: () => state.begun, end: () => state.end() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('one owner has at most half of the places, and its other tasks follow in order', async () => {
  const places = createPlaces({ places: 4, busy: 'full' });
  const [a, b, c] = ['one', 'one', 'one'].map((owner) => begin(places, owner));
  const other = begin(places, 'other');
  await turn();
  expect([a, b, c, other].map((one) => one?.has_begun())).toEqual([true, true, false, true]);
  a?.end();
  await a?.done;
  await turn();
  expect([c?.has_begun(), places.count()]).toEqual([true, 3]);
  for (const one of [b, c, other]) one?.end();
  await Promise.all([b?.done, c?.done, other.done]);
  expect(places.count()).toBe(0);
});

it('a free place goes to the owner served least recently, however many others wait', async () => {
  const places = createPlaces({ places: 1, busy: 'full' });
  const first = begin(places, 'one');
  const queue = ['one', 'one', 'two', 'two', 'three'].map((owner) => ({ owner, ...begin(places, owner) }));
  const order: string[] = [];
  let current = first;
  for (let count = 0; count < queue.length; count += 1) {
    current.end();
    await current.done;
    await turn();
    const next = queue.find(
      (entry) =>
        entry.has_begun() && entry.done !== current.done && !order.includes(`${queue.indexOf(entry)}`),
    );
    if (!next) throw new Error('Nothing has begun.');
    order.push(`${queue.indexOf(next)}`);
    current = next;
  }
  current.end();
  expect(order.map((index) => queue[Number(index)]?.owner)).toEqual(['two', 'three', 'one', 'two', 'one']);
});

it('more waiting tasks than an owner may have are refused immediately', async () => {
  const places = createPlaces({ places: 1, max_waiting: 2, busy: 'full' });
  const [running, ...waiting] = ['one', 'one', 'one', 'two'].map((owner) => begin(places, owner));
  expect(await failureOf(begin(places, 'one').done)).toBe('busy');
  const all = [running, ...waiting];
  for (const one of all) one?.end();
  for (const one of all) await one?.done;
});

it('a task that waits too long fails, and a canceled one takes no place', async () => {
  const places = createPlaces({ places: 1, patience_ms: 50, busy: 'full' });
  const first = begin(places, 'one');
  const abort = new AbortController();
  const given_up = begin(places, 'two', abort.signal);
  abort.abort(new Error('gone'));
  await expect(given_up.done).rejects.toThrow('gone');
  expect(await failureOf(begin(places, 'three').done)).toBe('busy');
  first.end();
  await first.done;
  const next = begin(places, 'four');
  expect(next.has_begun()).toBe(true);
  next.end();
  await next.done;
  expect(given_up.has_begun()).toBe(false);
});

it('no more files than allowed are downloaded at a time', async () => {
  let open = 0;
  let most = 0;
  const full = new EventEmitter();
  const isFull = once(full, 'four');
  const finish = async (response: ServerResponse) => {
    await isFull;
    await pause(20);
    open -= 1;
    response.end('bytes');
  };
  const { base_url } = await serve((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    if (open === 4) full.emit('four');
    // Until four are open at once, none is answered.
    void finish(response);
  });
  const { media } = await makeMedia({ max_fetches: 4 });
  const fetched = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      media.fetchFile(`${base_url}/${index}`, {
        named_by: 'caller',
        owner: `owner ${index % 3}`,
        limit_bytes: 100,
        deadline_ms: 10_000,
      }),
    ),
  );
  expect([fetched.length, most]).toEqual([24, 4]);
});
