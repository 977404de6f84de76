import type { Transaction } from 'kysely';
import type { ImportOutcome, ListingStore, NewImport, ImportProgress } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { requireClaim } from '../jobs/claims.js';
import { findRunning } from '../jobs/rows.js';
import { saveJobPart } from '../jobs/parts.js';
import { toJson } from '../json.js';
import type { Tables } from '../schema.js';
import { listNamedUploads, saveNamedUploads } from '../uploads/named.js';
import { savePublication, toPublicationRow } from './publications.js';
import { saveRequest } from './save_request.js';
import { saveSearchRows } from './search_rows.js';
import { mergeSnapshot } from './snapshots.js';
import { addToListingTotals, moveListing } from './totals.js';

/** Saves imported listings: those that were created on the marketplace and not by this service. */
export function createImports(engine: Engine<Tables>): Pick<ListingStore, 'saveImport'> {
  return {
    saveImport: (claim, imported) =>
      engine.write(async (trx) => {
        const { account_id } = claim;
        const { shop_id, listing_id, known, progress, snapshot, sighting, result } = imported;
        await lockAccount(engine, trx, account_id);
        await requireClaim(engine, trx, claim);
        const obstacle = known && (await findObstacle(trx, account_id, imported, known));
        if (obstacle) return obstacle;
        if (!(await areKept(trx, account_id, imported.media))) return { saved: false, reason: 'changed' };
        const listing_pk = known
          ? await refresh(trx, account_id, imported, known.listing_pk)
          : await insert(trx, account_id, imported);
        const row = toPublicationRow({ shop_id, listing_id, progress, sighting });
        await savePublication(engine, trx, claim, listing_pk, row);
        await mergeSnapshot(engine, trx, account_id, listing_pk, { shop_id, snapshot });
        const answered = { ...result, listing_pk };
        await saveJobPart(engine, trx, claim, {
          part_id: listing_id,
          progress: { result: answered } satisfies ImportProgress,
        });
        return { saved: true, result: answered };
      }),
  };

  async function refresh(
    trx: Transaction<Tables>,
    account_id: string,
    { request, warnings, status }: NewImport,
    listing_pk: number,
  ): Promise<number> {
    await saveRequest(engine, trx, account_id, listing_pk, request);
    await trx
      .updateTable('listings')
      .set({ warnings: toJson(warnings) })
      .where('account_id', '=', account_id)
      .where('listing_pk', '=', listing_pk)
      .execute();
    await moveListing(trx, account_id, listing_pk, { status, updated_at: await engine.now(trx) });
    return listing_pk;
  }

  async function insert(
    trx: Transaction<Tables>,
    account_id: string,
    { request, warnings, status }: NewImport,
  ): Promise<number> {
    const now = await engine.now(trx);
    const row = await trx
      .insertInto('listings')
      .values({
        account_id,
        title: request.listing.title,
        status,
        state: request.state ?? 'publish',
        request: toJson(request),
        warnings: toJson(warnings),
        job_id: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await saveNamedUploads(trx, row);
    await saveSearchRows(trx, row, request);
    await addToListingTotals(trx, account_id, status, { total: 1, bytes: Buffer.byteLength(row.request) });
    return row.listing_pk;
  }
}

/** Whether these files still exist. Those that the saved listing names stay from then on. */
async function areKept(
  trx: Transaction<Tables>,
  account_id: string,
  urls: readonly string[],
): Promise<boolean> {
  const ids = listNamedUploads(urls.join(' '));
  if (ids.length === 0) return true;
  const kept = await trx
    .selectFrom('uploads')
    .select('upload_id')
    .where('account_id', '=', account_id)
    .where('upload_id', 'in', ids)
    .execute();
  return kept.length === ids.length;
}

/**
 * Why an import must not be saved: a job runs for the listing, or the data that the import was decided on has changed.
 * Undefined if it can be saved.
 */
async function findObstacle(
  trx: Transaction<Tables>,
  account_id: string,
  { shop_id, listing_id }: NewImport,
  { listing_pk, updated_at }: NonNullable<NewImport['known']>,
): Promise<ImportOutcome | undefined> {
  const running = await findRunning(trx, account_id, listing_pk);
  if (running) return { saved: false, reason: 'busy', running };
  const same = await trx
    .selectFrom('listings')
    .select('listing_pk')
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('updated_at', '=', updated_at)
    .executeTakeFirst();
  const there = await trx
    .selectFrom('publications')
    .select('listing_id')
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('shop_id', '=', shop_id)
    .executeTakeFirst();
  const isOther = there !== undefined && there.listing_id !== listing_id;
  return same && !isOther ? undefined : { saved: false, reason: 'changed' };
}
