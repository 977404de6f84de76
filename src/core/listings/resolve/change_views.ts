import type { Warning } from '../../../../schemas/job.js';
import type { ListingChanges } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Issue } from '../../../../schemas/issue.js';
import { addNotes, toIssueKey } from '../../issues/issues.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import { buildOwnChanges, leaveSame, toShopRequest, type OwnPlace } from '../requests/own_changes.js';
import type { Patched } from './changes/patch.js';
import { findOverrides, withoutOverrides, withOverrides } from './overrides.js';
import { createChangePaths } from './changes/paths.js';

/** A change of a listing for shops that have the same values before it and get the same ones. */
type ChangedView = Patched & {
  /** Whether it is the request all shops share; without shop_ids if each shop has its own values. */
  is_shared: boolean;
  shop_ids: number[];
  before: ListingRequest;
  /** The change for these shops, including their overrides. */
  changes: ListingChanges;
};

type ChangeScope = {
  saved: ListingRequest;
  publications: readonly OwnPlace[];
  changes: ListingChanges;
  /** The shops the change is for. */
  shop_ids: readonly number[];
  patch: (before: ListingRequest, changes: ListingChanges) => Patched;
};

/**
 * Applies a change to the values of each shop. If the change is for all shops, the request they share changes, and
 * its view comes first. If the change is for some of them, or overrides values of one, those shops get their own
 * values.
 */
export function listChangedViews(scope: ChangeScope): ChangedView[] {
  const { saved, publications, changes, shop_ids, patch } = scope;
  const isForAll = saved.shops.every(({ shop_id }) => shop_ids.includes(shop_id));
  const stripped = withoutOverrides(changes);
  const common = isForAll ? stripped : toPricesOfShops(stripped, saved, shop_ids);
  const isOfOverrides = (changes.shops ?? []).some(({ overrides }) => overrides !== undefined);
  const change = (before: ListingRequest, to: ListingChanges, isShared = false): ChangedView => {
    const isNothing = isOfOverrides && Object.keys(to).length === 0;
    const patched = isNothing ? { request: before, changed: [], issues: [], missing: [] } : patch(before, to);
    return { ...patched, is_shared: isShared, before, changes: to, shop_ids: [] };
  };
  const shared = isForAll ? change(saved, common, true) : undefined;
  const views = new Map<string, ChangedView>();
  if (shared) views.set(toCanonicalJson(saved), shared);
  for (const { shop_id } of saved.shops) {
    if (!shop_ids.includes(shop_id)) continue;
    const before = toShopRequest(saved, publications, shop_id);
    const overrides = findOverrides(changes, shop_id);
    const key = overrides === undefined ? toCanonicalJson(before) : String(shop_id);
    const view =
      views.get(key) ??
      (overrides === undefined
        ? change(before, common)
        : change(
            before,
            withOverrides(common, overrides, { shop_id, before, common: shared?.request ?? saved }),
          ));
    view.shop_ids.push(shop_id);
    views.set(key, view);
  }
  return [...views.values()];
}

/**
 * Returns the data to save after a change: the request the shops share, including their values in shops[], and the
 * own values of shops if these change.
 */
export function joinViews(
  saved: ListingRequest,
  publications: readonly OwnPlace[],
  views: readonly Pick<ChangedView, 'is_shared' | 'shop_ids' | 'request'>[],
): { request: ListingRequest; own: OwnChanges[] } {
  const shared = views.find(({ is_shared }) => is_shared)?.request ?? saved;
  const shops = saved.shops.map((target) => {
    const view = views.find(({ shop_ids }) => shop_ids.includes(target.shop_id));
    return view?.request.shops.find(({ shop_id }) => shop_id === target.shop_id) ?? target;
  });
  const own = views.flatMap((view) =>
    view.shop_ids.map((shop_id) => ({ shop_id, changes: buildOwnChanges(shared, view.request) })),
  );
  return { request: { ...shared, shops }, own: leaveSame(own, publications) };
}

/** The problems of all views, without duplicates, at the paths of the call. */
export function listViewIssues<View extends ChangedView>(
  saved: ListingRequest,
  changes: ListingChanges,
  views: readonly View[],
  listIssues: (view: View) => readonly Issue[],
): Issue[] {
  const { toIssue } = createChangePaths(saved, changes);
  const found = new Map<string, Issue>();
  for (const view of views) {
    const [shop_id] = view.shop_ids;
    const hasOwn = view !== views[0] && shop_id !== undefined;
    for (const issue of listIssues(view).map((one) => toIssue(one, view.shop_ids, view.request))) {
      const key = toIssueKey(issue);
      if (found.has(key)) continue;
      const isInOwn = hasOwn && !issue.at.includes('.overrides');
      found.set(key, isInOwn ? addNotes(issue, { code: 'in_shop', params: { shop_id } }) : issue);
    }
  }
  return [...found.values()];
}

/** Warnings about changed offerings that a shop with its own combinations does not have. */
export function listMissingThere(
  views: readonly ChangedView[],
  isAsked: (shop_id: number) => boolean,
): Warning[] {
  return views.slice(1).flatMap(({ missing, shop_ids }) =>
    shop_ids.filter(isAsked).flatMap((shop_id) =>
      missing.map(({ path }) => ({
        code: 'no_such_offering',
        fields: [path],
        reason: { code: 'no_such_offering' as const, params: { shop_id } },
      })),
    ),
  );
}

/** A price for some of the shops becomes their own: listing.price belongs to all the others. */
function toPricesOfShops(
  { listing, shops, ...others }: ListingChanges,
  saved: ListingRequest,
  shop_ids: readonly number[],
): ListingChanges {
  const { price, ...fields } = listing ?? {};
  if (typeof price !== 'number')
    return { ...others, ...(listing !== undefined && { listing }), ...(shops !== undefined && { shops }) };
  const priced = saved.shops
    .filter(({ shop_id }) => shop_ids.includes(shop_id))
    .map(({ shop_id }) => ({ price, ...shops?.find((own) => own.shop_id === shop_id), shop_id }));
  const rest = (shops ?? []).filter(({ shop_id }) => !shop_ids.includes(shop_id));
  return {
    ...others,
    ...(Object.keys(fields).length > 0 && { listing: fields }),
    shops: [...priced, ...rest],
  };
}
