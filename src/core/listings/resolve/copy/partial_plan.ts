import type { Plan, PublishAction } from '../../../ports/listing/plan.js';
import { listShopRequests, buildGroupedPlan } from './grouped_plan.js';
import type { ListingRequest, Overrides } from '../../../../../schemas/listing_request.js';
import type { ListingRecord } from '../../../ports/index.js';
import type { OwnPlace } from '../../requests/own_changes.js';
import { findOverridePath, showOverrides } from '../overrides.js';
import type { Preflight } from '../../preflight/index.js';

/**
 * The plan of a saved listing for some of its shops, with paths as in the whole request. Throws like
 * Preflight.buildPlan.
 */
export async function buildPartialPlan(
  preflight: Pick<Preflight, 'buildPlan'>,
  listing: Pick<ListingRecord, 'request'>,
  publications: readonly OwnPlace[],
  shop_ids: ReadonlySet<number>,
  options: Parameters<Preflight['buildPlan']>[1],
  findOverrides: FindOverrides = createFindOverrides(listing.request, publications),
): Promise<Plan<PublishAction>> {
  const all = listing.request.shops.map(({ shop_id }) => shop_id);
  const wanted = listing.request.shops.filter(({ shop_id }) => shop_ids.has(shop_id));
  const requests = listShopRequests(listing, publications, wanted);
  const toWhole = (path: string, shops: readonly { shop_id: number }[]) => toPlace(path, shops, all);
  const plan = await buildGroupedPlan(preflight, requests, options, (path, position) =>
    toWholePath(path, requests[position], all, findOverrides),
  );
  const withPlaces = <Item extends { fields: string[] }>(
    warnings: readonly Item[],
    shops: readonly { shop_id: number }[],
  ): Item[] =>
    warnings.map((warning) => ({ ...warning, fields: warning.fields.map((field) => toWhole(field, shops)) }));
  const findShops = (shop_id: number) =>
    requests.find(({ shops }) => shops.some((target) => target.shop_id === shop_id))?.shops ?? [];
  return {
    ...plan,
    warnings: withPlaces(plan.warnings, requests[0]?.shops ?? []),
    shops: plan.shops
      .toSorted((a, b) => all.indexOf(a.shop_id) - all.indexOf(b.shop_id))
      .map((shop) => {
        const shops = findShops(shop.shop_id);
        const { own_warnings } = shop.action;
        return {
          ...shop,
          action: {
            ...shop.action,
            position: all.indexOf(shop.shop_id),
            ...(own_warnings && { own_warnings: withPlaces(own_warnings, shops) }),
          },
          warnings: withPlaces(shop.warnings, shops),
        };
      }),
  };
}

type FindOverrides = (shop_id: number) => Overrides | null | undefined;

function createFindOverrides(request: ListingRequest, publications: readonly OwnPlace[]): FindOverrides {
  return (shop_id) =>
    showOverrides(request, publications.find((own) => own.shop_id === shop_id)?.progress.changes);
}

/**
 * Translates a path in a request for some shops to the path in the whole request: a value that only these shops
 * have is in their overrides.
 * @param all the shops of the whole request
 */
export function toWholePath(
  path: string,
  part: ListingRequest | undefined,
  all: readonly number[],
  findOverrides: FindOverrides,
): string {
  const shops = part?.shops ?? [];
  const [, index] = /^shops\[(\d+)\]/.exec(path) ?? [];
  const shop_id = shops[Number(index ?? 0)]?.shop_id;
  const given = shop_id === undefined ? undefined : findOverrides(shop_id);
  const own =
    part && shop_id !== undefined && given
      ? findOverridePath(path, given, part, `shops[${all.indexOf(shop_id)}].overrides`)
      : undefined;
  return own ?? toPlace(path, shops, all);
}

function toPlace(path: string, shops: readonly { shop_id: number }[], all: readonly number[]): string {
  return path.replace(
    /^shops\[(\d+)\]/,
    (_all, index) => `shops[${all.indexOf(shops[Number(index)]?.shop_id ?? 0)}]`,
  );
}
