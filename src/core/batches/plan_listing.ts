import type { Issue } from '../../../schemas/issue.js';
import type { ServiceError } from '../errors.js';
import type { Listings } from '../listings/listings.js';
import { toShopRequest } from '../listings/requests/own_changes.js';
import { buildBusy } from '../listings/requests/repeats.js';
import { readSnapshot } from '../listings/snapshot/read.js';
import type { ListingSnapshot } from '../ports/listing/snapshot.js';
import { toCallFailed } from '../listings/engine/failures.js';
import type { BatchPart, Call } from '../operations/call.js';
import {
  type BatchPlace,
  MarketplaceError,
  type BatchRecord,
  type BatchSpec,
  type ConnectedShop,
  type Inventory,
  type ListingRecord,
  type Ports,
  type Publication,
  type ShopRef,
  type SnapshotPart,
} from '../ports/index.js';
import type { Shops } from '../shops/shops.js';
import { applyEdits, type Edited, type EditedPlace } from './edits/apply.js';
import type { TakenEdits } from './edits/take_photos.js';
import { buildUpdateCalls, type EditedView } from './edits/changes.js';
import { buildCall } from './call.js';
import { attempt, createDraft, type Draft, type ListingPlan } from './draft.js';
import type { ReadInventory } from './inventories_ahead.js';
import { listEditedParts, withLive } from './live.js';
import { listCopies, planCopies } from './plan_copies.js';
import { planUndo } from './plan_undo.js';
import { applyCells, listCellParts } from './sheets/apply_cells.js';

/** A listing in one shop to plan, with the parts of it that were read. */
type Place = {
  shop: ConnectedShop;
  listing_id: number;
  read: Partial<ListingSnapshot>;
  edited: Edited;
  view: EditedView;
};

type There = { shop: ConnectedShop; listing_id: number };

type ReadPlace = (place: There & { change: Change }) => Promise<Partial<ListingSnapshot>>;

/** `parts`: the parts of the listing to read for it. */
type Change = { parts: SnapshotPart[]; apply: (place: EditedPlace) => Edited };

type Sale = { listing_pk: number; state: 'active' | 'inactive'; stock: number | undefined };

type Parts = Pick<Ports, 'store' | 'marketplace'> & {
  shops: Shops;
  listings: Pick<Listings, 'update' | 'publish' | 'copy' | 'undo'>;
};

/**
 * Plans one listing of a batch: reads it, applies the edits, and checks them with dry runs of the single changes. Throws
 * LISTING_BUSY if another change of it is in the way.
 */
export type PlanListing = (batch: BatchRecord, index: number, options: PlanOptions) => Promise<ListingPlan>;

/** `readInventory`: reads those of further listings, too. `busy`: refuses the listing with this error. */
export type PlanOptions = {
  taken: TakenEdits;
  readInventory: ReadInventory;
  signal: AbortSignal;
  busy?: ServiceError;
};

