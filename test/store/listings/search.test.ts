import { expect, it } from 'vitest';
import type { ListingFilter, ListingSort, Store } from '../../../src/core/ports/index.js';
import { ask } from '../raw.js';
import { buildListing, buildRequest } from '../samples/listing_samples.js';
import { createTwoAccounts, openWorld } from '../world.js';

const REPLAY_MS = 600_000;
/** More listings than are looked up individually: if all of them match, a search scans instead. */
const MANY = 510;

type Made = { listing_pk: number; title: string; sku: string; shop_ids: number[]; text: string };

async function make(
  store: Store,
  account_id: string,
  { title, sku = '', shop_ids = [101] }: { title: string; sku?: string; shop_ids?: number[] },
): Promise<Made> {
  const request = buildRequest(shop_ids);
  const listing = { ...request.listing, title, ...(sku !== '' && { sku }) };
  const digest = `${title} ${sku}`;
  const created = await store.listings.createListing(
    { ...buildListing(account_id, { digest, draft: true }), title, request: { ...request, listing } },
    REPLAY_MS,
  );
  if (created.match !== 'created') throw new Error('it was there');
  const text = `${title}\n${sku}`.normalize('NFKC').toLowerCase();
  return { listing_pk: created.listing.listing_pk, title, sku, shop_ids, text };
}

async function find(
  store: Store,
  account_id: string,
  filter: ListingFilter & { sort?: ListingSort; limit?: number; offset?: number },
) {
  const { total, items } = await store.listings.listListings(account_id, { limit: 3, offset: 0, ...filter });
  return { total, pks: items.map(({ listing_pk }) => listing_pk) };
}

it('finds each listing that has the words anywhere, many or few, in the requested order', async () => {
  const { store } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  const made: Made[] = [];
  for (let n = 1; n <= MANY; n += 1) {
    const title = `${n % 7 === 0 ? 'Ｗalnut' : 'Ash'} BOWL-${MANY - n}${n % 100 === 0 ? ' für Öl\u2028🫒oliven' : ''}`;
    made.push(
      await make(store, mine, { title, sku: `sku_${n}`, shop_ids: n % 50 === 0 ? [101, 1011] : [101] }),
    );
  }
  await make(store, other, { title: 'Ash bowl of another account', sku: 'sku_9' });

  const searches: (ListingFilter & { keywords: string })[] = [
    { keywords: 'bowl' },
    { keywords: 'o' },
    { keywords: 'OWL-4' },
    { keywords: 'owl-41 sku_' },
    { keywords: 'walnut' },
    { keywords: 'nut ash' },
    { keywords: 'ku_50' },
    { keywords: 'ku%50' },
    { keywords: 'öl' },
    { keywords: '🫒OL' },
    { keywords: 'olivenbowl' },
    { keywords: '\u{10ffff}' },
    { keywords: ',101,' },
    { keywords: 'bowl', shop_id: 1011 },
    { keywords: 'walnut', shop_id: 101, status: 'draft' },
    { keywords: 'bowl', status: 'active' },
    { keywords: ' ', shop_id: 101 },
    { keywords: 'bowl', shop_state: 'sold_out' },
  ];
  for (const { keywords, ...filter } of searches) {
    const words = keywords.normalize('NFKC').toLowerCase().split(/\s+/);
    const met = made.filter(
      ({ text, shop_ids }) =>
        words.every((word) => text.includes(word)) &&
        (filter.shop_id === undefined || shop_ids.includes(filter.shop_id)) &&
        filter.status !== 'active' &&
        filter.shop_state === undefined,
    );
    const sorts = [
      ['newest', met.toSorted((a, b) => b.listing_pk - a.listing_pk)],
      ['title', met.toSorted((a, b) => Buffer.compare(Buffer.from(a.text), Buffer.from(b.text)))],
    ] as const;
    for (const [sort, sorted] of sorts) {
      for (const offset of [0, 2, met.length]) {
        const page = sorted.slice(offset, offset + 3).map(({ listing_pk }) => listing_pk);
        const result = { keywords, sort, offset };
        const found = await find(store, mine, { ...filter, keywords, sort, offset });
        expect({ ...result, ...found }).toEqual({ ...result, total: met.length, pks: page });
      }
    }
  }
});

