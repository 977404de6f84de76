import type { Replan } from '../operations/call.js';
import type { BatchPlace, Ports, SheetEdits } from '../ports/index.js';
import { eachItem } from './list_items.js';
import { buildUnknownBatch } from './refusals.js';

type HasRow = (listing_pk: number, shop_id: number) => boolean;

/** The rows of a plan that is made again, except those left out. Throws BATCH_NOT_FOUND. */
export async function readRows(
  store: Ports['store'],
  account_id: string,
  { batch_id, left_out }: Replan,
): Promise<HasRow> {
  const batch = await store.batches.findBatch(account_id, batch_id);
  if (!batch) throw buildUnknownBatch(batch_id);
  const rows = new Set<string>();
  for await (const { listing_pk, shop_id } of eachItem(store, batch)) rows.add(`${listing_pk} ${shop_id}`);
  for (const { listing_pk, shop_id } of left_out) rows.delete(`${listing_pk} ${shop_id}`);
  return (listing_pk, shop_id) => rows.has(`${listing_pk} ${shop_id}`);
}

/** Names the shops in which manual edits are replaced. */
export function withOverwrites(places: readonly BatchPlace[], replan: Replan | undefined): BatchPlace[] {
  return places.map((place) => {
    const own = (replan?.overwrites ?? []).filter(({ listing_pk }) => listing_pk === place.listing_pk);
    return own.length === 0 ? place : { ...place, overwrites: own.map(({ shop_id }) => shop_id) };
  });
}

export function keepPlaces(places: readonly BatchPlace[], hasRow: HasRow): BatchPlace[] {
  return places.flatMap(({ listing_pk, shop_ids = [] }) => {
    const kept = shop_ids.filter((shop_id) => hasRow(listing_pk, shop_id));
    return kept.length > 0 ? [{ listing_pk, shop_ids: kept }] : [];
  });
}

export function keepSheetEdits(
  edits: ReadonlyMap<number, SheetEdits[]>,
  hasRow: HasRow,
): Map<number, SheetEdits[]> {
  const kept = [...edits].map(
    ([listing_pk, own]) => [listing_pk, own.filter(({ shop_id }) => hasRow(listing_pk, shop_id))] as const,
  );
  return new Map(kept.filter(([, own]) => own.length > 0));
}
