import { isDeepStrictEqual } from 'node:util';

/**
 * Makes a listing on the marketplace in the first shop, and imports it. `fields`: its values; without them, a
 * mug of 2 × 3 variations.
 */
export async function importManual({ assistant, world }, fields = {}) {
  const { stores } = await assistant.ask('stores_list');
  const shop_id = Number(stores[0].shop_id);
  const listing_id = await world.makeManually(shop_id, fields);
  const { results } = await assistant.ask('listing_import', { shop_id, listing_ids: [listing_id] });
  return { shop_id, listing_id, listing_pk: results[0].listing_pk };
}

/**
 * The marketplace's view of a listing, with the fields that scenarios check. `offers`: by SKU. `photos`:
 * their alt texts. `fields`: all others.
 */
export async function readListing(world, listing_id) {
  const { listings } = await world.readState();
  const { state, fields, inventory, images } = listings.find((one) => one.listing_id === listing_id);
  const offers = inventory.products.map(({ sku, offering }) => [sku, toOffer(offering)]);
  return {
    state,
    title: fields.title,
    description: fields.description,
    tags: fields.tags,
    materials: fields.materials,
    fields,
    offers: Object.fromEntries(offers),
    prices: offers.map(([, { price }]) => price),
    stock: offers.map(([, { quantity }]) => quantity),
    photos: images.map(({ alt_text }) => alt_text),
  };
}

const toOffer = ({ price_amount, quantity }) => ({ price: price_amount / 100, quantity });

/** Expects the named fields to be the same on the marketplace. */
export async function expectListing(world, listing_id, wanted) {
  const found = await readListing(world, listing_id);
  for (const [key, value] of Object.entries(wanted)) expectSame(key, found[key], value);
}

export function expectSame(what, found, wanted) {
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

/** Expects the call to be refused with this code and with words that help. */
export async function expectRefused(assistant, tool, input, code, ...words) {
  const { error, answer } = await assistant.send(tool, input);
  if (error?.code !== code)
    throw new Error(`${tool}: ${error?.message ?? answer?.status} instead of ${code}`);
  expectWords(`${error.message} ${error.hint}`, words);
  return error;
}

/** Expects words in one shop's error. */
export function expectShopError({ results, shops }, ...words) {
  const [{ status, error, details }] = results ?? shops;
  if (status !== 'error') throw new Error(`${status} instead of an error`);
  expectWords(error, words);
  return details;
}

/** Expects a warning of an answer or of one of its shops, with words that help. */
export function expectWarned({ warnings = [], results, shops }, code, ...words) {
  const all = [...warnings, ...(results ?? shops ?? []).flatMap((one) => one.warnings ?? [])];
  const found = all.find((one) => one.code === code);
  if (!found) throw new Error(`not warned of ${code}: ${all.map((one) => one.code).join(', ') || 'nothing'}`);
  expectWords(found.reason, words);
}

export function expectWords(text, words) {
  const missing = words.find((word) => !text.includes(word));
  if (missing !== undefined) throw new Error(`does not say "${missing}": ${text}`);
}
