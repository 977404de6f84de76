import { listShopRequests, buildGroupedPlan } from '../copy/grouped_plan.js';
import type { ListingRecord, Publication } from '../../ports/index.js';
import type { PublishPlan } from './plan.js';
import type { Preflight } from '../preflight/index.js';

/**
 * The plan of a saved listing for some of its shops: what is said of a shop names it where the whole request does. Throws as
 * Preflight.buildPlan.
 */
export async function buildPartialPlan(
  preflight: Pick<Preflight, 'buildPlan'>,
  listing: Pick<ListingRecord, 'request'>,
  publications: readonly Publication[],
  shop_ids: ReadonlySet<number>,
  options: Parameters<Preflight['buildPlan']>[1],
): Promise<PublishPlan> {
  const all = listing.request.shops.map(({ shop_id }) => shop_id);
  const wanted = listing.request.shops.filter(({ shop_id }) => shop_ids.has(shop_id));
  const requests = listShopRequests(listing, publications, wanted);
  const toWhole = (path: string, shops: readonly { shop_id: number }[]) =>
    path.replace(
      /^shops\[(\d+)\]/,
      (_all, index) => `shops[${all.indexOf(shops[Number(index)]?.shop_id ?? 0)}]`,
    );
  const plan = await buildGroupedPlan(preflight, requests, options, (path, position) =>
    toWhole(path, requests[position]?.shops ?? []),
  );
  const withPlaces = <Told extends { fields: string[] }>(
    warnings: readonly Told[],
    shops: readonly { shop_id: number }[],
  ): Told[] =>
    warnings.map((warning) => ({ ...warning, fields: warning.fields.map((field) => toWhole(field, shops)) }));
  const findShops = (shop_id: number) =>
    requests.find(({ shops }) => shops.some((target) => target.shop_id === shop_id))?.shops ?? [];
  return {
    ...plan,
    warnings: withPlaces(plan.warnings, requests[0]?.shops ?? []),
    shops: plan.shops.map((shop) => {
      const shops = findShops(shop.shop_id);
      return {
        ...shop,
        position: all.indexOf(shop.shop_id),
        warnings: withPlaces(shop.warnings, shops),
        ...(shop.own && { own: { ...shop.own, warnings: withPlaces(shop.own.warnings, shops) } }),
      };
    }),
  };
}
