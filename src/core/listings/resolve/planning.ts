import type { UpdateRequest } from '../../../../schemas/listing_changes.js';
import type { ListingRequest, Offering } from '../../../../schemas/listing_request.js';
import type { ChangeAction, Plan, ShopPlan } from '../../ports/listing/plan.js';
import type { Categories } from '../../shops/categories.js';
import { buildValidationError } from '../../issues/issues.js';
import type { ListingRecord, Publication, Store } from '../../ports/index.js';
import { OF_INVENTORY, toName } from '../listing_fields.js';
import type { ChangeChecks } from '../preflight/changes.js';
import { listCutSkus } from '../preflight/warnings.js';
import { type PartialRequest } from '../rules/index.js';
import { toOfferingKey } from '../rules/variation_rules.js';
import { isSameValue, listUnique } from '../snapshot/difference.js';
import { checkOfferingValues } from './changes/check_offerings.js';
import { compileChanges } from './changes/compile_changes.js';
import { buildIdNames } from './changes/id_names.js';
import { findMediaIds, findSources, type MediaIds } from './changes/media_ids.js';
import { leaveFixed } from './changes/only_here.js';
import { leavesNothing, listAllOfferings, listRepeated } from './changes/patch_offerings.js';
import { patchRequest } from './changes/patch.js';
import { createChangePaths } from './changes/paths.js';
import { expectNoOpenCreate } from './open_create.js';
import { joinViews, listChangedViews, listMissingThere, listViewIssues } from './change_views.js';
import {
  withZeroHint,
  listNowhere,
  listStyleIssues,
  listNewSkus,
  listDecimals,
  listUnconnected,
  expectUsable,
  listAbsent,
} from './planning_issues.js';
import { findTargets, type Placed } from './target_shops.js';
import { listPlannedFiles } from '../requests/planned_files.js';

/** Turns a caller's request into the updates of each shop. */
export type UpdatePlanning = {
  /**
   * Requires that at least one of the shops has the listing. Throws VALIDATION_FAILED with every problem,
   * STORE_RECONNECT_REQUIRED if there is no other, and LISTING_BUSY while it is unknown whether another shop has
   * the listing.
   */
  plan(
    listing: ListingRecord,
    publications: readonly Publication[],
    input: UpdateRequest,
  ): Promise<Plan<ChangeAction>>;
};

