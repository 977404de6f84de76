import type { Order } from './orders.js';
import type { Seller } from './seller.js';
import type { SandboxListing, SandboxState, World } from './world.js';

/** What came of all orders, against what the marketplace has. */
export type Tally = {
  kills: number;
  jobs: number;
  /** Listings beyond one for each order and shop. */
  duplicates: number;
  /** Listings that no result names. */
  orphans: number;
  fees: number;
  activations: number;
  /** Jobs somebody was told of that are not there, or have not ended. */
  lost: number;
  /** Listings that are not as they were ordered, a sentence each. */
  wrong: string[];
};

export const EMPTY_TALLY: Tally = {
  kills: 0,
  jobs: 0,
  duplicates: 0,
  orphans: 0,
  fees: 0,
  activations: 0,
  lost: 0,
  wrong: [],
};

/** To be taken when every order is through and a server is up. */
export async function takeTally(world: World, seller: Seller, kills: number): Promise<Tally> {
  const { listings, fees } = await world.control<SandboxState>('GET', '/state');
  const jobs = seller.sales.flatMap(({ job_ids }) => [...job_ids]);
  const answers = await Promise.all(jobs.map((job_id) => seller.ask(job_id).catch(() => undefined)));
  const shops = seller.sales.flatMap(({ order, result }) =>
    (result?.results ?? []).map((shop) => ({
      order,
      shop,
      key: `${order.body.listing.title}/${shop.shop_id}`,
    })),
  );
  const named = new Set(shops.flatMap(({ shop }) => shop.listing_id ?? []));
  const keys = listings.map(({ fields, shop_id }) => `${fields.title}/${shop_id}`);
  return {
    kills,
    jobs: jobs.length,
    duplicates: keys.length - new Set(keys).size,
    orphans: listings.filter(({ listing_id }) => !named.has(listing_id)).length,
    fees: fees.length,
    activations: shops.filter(({ shop }) => shop.activated === true).length,
    lost: answers.filter((answer) => answer?.status !== 'completed').length,
    wrong: [
      ...seller.sales.flatMap(({ order, result }) =>
        result?.results?.length === order.body.shops.length ? [] : [`${order.key}: not in every shop`],
      ),
      ...shops.flatMap(({ order, shop, key }) => {
        const listing = listings.find(({ listing_id }) => listing_id === shop.listing_id);
        return listing
          ? compare(listing, order.wanted).map((what) => `${key}: ${what}`)
          : [`${key}: not there`];
      }),
    ],
  };
}

export function addTallies(a: Tally, b: Tally): Tally {
  const wrong = [...a.wrong, ...b.wrong];
  const names = ['kills', 'jobs', 'duplicates', 'orphans', 'fees', 'activations', 'lost'] as const;
  return { ...Object.fromEntries(names.map((name) => [name, a[name] + b[name]])), wrong } as Tally;
}

export function toLine(tally: Tally): string {
  const { kills, jobs, duplicates, orphans, fees, activations, lost } = tally;
  return `kills ${kills}, jobs ${jobs}, duplicates ${duplicates}, orphans ${orphans}, fees ${fees}, activations ${activations}, lost ${lost}`;
}

function compare({ state, images, inventory }: SandboxListing, wanted: Order['wanted']): string[] {
  const photos = [...images].sort((a, b) => a.rank - b.rank).map(({ sha256 }) => sha256);
  const found = { photos, products: inventory.products.length, state };
  return JSON.stringify(found) === JSON.stringify(wanted) ? [] : [JSON.stringify({ found, wanted })];
}
