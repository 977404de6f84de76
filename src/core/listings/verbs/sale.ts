import type { ListingJobResult, Warning } from '../../../../schemas/job.js';
import type { Pending } from '../../ports/listing/changes.js';
import type { ChangeAction, Plan, ShopPlan } from '../../ports/listing/plan.js';
import { listVacation } from '../preflight/shops.js';
import type { Ports } from '../../ports/index.js';
import { buildValidationError } from '../../issues/issues.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { BatchPart } from '../../operations/call.js';
import type {
  Binding,
  ConnectedShop,
  ListingRecord,
  SeenListing,
  Starter,
  UpdateJob,
} from '../../ports/index.js';
import type { Shops } from '../../shops/shops.js';
import { toSaleDryRun, toUnchanged } from './answers.js';
import type { FeeConsent } from './consent.js';
import type { OfferedShop } from '../fees/fee_question.js';
import type { Spending } from '../fees/spending.js';
import { costsFee } from '../observed/sighting.js';
import { withBatch } from '../requests/repeats.js';
import type { SightingReader } from '../observed/sighting_reader.js';

type Parts = Pick<Ports, 'store' | 'clock' | 'marketplace'> & {
  shops: Shops;
  spending: Spending;
  sighting_reader: SightingReader;
};

/** A request to take a listing off sale, or to put it back on sale, in shops that have it. */
export type SaleRequest = {
  listing: ListingRecord;
  state: 'inactive' | 'active';
  /** The shops that have it. */
  places: readonly { shop_id: number; listing_id: number; pending?: Pending | undefined }[];
  /** The path at which the request names a shop, for issues. */
  getPath: (shop_id: number) => string;
  stock: number | undefined;
  is_dry_run: boolean;
  /** If the caller gave a key. */
  binding: Binding | undefined;
  batch?: BatchPart | undefined;
  started_by: Starter;
};

/** `again`: another job of the listing was created first. */
type SaleOutcome = { answer: ListingJobResult } | { job: UpdateJob; warnings: Warning[] } | 'again';

/** One shop of the request, as just read. */
type Seen = ConnectedShop['details'] & { id: number; listing_id: number; seen: SeenListing };

/** Makes free activations; those with a fee need consent first. The states just read decide. */
export function createSale(
  parts: Parts,
): (request: SaleRequest, consent: FeeConsent) => Promise<SaleOutcome> {
  const { store, shops, spending, sighting_reader, clock, marketplace } = parts;

  return async (request, consent) => {
    const { listing, state, is_dry_run } = request;
    const { account_id, listing_pk } = listing;
    const shops = await readShops(account_id, request);
    const wanted = shops.filter(({ seen }) => isWanted(state, seen));
    const offered = wanted.map((shop) => toOffered(shop, state));
    const paid = offered.filter(({ is_paid }) => is_paid);
    const issues = [
      ...consent.issues,
      ...listIssues(request, shops),
      ...(await spending.listIssues(account_id, paid.length, request.batch)),
    ];
    if (issues.length > 0) throw buildValidationError(issues);
    const warnings = shops.filter((shop) => !wanted.includes(shop)).map(buildLeft);
    if (wanted.length === 0) return { answer: toUnchanged(listing_pk, shops.map(toResult), warnings) };
    if (is_dry_run) return { answer: toSaleDryRun(listing_pk, state, offered, warnings) };
    const agreed = await consent.ask(offered, warnings);
    if ('instead' in agreed) return { answer: agreed.instead };
    const { created, job } = await store.listings
      .createJob({
        kind: 'update',
        account_id,
        listing_pk,
        job_id: agreed.job_id,
        plan: withBatch(buildPlan(request, wanted), request.batch),
        binding: request.binding,
        spending: spending.build(paid.length, request.batch),
        started_by: request.started_by,
      })
      .catch((cause: unknown) => {
        throw spending.toError(cause, paid.length);
      });
    return created && job.kind === 'update' ? { job, warnings } : 'again';
  };

  async function readShops(
    account_id: string,
    { places, getPath, state, batch }: SaleRequest,
  ): Promise<Seen[]> {
    const connected = new Map((await shops.listConnected(account_id)).map((shop) => [shop.shop_id, shop]));
    const missing = places.filter(({ shop_id }) => !connected.has(shop_id));
    if (missing.length > 0) {
      throw buildValidationError(
        missing.map(({ shop_id }) => ({
          code: 'shop_disconnected',
          at: getPath(shop_id),
          params: { shop_id },
        })),
      );
    }
    const away = places.flatMap(({ shop_id }) => {
      const shop = connected.get(shop_id);
      return shop && state === 'active' ? listVacation(getPath(shop_id), shop) : [];
    });
    if (away.length > 0) throw buildValidationError(away);
    for (const { shop_id } of places) await shops.getUsable({ account_id, shop_id });
    const asked = places.map((place) => ({ account_id, ...place }));
    const seen = await sighting_reader.readNow(asked, batch === undefined);
    return places.flatMap(({ shop_id, listing_id }) => {
      const details = connected.get(shop_id)?.details;
      const now = seen.get(shop_id);
      return details && now ? [{ ...details, id: shop_id, listing_id, seen: now }] : [];
    });
  }

  function isPaid(state: SaleRequest['state'], seen: SeenListing): boolean {
    return state === 'active' && costsFee(seen, marketplace.findTime()?.latest ?? clock.now());
  }

  function toOffered({ id, shop_name, currency_code, seen }: Seen, state: SaleRequest['state']): OfferedShop {
    const price = seen.shown?.price ?? 0;
    const hasFee = isPaid(state, seen);
    return { shop_id: id, shop_name, currency_code, price, state: seen.state, is_paid: hasFee, warnings: [] };
  }

  function buildPlan({ state, stock, places }: SaleRequest, wanted: readonly Seen[]): Plan<ChangeAction> {
    return {
      purpose: state === 'active' ? 'on_sale' : 'off_sale',
      asked: places.map(({ shop_id }) => shop_id),
      shops: wanted.map(({ id, shop_name, currency_code, listing_id, seen }): ShopPlan<ChangeAction> => ({
        shop_id: id,
        shop_name,
        currency_code,
        listing_id,
        action: {
          kind: 'state',
          state,
          ...(seen.state === 'sold_out' && stock !== undefined && { stock }),
          ...(state === 'active' && { pending: places.find(({ shop_id }) => shop_id === id)?.pending }),
          is_paid: isPaid(state, seen),
          seen_state: seen.state,
        },
        names: {},
        warnings: [],
      })),
      warnings: [],
      request: null,
    };
  }
}