export function createUpdatePlanning({
  store,
  checks,
  categories,
}: {
  store: Store;
  checks: ChangeChecks;
  categories: Categories;
}): UpdatePlanning {
  return {
    async plan(listing, publications, input) {
      const { account_id, listing_pk, request: saved } = listing;
      const { changes, on_drift = 'refuse' } = input;
      const { placed, absent } = findTargets(saved, input.shops, publications);
      const absent_ids = absent.flatMap((index) => saved.shops[index]?.shop_id ?? []);
      const shop_ids = [...placed.map(({ publication }) => publication.shop_id), ...absent_ids];
      const changed = listChangedViews({
        saved,
        publications,
        changes,
        shop_ids,
        patch: (before, to) => patchRequest(before, to, input.shops),
      });
      const snapshots = await store.listings.listSnapshots(account_id, listing_pk);
      const isLive = placed.some(({ publication: { shop_id } }) =>
        snapshots.some((one) => one.shop_id === shop_id && one.snapshot.listing?.state === 'active'),
      );
      const views = await Promise.all(
        changed.map(async (view) => {
          const fixed = leaveFixed(view.before, view.request, view.changed);
          const checked = await checks.check({
            saved: view.before,
            request: fixed.request,
            changed: fixed.changed,
            shop_ids: view.shop_ids,
            account_id,
            isLive,
          });
          const found = checked.issues.filter(({ code }) => code !== 'nothing_to_sell');
          const isEmptied =
            found.length < checked.issues.length || leavesNothing(view.before, view.changes.offerings ?? []);
          return { ...view, fixed, checked, isEmptied, found };
        }),
      );
      type View = (typeof views)[number];
      const [first] = views;
      if (!first) throw new Error('an update is of at least one shop');
      const findView = (shop_id: number): View =>
        views.find((view) => view.shop_ids.includes(shop_id)) ?? first;
      const paths = createChangePaths(saved, changes);
      const last = await store.listings.findPublishJob(listing);
      const findSnapshot = (shop_id: number) => snapshots.find((one) => one.shop_id === shop_id)?.snapshot;
      const sources = publications.map((publication) => {
        const snapshot = findSnapshot(publication.shop_id);
        return { shop_id: publication.shop_id, snapshot, sources: findSources(snapshot, publication, last) };
      });
      const findIds = (shop_id: number): MediaIds => {
        const own = sources.find((one) => one.shop_id === shop_id);
        if (!own) throw new Error('a shop that has the listing has a place for it');
        return findMediaIds(own.sources, sources);
      };
      const media_ids = new Map(placed.map(({ publication: { shop_id } }) => [shop_id, findIds(shop_id)]));
      const kept = await checks.keepFiles(
        listWantedFiles(first.fixed.request, first.fixed.changed, [...media_ids.values()]),
        account_id,
        listPlannedFiles(last),
      );
      const targets = placed.map((one) => {
        const view = findView(one.publication.shop_id);
        return { ...one, view, shop: view.checked.shops[one.index] };
      });
      const issues = [
        ...listViewIssues(saved, changes, views, (view) => {
          const { issues: wrong, missing, changes: to, fixed, found } = view;
          const own = targets.filter(({ view: of }) => of === view);
          return [
            ...wrong,
            ...listRepeated(changes.offerings ?? [], view.before),
            // If a shop has its own combinations, its result names the missing ones.
            ...(view === first ? listNowhere(view.before, missing, placed, snapshots) : []),
            ...checkOfferingValues(to),
            ...listDecimals(to, own),
            ...[...fixed.issues, ...listStyleIssues(view), ...found].map(withZeroHint),
          ];
        }),
        ...listUnconnected(saved, targets),
        ...kept.issues.map((issue) => paths.toIssue(issue)),
      ];
      if (issues.length > 0) throw buildValidationError(issues);
      // Off sale, it keeps its stock.
      const { request: wanted, own } = joinViews(
        saved,
        publications,
        views.map((view) => ({
          ...view,
          request: view.isEmptied
            ? (withFormerStock(view.before, view.fixed.request) ??
              withoutInventory(view.before, { ...input, changes: view.changes }, placed))
            : view.fixed.request,
        })),
      );
      expectNoOpenCreate(listing, publications, wanted, own);
      const { taxonomy_id } = first.request.listing;
      const [schema, category] = await Promise.all([
        first.checked.schema ?? categories.findKeptSchema(taxonomy_id),
        categories.findKeptPath(taxonomy_id),
      ]);
      const all = targets.map(({ index, listing_id, shop, view, publication }): ShopPlan<ChangeAction> => {
        if (!shop) throw new Error('a shop that is not connected was refused');
        const { shop_id, details } = shop;
        const compiled = compileChanges({
          saved: view.before,
          request: view.fixed.request,
          changes: view.changes,
          changed: view.fixed.changed,
          toPath: (path) => paths.toPath(path, [shop_id], view.request),
          index,
          shop,
          schema: view.checked.schema,
          files: kept.files,
          media_ids: media_ids.get(shop_id) ?? findIds(shop_id),
        });
        return {
          shop_id,
          shop_name: details.shop_name,
          currency_code: details.currency_code,
          listing_id,
          action: {
            kind: 'change',
            changes: compiled.changes,
            on_drift,
            pending: publication.progress.pending,
          },
          names: buildIdNames(shop, schema, category),
          warnings: compiled.warnings,
        };
      });
      // If only single shops change, the others are not contacted.
      const asked = all.filter(({ action, warnings }) => hasChanges(action) || warnings.length > 0);
      const shops = asked.length > 0 ? asked : all;
      expectUsable(shops, targets);
      return {
        purpose: 'update',
        shops,
        warnings: [
          ...listUnique(
            views.flatMap(({ fixed, checked, shop_ids: of, request }) =>
              [...fixed.warnings, ...checked.warnings].map((warning) =>
                paths.toWarning(warning, of, request),
              ),
            ),
          ),
          ...kept.warnings.map((warning) => paths.toWarning(warning)),
          ...listCutSkus(listNewSkus(changes)),
          ...listAbsent(saved, absent, first.checked.shops),
          // If a shop has the listing, its own result reports this.
          ...listMissingThere(views, (shop_id) => absent_ids.includes(shop_id)),
        ],
        request: wanted,
        own,
      };
    },
  };
}