it('follows changes and deletions, and keeps nothing of a deleted listing', async () => {
  const { store, data_dir } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const bowl = await make(store, mine, { title: 'Walnut bowl', sku: 'b-1' });
  const plate = await make(store, mine, { title: 'Walnut plate', sku: 'p-1' });
  const listing = await store.listings.findListing(mine, bowl.listing_pk);
  if (!listing) throw new Error('it is not there');
  await store.listings.replaceRequest({
    account_id: mine,
    listing_pk: bowl.listing_pk,
    as_of: listing.updated_at,
    request: {
      ...listing.request,
      shops: [{ shop_id: 102 }],
      listing: { ...listing.request.listing, title: 'Walnut dish', sku: 'b-1' },
    },
    binding: { key: null, digest: 'changed' },
    most: { drafts: 100, draft_bytes: 1_000_000 },
  });
  const search = async (filter: ListingFilter) => (await find(store, mine, filter)).pks;
  expect(await search({ keywords: 'bowl' })).toEqual([]);
  expect(await search({ keywords: 'ish' })).toEqual([bowl.listing_pk]);
  expect(await search({ keywords: 'alnut' })).toEqual([plate.listing_pk, bowl.listing_pk]);
  expect(await search({ shop_id: 101 })).toEqual([plate.listing_pk]);
  expect(await search({ shop_id: 102 })).toEqual([bowl.listing_pk]);

  const list = async (table: string, columns: string) =>
    (await ask(data_dir, `SELECT ${columns} FROM ${table} ORDER BY ${columns}`)).map((row) => row['term']);
  expect(await store.listings.deleteDraft(mine, plate.listing_pk)).toBe(true);
  expect(await search({ keywords: 'walnut' })).toEqual([bowl.listing_pk]);
  expect(await list('listing_terms', 'term')).toEqual([',102,', 'b-1', 'dish', 'walnut']);
  expect(new Set(await list('listing_term_endings', 'term'))).toEqual(new Set(['b-1', 'dish', 'walnut']));
  expect(await store.listings.deleteDraft(mine, bowl.listing_pk)).toBe(true);
  expect(await list('listing_terms', 'term')).toEqual([]);
  expect(await list('listing_term_endings', 'term')).toEqual([]);
});

it('finds titles and SKUs that are far longer than a key of an index', async () => {
  const { store } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  // Case folding expands each of these characters to six.
  const title = '㌀'.repeat(140);
  const { listing_pk } = await make(store, mine, { title, sku: 's'.repeat(3_000) });
  for (const keywords of ['㌀'.repeat(30), '㌀'.repeat(140), 's'.repeat(90), 'パート', 's'.repeat(3_000)]) {
    expect([keywords, (await find(store, mine, { keywords })).pks]).toEqual([keywords, [listing_pk]]);
  }
  expect(await find(store, mine, { keywords: 's'.repeat(3_001) })).toEqual({ total: 0, pks: [] });
});

it('finds a very long SKU by its end even if only that was changed', async () => {
  const { store } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const beginning = 's'.repeat(150);
  const { listing_pk } = await make(store, mine, { title: 'Bowl', sku: `${beginning}-oak` });
  const listing = await store.listings.findListing(mine, listing_pk);
  if (!listing) throw new Error('it is not there');
  await store.listings.replaceRequest({
    account_id: mine,
    listing_pk,
    as_of: listing.updated_at,
    request: { ...listing.request, listing: { ...listing.request.listing, sku: `${beginning}-ash` } },
    binding: { key: null, digest: 'changed' },
    most: { drafts: 100, draft_bytes: 1_000_000 },
  });
  expect((await find(store, mine, { keywords: 's-ash' })).pks).toEqual([listing_pk]);
  expect((await find(store, mine, { keywords: 's-oak' })).pks).toEqual([]);
});

