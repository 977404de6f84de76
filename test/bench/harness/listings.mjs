import {
  splitIndexed,
  toEndings,
  toSearchRow,
  toTerms,
} from '../../../.build/src/store/listings/search_text.js';

export const SHOP_IDS = [48_213_377, 52_660_914];
/** A word of one listing, however many there are. */
export const RARE = 'sku-00500';
/** The number of sold-out listings, however many there are. */
export const SOLD_OUT = 20;

const GLAZES = ['white', 'ochre', 'celadon', 'cobalt', 'tenmoku', 'shino', 'ash', 'copper', 'iron', 'oribe'];
const FORMS = [
  'tall',
  'small',
  'wide',
  'straight',
  'round',
  'footed',
  'faceted',
  'carved',
  'plain',
  'fluted',
];
const USES = ['coffee', 'tea', 'breakfast', 'camping', 'office', 'garden', 'holiday'];

/** Titles as sellers write them: words that all, many or few listings share, and the number of the piece. */
function buildTitle(n) {
  const parts = [n % 10 === 0 ? 'Stoneware' : 'Porcelain', 'mug', GLAZES[n % 10], FORMS[(n * 7) % 10]];
  return [...parts, 'for', USES[n % 7], 'handmade', `${n % 977}`, 'gift for her'].join(' ');
}

/**
 * Listings of an account, each published by a finished job, alternating between two shops; one in ten is
 * incomplete, 20 are sold out.
 *
 * @param {import('./engines.mjs').Place} place
 */
export async function fillListings(place, account_id, count) {
  const now = new Date().toISOString();
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const requests = numbers.map((n) => buildRequest(n));
  await place.insert(
    'listings',
    numbers.map((n) => ({
      account_id,
      title: requests[n - 1].listing.title,
      status: n % 10 === 0 ? 'incomplete' : 'published',
      state: 'publish',
      request: JSON.stringify(requests[n - 1]),
      warnings: '[]',
      job_id: `job_${n}`,
      created_at: now,
      updated_at: now,
    })),
  );
  await place.insert(
    'jobs',
    toEach(numbers, (n) => buildJob(account_id, n, now)),
  );
  await place.insert(
    'publications',
    toEach(numbers, (n) => ({
      account_id,
      listing_pk: n,
      shop_id: SHOP_IDS[n % 2],
      listing_id: n,
      progress: '{}',
      state: n <= SOLD_OUT ? 'sold_out' : 'active',
      seen_at: now,
    })),
  );
  const rows = requests.map((request) => toSearchRow(request));
  await place.insert(
    'listing_words',
    toEach(numbers, (n) => ({ account_id, listing_pk: n, ...rows[n - 1] })),
  );
  const terms = rows.flatMap((row, index) => toTerms(row).map((term) => ({ term, listing_pk: index + 1 })));
  terms.sort((a, b) => (a.term < b.term ? -1 : a.term > b.term ? 1 : a.listing_pk - b.listing_pk));
  await place.insert(
    'listing_terms',
    toEach(terms, (row) => ({ account_id, ...row })),
  );
  // Word by word: all of them together would look like one listing with too many tags.
  const words = [...new Set(rows.flatMap((row) => splitIndexed(row.words)))];
  const endings = words.flatMap((word) => toEndings({ words: word }));
  endings.sort((a, b) => (a.ending < b.ending ? -1 : 1));
  await place.insert(
    'listing_term_endings',
    toEach(endings, (row) => ({ account_id, ...row })),
  );
  await place.ask(
    `INSERT INTO listing_totals (account_id, status, total, bytes)
     SELECT account_id, status, count(*), sum(octet_length(request)) FROM listings GROUP BY account_id, status`,
  );
  await place.settle();
}

function* toEach(all, make) {
  for (const one of all) yield make(one);
}

function buildRequest(n) {
  return {
    state: 'publish',
    shops: [{ shop_id: SHOP_IDS[n % 2] }],
    listing: {
      title: buildTitle(n),
      sku: `SKU-${String(n).padStart(5, '0')}`,
      description: 'x'.repeat(500),
      listing_type: 'physical',
      taxonomy_id: 1,
    },
  };
}

function buildJob(account_id, n, now) {
  return {
    account_id,
    job_id: `job_${n}`,
    listing_pk: n,
    state: 'publish',
    status: 'completed',
    plan: PLAN,
    results: '[]',
    created_at: now,
    completed_at: now,
  };
}

const PLAN = JSON.stringify({
  state: 'publish',
  images: [],
  videos: [],
  files: [],
  attributes: [],
  warnings: [],
  shops: [
    {
      shop_id: SHOP_IDS[0],
      shop_name: 'Shop',
      currency_code: 'USD',
      draft: {
        title: 'Mug',
        description: 'x'.repeat(500),
        listing_type: 'physical',
        taxonomy_id: 1,
        price: 40,
        quantity: 1,
        who_made: 'i_did',
        when_made: 'made_to_order',
        is_supply: false,
      },
      warnings: [],
    },
  ],
});
