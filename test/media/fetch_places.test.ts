import { expect, it } from 'vitest';
import { createFetchPlaces } from '../../src/media/fetching/fetch_places.js';
import { failureOf, makeMedia, serve } from './sample.js';

/** Work that goes on until it is told to end. */
function begin(places: ReturnType<typeof createFetchPlaces>, owner: string, signal?: AbortSignal) {
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

it('one owner has at most half of the places, and the others go on in their order', async () => {
  const places = createFetchPlaces(4);
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

it('who waits too long is told so, and who gives up makes no place', async () => {
  const places = createFetchPlaces(1, 50);
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

it('no more files are fetched at a time than may be', async () => {
  let open = 0;
  let most = 0;
  const { base_url } = await serve((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end('bytes');
    }, 20);
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
