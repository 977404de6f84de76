import type { ListingChanges } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import { buildOwnChanges } from '../../listings/requests/own_changes.js';
import { isSameValue } from '../../listings/snapshot/difference.js';
import { listOfferingDifferences } from '../../listings/resolve/overrides.js';

/** A listing's request in one shop before and after its edits. */
export type EditedView = { shop_id: number; before: ListingRequest; after: ListingRequest };

/** One call of listing_update: the shops that it names, and its changes. */
type UpdateCall = { shop_ids: number[]; changes: ListingChanges };

/**
 * The fewest calls of listing_update that make these views. A value that becomes the same in all of the shops is changed for
 * all of them; any other is an override of its shop.
 */
export function buildUpdateCalls(views: readonly EditedView[]): UpdateCall[] {
  const changed = views.filter(({ before, after }) => !isSameValue(before, after));
  const groups = new Map<string, EditedView[]>();
  for (const view of changed) {
    const key = toCanonicalJson(buildMembers(view) ?? null);
    groups.set(key, [...(groups.get(key) ?? []), view]);
  }
  return [...groups.values()].map((group) => ({
    shop_ids: group.map(({ shop_id }) => shop_id),
    changes: { ...buildMembers(group[0]), ...buildOverridable(group) },
  }));
}

type Json = Record<string, unknown>;

/** The changes that no override can express: photos, files, personalization, category attributes, and other options. */
function buildMembers(view: EditedView | undefined): Json | undefined {
  if (!view) return undefined;
  const { listing: _listing, variations, ...members } = buildOwnChanges(view.before, view.after) ?? {};
  const isOfOfferings =
    variations !== undefined && listOfferingDifferences(view.before, view.after) !== undefined;
  const all = { ...members, ...(variations !== undefined && !isOfOfferings && { variations }) };
  return Object.keys(all).length > 0 ? all : undefined;
}

type ShopChange = NonNullable<ListingChanges['shops']>[number];

function buildOverridable(views: readonly EditedView[]): ListingChanges {
  const listing: Json = {};
  const own = new Map<number, { listing: Json; target: Json; offerings?: Json[] }>(
    views.map(({ shop_id, before, after }) => [
      shop_id,
      { listing: {}, target: buildTarget(shop_id, before, after) },
    ]),
  );
  const isForAll = views[0]?.before.shops.length === views.length;
  for (const name of listChangedFields(views)) {
    // A shop with its own price is independent of the price that the others share.
    const sharing = name === 'price' ? views.filter((view) => !hasOwnPrice(view)) : views;
    const values = (name === 'price' && !isForAll ? views : sharing).map(({ after }) => after.listing[name]);
    if (values.every((value) => isSameValue(value, values[0]))) {
      listing[name] = values[0] ?? null;
      continue;
    }
    for (const { shop_id, before, after } of sharing) {
      if (isSameValue(before.listing[name], after.listing[name])) continue;
      const shop = own.get(shop_id);
      if (!shop) continue;
      // A shop's own price goes into shops[].
      if (name === 'price') shop.target['price'] = after.listing.price;
      else shop.listing[name] = after.listing[name] ?? null;
    }
  }
  const offerings = views.map(({ before, after }) => listOfferingDifferences(before, after) ?? []);
  const isShared = offerings.every((one) => isSameValue(one, offerings[0]));
  if (!isShared) {
    views.forEach(({ shop_id }, index) => {
      const shop = own.get(shop_id);
      if (shop) shop.offerings = offerings[index] ?? [];
    });
  }
  const shops = [...own].flatMap(([shop_id, shop]): ShopChange[] => {
    const overrides = {
      ...(Object.keys(shop.listing).length > 0 && { listing: shop.listing }),
      ...(shop.offerings && shop.offerings.length > 0 && { offerings: shop.offerings }),
    };
    const change = { ...shop.target, ...(Object.keys(overrides).length > 0 && { overrides }) };
    return Object.keys(change).length > 0 ? [{ shop_id, ...change }] : [];
  });
  return {
    ...(Object.keys(listing).length > 0 && { listing }),
    ...(isShared && (offerings[0]?.length ?? 0) > 0 && { offerings: offerings[0] }),
    ...(shops.length > 0 && { shops }),
  };
}

function hasOwnPrice({ shop_id, after }: EditedView): boolean {
  return after.shops.some((target) => target.shop_id === shop_id && target.price !== undefined);
}

function listChangedFields(views: readonly EditedView[]): string[] {
  const names = views.flatMap(({ before, after }) =>
    [...Object.keys(before.listing), ...Object.keys(after.listing)].filter(
      (name) => !isSameValue(before.listing[name], after.listing[name]),
    ),
  );
  return [...new Set(names)];
}

/** The changes to the shop's own fields: its section, its profiles, its price. */
function buildTarget(shop_id: number, before: ListingRequest, after: ListingRequest): Json {
  const find = ({ shops }: ListingRequest): Json => shops.find((target) => target.shop_id === shop_id) ?? {};
  const [was, is] = [find(before), find(after)];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return Object.fromEntries(
    [...names].filter((name) => !isSameValue(was[name], is[name])).map((name) => [name, is[name] ?? null]),
  );
}