it('finds a listing by each of its very many words, before and after some are removed, and leaves no word endings behind', async () => {
  const { store, data_dir } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const sku = Array.from({ length: 700 }, (_, number) => `oak-${number}`).join(' ');
  await make(store, mine, { title: 'Bowl' });
  const { listing_pk } = await make(store, mine, { title: 'Dish', sku });
  const findEnding = async (keywords: string) => (await find(store, mine, { keywords })).pks;
  expect(await findEnding('k-699')).toEqual([listing_pk]);
  const endings = () => ask(data_dir, "SELECT term FROM listing_term_endings WHERE term <> 'bowl'");
  expect(await endings()).toEqual([]);
  const listing = await store.listings.findListing(mine, listing_pk);
  if (!listing) throw new Error('it is not there');
  await store.listings.replaceRequest({
    account_id: mine,
    listing_pk,
    as_of: listing.updated_at,
    request: { ...listing.request, listing: { ...listing.request.listing, sku: 'oak-699' } },
    binding: { key: null, digest: 'fewer' },
    most: { drafts: 100, draft_bytes: 1_000_000 },
  });
  expect(await findEnding('k-699')).toEqual([listing_pk]);
  expect(await findEnding('k-698')).toEqual([]);
  expect(new Set((await endings()).map((row) => Object.values(row as object)[0]))).toEqual(
    new Set(['dish', 'oak-699']),
  );
});

const toOfferings = (skus: string[]) => skus.map((sku, number) => ({ size: `${number}`, sku }));

it('limits how much text of one listing is searched, and still finds each SKU whole', async () => {
  const { store, data_dir } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  const skus = Array.from({ length: 400 }, (_, number) => `sku-${number}-${'abcdefgh'.repeat(60)}`);
  const save = async (account_id: string, title: string, all: string[]) => {
    const request = { ...buildRequest([101]), variations: { offerings: toOfferings(all) } };
    const created = await store.listings.createListing(
      { ...buildListing(account_id, { digest: title, draft: true }), title, request },
      REPLAY_MS,
    );
    if (created.match !== 'created') throw new Error('it was there');
    return created.listing;
  };
  const listing = await save(mine, 'Long', [...skus, 'LAST ONE']);
  await save(other, 'Of another account', [...skus, 'foreign-sku']);
  const [{ longest } = { longest: 0 }] = await ask(
    data_dir,
    'SELECT MAX(LENGTH(words)) AS longest FROM listing_words',
  );
  expect(Number(longest)).toBeLessThanOrEqual(10_000);
  const search = async (keywords: string) => (await find(store, mine, { keywords })).pks;
  const found = [listing.listing_pk];
  for (const keywords of [skus[0], skus[399], 'last', 'ONE last', `${skus[398]} last`]) {
    expect(await search(keywords ?? '')).toEqual(found);
  }
  // Parts of SKUs are found within the searched text.
  expect(await search('ku-1-ab')).toEqual(found);
  expect(await search('foreign-sku')).toEqual([]);
  expect(await search('las')).toEqual([]);
  await store.listings.replaceRequest({
    account_id: mine,
    listing_pk: listing.listing_pk,
    as_of: listing.updated_at,
    request: { ...listing.request, variations: { offerings: toOfferings(skus) } },
    binding: { key: null, digest: 'fewer' },
    most: { drafts: 100, draft_bytes: 10_000_000 },
  });
  expect(await search('last')).toEqual([]);
  expect(await search(skus[399] ?? '')).toEqual(found);
  expect(await store.listings.deleteDraft(mine, listing.listing_pk)).toBe(true);
  const left = await ask(data_dir, `SELECT term FROM listing_terms WHERE account_id = '${mine}'`);
  expect(left).toEqual([]);
});