export function createPlanListing({ store, marketplace, shops, listings }: Parts): PlanListing {
  return async (batch, index, { taken, readInventory, signal, busy }) => {
    const { account_id, spec } = batch;
    const place = spec.places[index];
    const listing = place && (await store.listings.findListing(account_id, place.listing_pk));
    if (!place || !listing) return { items: [], steps: [] };
    const running = await store.listings.findRunningJob(account_id, listing.listing_pk);
    if (running && !busy) throw buildBusy(running);
    const publications = await store.listings.listPublications(account_id, listing.listing_pk);
    const connected = new Map((await shops.listConnected(account_id)).map((shop) => [shop.shop_id, shop]));
    const known = listing.request.shops.map(({ shop_id }) => shop_id);
    const copies = spec.kind === 'edit' ? listCopies(spec.edits, place, known) : [];
    const targets = copies.flat().map(({ shop_id }) => shop_id);
    const wanted = (place.shop_ids ?? known).filter(
      (shop_id) => known.includes(shop_id) || !targets.includes(shop_id),
    );
    const isNowhere = !publications.some(
      ({ shop_id, listing_id }) => listing_id !== null && wanted.includes(shop_id),
    );
    const draft = createDraft(listing, index, connected);
    const findChange = await createChanges(batch, listing.listing_pk, taken);
    const there: (There & { change: Change })[] = [];
    for (const shop_id of wanted) {
      // Items keep the order of the rows, whatever their outcome.
      if (spec.kind === 'sheet') draft.keep(shop_id);
      const listing_id = publications.find((one) => one.shop_id === shop_id)?.listing_id ?? null;
      // Without a choice of shops, the edits are for the shops that have the listing; if none has it, that is reported for
      // each.
      if (listing_id === null && !place.shop_ids && !isNowhere) continue;
      const change = findChange(shop_id);
      if ('issues' in change) {
        if (change.issues.length > 0) draft.refuse(shop_id, change.issues);
        continue;
      }
      const shop = connected.get(shop_id);
      if (listing_id === null) {
        draft.refuse(shop_id, [{ code: 'item_not_there', at: 'shops', params: {} }]);
      } else if (!shop) {
        draft.refuse(shop_id, [{ code: 'shop_disconnected', at: 'shops', params: { shop_id } }]);
      } else if (shop.is_reconnect_required) {
        const { shop_name } = shop.details;
        draft.refuse(shop_id, [{ code: 'shop_revoked', at: 'shops', params: { shop_name } }]);
      } else there.push({ shop, listing_id, change });
    }
    const isOnlyCopied = wanted.length === 0;
    if (busy) {
      const shop_ids = isOnlyCopied ? targets : there.map(({ shop }) => shop.shop_id);
      for (const shop_id of shop_ids) draft.refuseFor(shop_id, busy);
    } else if (spec.kind === 'undo') {
      await planUndo({ store, listings }, draft, batch, spec, place, there, listing.listing_pk, signal);
    } else {
      const read: ReadPlace = ({ shop: { shop_id }, listing_id, change: { parts } }) =>
        readPlace({ account_id, shop_id }, listing_id, parts, signal, (shop) =>
          readInventory(index, shop, listing_id, signal),
        );
      const changed = await planEdits(draft, spec, place, there, listing, publications, read, signal);
      const call = buildCall(account_id, signal);
      if (isOnlyCopied || changed.length > 0)
        await planCopies(listings, draft, copies, listing.listing_pk, call);
    }
    return draft.finish();
  };

  /** With one call, if the inventory is read ahead and more of the listing is needed than comes with an inventory. */
  async function readPlace(
    shop: ShopRef,
    listing_id: number,
    parts: readonly SnapshotPart[],
    signal: AbortSignal,
    readInventory: (shop: ShopRef) => Promise<Inventory | undefined>,
  ): Promise<Partial<ListingSnapshot>> {
    const details = parts.filter((part) => part !== 'inventory');
    const inventory =
      details.length > 1 && parts.includes('inventory') ? await readInventory(shop) : undefined;
    if (!inventory) return readSnapshot(marketplace, shop, listing_id, parts, { signal });
    return { ...(await readSnapshot(marketplace, shop, listing_id, details, { signal })), inventory };
  }

  /** The changes of the batch in each shop of a listing; no issues and no change if there is nothing to do. */
  async function createChanges(
    { account_id, batch_id, spec }: BatchRecord,
    listing_pk: number,
    { edits, issues }: TakenEdits,
  ): Promise<(shop_id: number) => Change | { issues: readonly Issue[] }> {
    if (spec.kind !== 'sheet') {
      if (issues.length > 0) return () => ({ issues });
      const change: Change = {
        parts: listEditedParts(edits),
        apply: (place) => applyEdits(edits, place),
      };
      return () => change;
    }
    const sheet = await store.batches.findSheetEdits(account_id, batch_id, listing_pk);
    return (shop_id) => {
      const { cells, issues } = sheet.find((own) => own.shop_id === shop_id) ?? { cells: [], issues: [] };
      if (issues.length > 0 || cells.length === 0) return { issues };
      return { parts: listCellParts(cells), apply: (place) => applyCells(cells, place) };
    };
  }

  /** @returns the places that are not refused */
  async function planEdits(
    draft: Draft,
    { on_drift }: Exclude<BatchSpec, { kind: 'undo' }>,
    { overwrites = [] }: BatchPlace,
    there: readonly (There & { change: Change })[],
    listing: ListingRecord,
    publications: readonly Publication[],
    readParts: ReadPlace,
    signal: AbortSignal,
  ): Promise<Place[]> {
    const { account_id, listing_pk } = listing;
    const places: Place[] = [];
    for (const place of there) {
      const { shop, listing_id, change } = place;
      const { shop_id } = shop;
      const read = await readParts(place).catch((cause: unknown) => {
        if (!(cause instanceof MarketplaceError)) throw cause;
        draft.fail(shop_id, toCallFailed('read', cause, { operation: 'batch_create' }));
        return undefined;
      });
      if (!read) continue;
      const before = withLive(toShopRequest(listing.request, publications, shop_id), shop_id, read);
      const edited = change.apply({ shop, request: before });
      if (edited.issues.length > 0) draft.refuse(shop_id, edited.issues);
      else {
        places.push({ shop, listing_id, read, edited, view: { shop_id, before, after: edited.request } });
      }
    }
    const call = buildCall(account_id, signal);
    const read = new Map(places.map((place) => [place.shop.shop_id, place.read]));
    const batch: BatchPart = { read, onShown: (shop_id, diff) => draft.show(shop_id, diff) };
    const isReplaced = ({ shop }: Place) => overwrites.includes(shop.shop_id);
    const [replaced, others] = [places.filter(isReplaced), places.filter((one) => !isReplaced(one))];
    const changed = [
      ...(await planUpdates(draft, others, { listing_pk, on_drift }, { ...call, batch })),
      ...(await planUpdates(draft, replaced, { listing_pk, on_drift: 'overwrite' }, { ...call, batch })),
    ];
    await planSales(draft, changed, listing_pk, { ...call, batch: {} });
    return changed;
  }

  /** @returns the places that are not refused */
  async function planUpdates(
    draft: Draft,
    places: readonly Place[],
    { listing_pk, on_drift }: { listing_pk: number; on_drift: 'refuse' | 'overwrite' },
    call: Call,
  ): Promise<Place[]> {
    const calls = buildUpdateCalls(places.map(({ view }) => view));
    const asked = new Set(calls.flatMap(({ shop_ids }) => shop_ids));
    for (const { shop } of places) if (!asked.has(shop.shop_id)) draft.keep(shop.shop_id);
    const refused = new Set<number>();
    for (const { shop_ids, changes } of calls) {
      const own = places.filter(({ shop }) => shop_ids.includes(shop.shop_id));
      const input = { listing_pk, changes, shops: shop_ids, on_drift, dry_run: true };
      const outcome = await attempt(() => listings.update(input, call));
      if ('error' in outcome) {
        // One shop must not keep the others from being planned.
        if (own.length > 1) {
          const alone = await Promise.all(
            own.map((place) => planUpdates(draft, [place], { listing_pk, on_drift }, call)),
          );
          const left = new Set(alone.flat().map(({ shop }) => shop.shop_id));
          for (const { shop } of own) if (!left.has(shop.shop_id)) refused.add(shop.shop_id);
          continue;
        }
        for (const { shop } of own) {
          refused.add(shop.shop_id);
          draft.refuseFor(shop.shop_id, outcome.error);
        }
        continue;
      }
      const results = outcome.answer.shops ?? [];
      for (const { shop } of own) {
        const result = results.find(({ shop_id }) => shop_id === String(shop.shop_id));
        if (result?.error) {
          refused.add(shop.shop_id);
          draft.fail(shop.shop_id, result.error, result.details);
          continue;
        }
        if (result) draft.change(shop.shop_id, result);
        else draft.keep(shop.shop_id);
        draft.note(shop.shop_id, outcome.answer.warnings ?? [], result?.warnings ?? []);
      }
      const going = own.filter(({ shop }) =>
        results.some(({ shop_id, status }) => shop_id === String(shop.shop_id) && status === 'ok'),
      );
      for (const one of buildUpdateCalls(going.map(({ view }) => view))) {
        const hasAdded = going.some(
          ({ shop, edited }) => edited.addsStock && one.shop_ids.includes(shop.shop_id),
        );
        draft.add({
          op: 'update',
          ...one,
          ...(on_drift === 'overwrite' && { on_drift }),
          ...(hasAdded && { adds_stock: true }),
        });
      }
    }
    return places.filter(({ shop }) => !refused.has(shop.shop_id));
  }

  async function planSales(
    draft: Draft,
    places: readonly Place[],
    listing_pk: number,
    call: Call,
  ): Promise<void> {
    const groups = new Map<string, { own: Place[]; sale: Sale }>();
    for (const place of places) {
      const { sale } = place.edited;
      if (!sale) continue;
      const issue = findSaleIssue(place, sale);
      if (issue) {
        draft.refuse(place.shop.shop_id, [issue]);
        continue;
      }
      // Only a sold-out listing takes stock.
      const hasStock = sale.state === 'active' && isSoldOut(place);
      const asked: Sale = { listing_pk, state: sale.state, stock: hasStock ? sale.stock : undefined };
      const key = [asked.state, hasStock, asked.stock].join();
      groups.set(key, { own: [...(groups.get(key)?.own ?? []), place], sale: asked });
    }
    for (const { own, sale } of groups.values()) await planSale(draft, own, sale, call);
  }

  async function planSale(draft: Draft, places: readonly Place[], sale: Sale, call: Call): Promise<void> {
    const shop_ids = places.map(({ shop }) => shop.shop_id);
    const outcome = await attempt(() => listings.publish({ ...sale, shops: shop_ids, dry_run: true }, call));
    if ('error' in outcome) {
      // One shop must not keep the others from being planned.
      if (places.length > 1) for (const place of places) await planSale(draft, [place], sale, call);
      else for (const { shop } of places) draft.refuseFor(shop.shop_id, outcome.error);
      return;
    }
    const going = places.filter(({ shop, read }) =>
      draft.sell(shop.shop_id, sale.state, read.listing?.state ?? null, outcome.answer),
    );
    // Plans each shop individually: the fee of one is independent of that of another.
    const { state, stock } = sale;
    for (const { shop } of going) draft.add({ op: 'sale', shop_ids: [shop.shop_id], state, stock });
  }
}

function isSoldOut({ read }: Place): boolean {
  return read.listing?.state === 'sold_out';
}

function findSaleIssue(place: Place, { state, mixed_at }: NonNullable<Edited['sale']>): Issue | undefined {
  if (state !== 'active') return undefined;
  if (place.read.listing?.state === 'draft') return { code: 'item_is_draft', at: 'state', params: {} };
  if (mixed_at === undefined || !isSoldOut(place)) return undefined;
  return { code: 'sheet_stock_mixed', at: mixed_at, params: {} };
}