/** The change with the former stock; undefined if the combinations differ. */
function withFormerStock(before: ListingRequest, request: ListingRequest): ListingRequest | undefined {
  const { quantity: _, ...listing } = request.listing;
  const { quantity } = before.listing;
  const common = { ...request, listing: { ...listing, ...(quantity !== undefined && { quantity }) } };
  const { variations } = request;
  if (!variations?.properties) return common;
  if (!isSameValue(variations.properties, before.variations?.properties)) return undefined;
  const keys = variations.properties.map(({ name }) => toOfferingKey(name));
  const toKey = (offering: Offering) => JSON.stringify(keys.map((key) => offering[key]));
  const known = new Map(listAllOfferings(before).map((offering) => [toKey(offering), offering]));
  const offerings = listAllOfferings(request).map(({ quantity: _own, enabled: _is, ...offering }) => {
    const was = known.get(toKey(offering));
    return {
      ...offering,
      ...(was?.quantity !== undefined && { quantity: was.quantity }),
      ...(was?.enabled !== undefined && { enabled: was.enabled }),
    };
  });
  return { ...common, variations: { ...variations, offerings } };
}

/** The change without its inventory, which would leave nothing to sell: shops that have the listing keep theirs. */
function withoutInventory(
  saved: ListingRequest,
  { changes, shops }: UpdateRequest,
  placed: readonly Placed[],
): ListingRequest {
  const isPlaced = (shop_id: number) => placed.some(({ publication }) => publication.shop_id === shop_id);
  const { variations, offerings: _offerings, listing, shops: own, ...others } = changes;
  const patched = patchRequest(
    saved,
    {
      ...others,
      ...(variations?.variation_images !== undefined && {
        variations: { variation_images: variations.variation_images },
      }),
      ...(listing && { listing: omit(listing, NAMES_OF_INVENTORY) }),
      ...(own && {
        shops: own.map((target) => (isPlaced(target.shop_id) ? omit(target, NAMES_OF_INVENTORY) : target)),
      }),
    },
    shops,
  );
  if (patched.issues.length > 0) return saved;
  return leaveFixed(saved, patched.request, patched.changed).request;
}

/** The names, in a listing or one of its shops, of fields written with the inventory. */
const NAMES_OF_INVENTORY = OF_INVENTORY.map(toName);

function omit<Fields extends object>(fields: Fields, names: readonly string[]): Fields {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a patch, whose fields may all be left out but its shop_id
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as Fields;
}

function hasChanges(action: ChangeAction): boolean {
  return action.kind === 'change' && Object.keys(action.changes).length > 0;
}

/** The changed files that at least one shop is not known to have. */
function listWantedFiles(
  request: ListingRequest,
  changed: readonly string[],
  shops: readonly MediaIds[],
): PartialRequest {
  const isMissing = (kind: keyof MediaIds, url: string) => shops.some((ids) => !ids[kind].has(url));
  const pick = <Entry extends { url: string }>(
    name: 'images' | 'videos' | 'digital_files',
    kind: keyof MediaIds,
    entries: readonly Entry[] | undefined,
  ) =>
    changed.includes(name)
      ? { [name]: (entries ?? []).map((entry) => (isMissing(kind, entry.url) ? entry : undefined)) }
      : {};
  return {
    listing: { listing_type: request.listing.listing_type },
    ...pick('images', 'images', request.images),
    ...pick('videos', 'videos', request.videos),
    ...pick('digital_files', 'files', request.digital_files),
  };
}
