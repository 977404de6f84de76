import { MARKETPLACE_FACTS } from '../../schemas/marketplace_facts.js';
import type { Order } from './orders.js';
import type { Seller } from './seller.js';
import type { SandboxListing, SandboxState, World } from './world.js';

const FEE_USD = MARKETPLACE_FACTS.listing_fee_usd;
const ENDS: ReadonlySet<string | undefined> = new Set(['completed', 'failed']);

/** The outcome of all orders, compared with the marketplace. */
export type Tally = {
  kills: number;
  jobs: number;
  /** Listings beyond one per order and shop. */
  duplicates: number;
  /** Listings that no result names. */
  orphans: number;
  fees: number;
  activations: number;
  /**
   * Jobs reported to a caller that are missing or unfinished. Jobs that no restored copy contains are counted
   * separately.
   */
  lost: number;
  /** Listings that differ from their order, or whose fees are reported wrong; one sentence each. */
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

/** Troubles of the service other than the kill at the end of each life. */
export type Injected = {
  /** Processes whose clock was wrong and was set while they ran. */
  clocks: number;
  full_disks: number;
  locks: number;
  sleeps: number;
  /** Sleeps during which another process resumed the jobs. */
  takeovers: number;
  restores: number;
  kills: number;
  /** After restores: jobs reported to a caller, and listings on the marketplace, that are newer than the copy. */
  unknown_jobs: number;
  unknown_listings: number;
  /** Requests refused because of a full disk or a lock. */
  refusals: number;
};

export const NOTHING_INJECTED: Injected = {
  clocks: 0,
  full_disks: 0,
  locks: 0,
  sleeps: 0,
  takeovers: 0,
  restores: 0,
  kills: 0,
  unknown_jobs: 0,
  unknown_listings: 0,
  refusals: 0,
};

/** Call it when every order is done and a server is up. */
export async function takeTally(world: World, seller: Seller, kills: number): Promise<Tally> {
  const { listings, fees } = splitState(await world.control<SandboxState>('GET', '/state'), seller).known;
  const sales = seller.sales.filter(({ is_unknown }) => !is_unknown);
  const jobs = sales.flatMap(({ job_ids }) => [...job_ids]);
  const answers = await Promise.all(jobs.map((job_id) => seller.ask(job_id).catch(() => undefined)));
  const details = await Promise.all(
    sales.map(async (sale) => ({
      order: sale.order,
      detail: await seller.getListing(sale).catch(() => undefined),
    })),
  );
  const shops = details.flatMap(({ order, detail }) =>
    (detail?.results ?? []).map((shop) => ({
      order,
      shop,
      key: `${order.body.listing.title}/${shop.shop_id}`,
      reported: (detail?.history?.fees ?? [])
        .filter(({ shop_id }) => shop_id === shop.shop_id)
        .map(({ cost_usd }) => cost_usd),
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
    lost: answers.filter((answer) => !ENDS.has(answer?.status)).length,
    wrong: [
      ...details.flatMap(({ order, detail }) =>
        detail?.results.length === order.body.shops.length ? [] : [`${order.key}: not in every shop`],
      ),
      ...shops.flatMap(({ shop, key, reported }) => {
        const charged = fees.filter(({ listing_id }) => listing_id === shop.listing_id).map(() => FEE_USD);
        const isSame = JSON.stringify(reported) === JSON.stringify(charged);
        return isSame ? [] : [`${key}: fees reported [${reported.join()}], charged [${charged.join()}]`];
      }),
      ...shops.flatMap(({ order, shop, key }) => {
        const listing = listings.find(({ listing_id }) => listing_id === shop.listing_id);
        return listing
          ? compare(listing, order.wanted).map((what) => `${key}: ${what}`)
          : [`${key}: not there`];
      }),
    ],
  };
}

/** Listings newer than the restored copy no longer belong to a job: they are counted separately. */
export function splitState({ listings, fees }: Pick<SandboxState, 'listings' | 'fees'>, seller: Seller) {
  const titles = new Set(
    seller.sales.flatMap(({ order, is_unknown }) => (is_unknown ? [order.body.listing.title] : [])),
  );
  const unknown = listings.filter(({ fields }) => titles.has(fields.title));
  const ids = new Set(unknown.map(({ listing_id }) => listing_id));
  return {
    unknown,
    known: {
      listings: listings.filter(({ listing_id }) => !ids.has(listing_id)),
      fees: fees.filter(({ listing_id }) => !ids.has(listing_id)),
    },
  };
}

export function addTallies(a: Tally, b: Tally): Tally {
  const { wrong, ...counts } = a;
  const { wrong: more_wrong, ...more } = b;
  return { ...addNumbers(counts, more), wrong: [...wrong, ...more_wrong] };
}

export function addNumbers<Name extends string>(a: Record<Name, number>, b: Record<Name, number>) {
  const names = Object.keys(a) as Name[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Record<Name, number>;
}

export function toLine(tally: Tally): string {
  const { kills, jobs, duplicates, orphans, fees, activations, lost } = tally;
  return `kills ${kills}, jobs ${jobs}, duplicates ${duplicates}, orphans ${orphans}, fees ${fees}, activations ${activations}, lost ${lost}`;
}

export function toInjectedLine(injected: Injected): string {
  const { clocks, full_disks, locks, sleeps, takeovers, restores, refusals } = injected;
  return `injected: clocks set ${clocks}, full disks ${full_disks}, locks ${locks} (requests they refused ${refusals}), sleeps ${sleeps}, takeovers ${takeovers}, restores ${restores} (not known after them: jobs ${injected.unknown_jobs}, listings ${injected.unknown_listings})`;
}

function compare({ state, images, inventory }: SandboxListing, wanted: Order['wanted']): string[] {
  const photos = [...images].sort((a, b) => a.rank - b.rank).map(({ sha256 }) => sha256);
  const found = { photos, products: inventory.products.length, state };
  return JSON.stringify(found) === JSON.stringify(wanted) ? [] : [JSON.stringify({ found, wanted })];
}
