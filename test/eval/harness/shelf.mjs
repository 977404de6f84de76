import { expectListing, expectSame, expectWords } from './manual.mjs';

/* Several listings at once: the shop before a batch, the batch itself, and the state after it. */

export async function listShops(assistant) {
  const { stores } = await assistant.ask('stores_list');
  return stores.map(({ shop_id }) => Number(shop_id));
}

/**
 * Listings made manually in one of the shops and imported, by name: `{bowl: {tags: ['bowl']}}`. Each is
 * plain, for 20 in the shop's currency; its name is its title unless it has one.
 */
export async function stock({ assistant, world }, shelf, { shop = 0 } = {}) {
  const shop_id = (await listShops(assistant))[shop];
  const names = Object.keys(shelf);
  const listing_ids = [];
  for (const name of names) {
    listing_ids.push(await world.makeManually(shop_id, { is_plain: true, title: name, ...shelf[name] }));
  }
  const { results } = await assistant.ask('listing_import', { shop_id, listing_ids });
  const found = names.map((name, index) => {
    const listing_id = listing_ids[index];
    const { listing_pk } = results.find((one) => one.listing_id === listing_id);
    return [name, { shop_id, listing_id, listing_pk }];
  });
  return Object.fromEntries(found);
}

export const pks = (...made) => ({ listing_pks: made.map(({ listing_pk }) => listing_pk) });

/**
 * Creates a plan that is accepted the first time. `counts`: the expected ones, such as `{changed: 2, refused:
 * 1}`.
 */
export async function plan(assistant, input, counts) {
  const planned = await assistant.ask('batch_create', input);
  expectSame('status', planned.status, 'planned');
  expectCounts(planned, counts);
  return planned;
}

/** Starts a plan and waits until it has finished. */
export async function carryOut(assistant, { batch_id }, counts) {
  const done = await assistant.ask('batch_start', { batch_id });
  expectSame('status', done.status, 'completed');
  expectCounts(done, counts);
  return done;
}

/** Plans and, after the seller's yes, starts. */
export async function change(assistant, input, counts) {
  const planned = await plan(assistant, input, counts);
  return carryOut(assistant, planned, { ok: planned.counts.changed, error: 0 });
}

export async function undo(assistant, { batch_id }, more = {}, counts = {}) {
  const undone = await assistant.ask('batch_undo', { batch_id, ...more });
  expectSame('status', undone.status, 'completed');
  expectCounts(undone, { error: 0, ...counts });
  return undone;
}

export function expectCounts({ counts }, wanted = {}) {
  const found = Object.fromEntries(Object.keys(wanted).map((key) => [key, counts[key]]));
  expectSame('counts', found, wanted);
}

/** Expects helpful words in the problem of the only item, or of the item of a listing. */
export function expectIssue({ items }, code, words, made = items[0]) {
  const item = items.find(({ listing_pk }) => listing_pk === made.listing_pk);
  expectSame('issue', item.issues[0]?.code, code);
  expectWords(`${item.issues[0].field}: ${item.issues[0].message}`, words);
  return item;
}

/** Expects the named fields of each listing, by the names of the shelf: `{bowl: {prices: [22]}}`. */
export async function expectShelf(world, made, wanted) {
  for (const [name, one] of Object.entries(wanted)) {
    try {
      await expectListing(world, made[name].listing_id, one);
    } catch (cause) {
      throw new Error(`${name}: ${cause.message}`, { cause });
    }
  }
}

export const priced = (...prices) => ({ prices });