/** Whether the running job does exactly the requested work. */
export function isSameSale(
  { plan }: UpdateJob,
  { state, places, stock }: Pick<SaleRequest, 'state' | 'places' | 'stock'>,
): boolean {
  if (plan?.purpose !== (state === 'active' ? 'on_sale' : 'off_sale')) return false;
  const asked = new Set(plan.asked);
  if (asked.size !== places.length || !places.every(({ shop_id }) => asked.has(shop_id))) return false;
  return plan.shops.every(
    ({ action }) =>
      action.kind === 'state' &&
      (action.seen_state !== 'sold_out' || state !== 'active' || action.stock === stock),
  );
}

/** Only a listing on sale can be taken off sale, and only one off sale can be put on sale. */
function isWanted(state: SaleRequest['state'], { state: is }: SeenListing): boolean {
  return state === 'inactive' ? is === 'active' : is !== 'active';
}

function listIssues({ state, stock, getPath }: SaleRequest, shops: readonly Seen[]): Issue[] {
  if (state === 'inactive') return [];
  const over = shops.filter(({ seen }) => seen.state === 'removed' || seen.state === 'gone');
  const sold_out = shops.filter(({ seen }) => seen.state === 'sold_out');
  const names = sold_out.map(({ shop_name }) => shop_name);
  const issues = over.map(({ id, seen }): Issue => ({
    code: 'sale_over',
    at: getPath(id),
    params: { state: seen.state },
  }));
  if (stock === undefined && sold_out.length > 0) {
    issues.push({ code: 'stock_required', at: 'stock', params: { shops: names } });
  }
  if (stock !== undefined && sold_out.length === 0) {
    issues.push({ code: 'stock_needless', at: 'stock', params: {} });
  }
  return issues;
}

function buildLeft({ shop_name, seen: { state } }: Seen): Warning {
  const reason = { code: 'sale_unneeded' as const, params: { shop_name, state } };
  return { code: 'left_as_it_is', level: 'note', fields: ['state'], reason };
}

function toResult({ id, shop_name, listing_id, currency_code, seen }: Seen) {
  return {
    shop_id: String(id),
    shop_name,
    status: 'unchanged' as const,
    listing_id,
    currency_code,
    ...(seen.shown && { price: seen.shown.price }),
  };
}
