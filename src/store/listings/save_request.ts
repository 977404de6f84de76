import type { Transaction } from 'kysely';
import type { ListingRequest } from '../../../schemas/listing_request.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';
import { listNamedUploads, saveNamedUploads } from '../uploads/named.js';
import { listPublications } from './publications.js';
import { saveSearchRows } from './search_rows.js';
import { addToListingTotals } from './totals.js';

/** How long uploads are kept that a listing no longer names, so that a change can be undone. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

/**
 * Replaces the request of a listing, and returns the previous one. Call it with the account's row locked, and after saving
 * the shops' own changes in the publications, since these name uploads, too.
 */
export async function saveRequest(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
  request: ListingRequest,
): Promise<ListingRequest> {
  const now = await engine.now(trx);
  const before = await trx
    .selectFrom('listings')
    .select(['status', 'request'])
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .executeTakeFirstOrThrow();
  const text = toJson(request);
  await trx
    .updateTable('listings')
    .set({ request: text, title: request.listing.title, updated_at: now })
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .execute();
  await saveSearchRows(trx, { account_id, listing_pk }, request);
  const bytes = Buffer.byteLength(text) - Buffer.byteLength(before.request);
  await addToListingTotals(trx, account_id, before.status, { total: 0, bytes });
  await trx
    .deleteFrom('listing_uploads')
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .execute();
  const publications = await listPublications(trx, account_id, listing_pk);
  const named_in = text + toJson(publications.map(({ progress }) => progress.changes ?? {}));
  await saveNamedUploads(trx, { account_id, listing_pk, request: named_in });
  const named = new Set(listNamedUploads(named_in));
  const droppedUploads = listNamedUploads(before.request).filter((upload_id) => !named.has(upload_id));
  const keep_until = shiftTime(now, KEPT_MS);
  for (const upload_id of droppedUploads.toSorted()) {
    await trx
      .updateTable('uploads')
      .set({ expires_at: keep_until })
      .where('account_id', '=', account_id)
      .where('upload_id', '=', upload_id)
      .where('expires_at', '<', keep_until)
      .execute();
  }
  return fromJson(before.request);
}
