import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { alternateEngines, ENGINES, timeCallsOn } from '../harness/engines.mjs';
import { fillListings, RARE, SHOP_IDS, SOLD_OUT } from '../harness/listings.mjs';
import { toInvoke } from '../harness/invoke.mjs';

/*
 * Listings and their jobs with 100,000 of them stored compared with 1,000: listed, searched and read, through
 * the same gate as every call.
 */

const SMALL = 1_000;
const LARGE = 100_000;
const QUICK = 10_000;
/** A read is so quick that V8's other work matters in a short round. */
const ROUNDS = 15;
const CALLS = 150;
/** A delay that a person does not notice. */
const UNNOTICED_MS = 100;
/** @param total expected number of listings, by the number stored; a query that finds fewer would look fast */
const list = (input, total) => async (history) => {
  const found = await history.call('listings_list', input);
  const expected = total(history.count);
  if (found.total !== expected) {
    throw new Error(`listings_list ${JSON.stringify(input)} found ${found.total} of ${expected}`);
  }
};
const CASES = [
  { name: 'listings, of 100,000: list', run: list({}, (count) => count) },
  {
    name: 'listings, of 100,000: list of a status',
    run: list({ status: 'incomplete', limit: 10 }, (count) => count / 10),
  },
  { name: 'listings, of 100,000: last changed first', run: list({ sort: 'changed' }, (count) => count) },
  { name: 'listings, of 100,000: by title', run: list({ sort: 'title' }, (count) => count) },
  { name: 'listings, of 100,000: sold out in a shop', run: list({ shop_state: 'sold_out' }, () => SOLD_OUT) },
  { name: 'listings, of 100,000: search, a word of one', run: list({ keywords: RARE }, () => 1) },
  {
    name: 'listings, of 100,000: search, part of a word, by title',
    run: list({ keywords: 'ku-0050', sort: 'title' }, () => 10),
  },
  {
    name: 'jobs, of 100,000: status',
    run: (history) => history.call('listing_create_status', { job_id: history.middle }),
  },
];
/** Compared with an unnoticeable delay, because counting takes longer the more there is to count. */
const COUNTED = [
  {
    name: 'listings, of 100,000: search, a word of one in ten',
    run: list({ keywords: 'stoneware' }, (count) => count / 10),
  },
  {
    name: 'listings, of 100,000: search, a word of all',
    run: list({ keywords: 'mug' }, (count) => count),
  },
  {
    name: 'listings, of 100,000: of a shop that has half',
    run: list({ shop_id: SHOP_IDS[0] }, (count) => count / 2),
  },
];

export async function measure({ is_quick }) {
  const opened = [];
  for (const engine of ENGINES) {
    opened.push({
      engine,
      small: await open(engine, SMALL),
      large: await open(engine, is_quick ? QUICK : LARGE),
    });
  }
  const lines = [];
  for (const { name, run } of CASES) {
    const sides = opened.map(({ engine, small, large }) => ({
      engine,
      ours: () => timeCallsOn(large.place, CALLS, () => run(large)),
      reference: () => timeCallsOn(small.place, CALLS, () => run(small)),
    }));
    for (const measured of await alternateEngines(ROUNDS, sides)) {
      lines.push({
        what: name,
        against: `of ${SMALL.toLocaleString('en')}`,
        unit: 'ms CPU',
        target: { most: 2 },
        ...measured,
      });
    }
  }
  for (const { name, run } of COUNTED) {
    const sides = opened.map(({ engine, large }) => ({
      engine,
      ours: () => time(() => run(large)),
      reference: async () => UNNOTICED_MS,
    }));
    for (const measured of await alternateEngines(ROUNDS, sides)) {
      lines.push({
        what: name,
        against: 'what is not noticed',
        unit: 'ms',
        target: { most: 1 },
        needs_quiet: true,
        ...measured,
      });
    }
  }
  for (const { small, large } of opened) await Promise.all([small.close(), large.close()]);
  return lines;
}

async function time(run) {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

/** A separate service with this many listings, each with a finished job. */
async function open(engine, count) {
  const place = await engine.openPlace();
  const app = await compose(loadConfig({}, place.settings), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  await fillListings(place, account_id, count);
  return {
    place,
    count,
    middle: `job_${count / 2}`,
    call: toInvoke(app, account_id),
    async close() {
      await app.close();
      await place.remove();
    },
  };
}
