import type { Transaction } from 'kysely';
import type { UploadStore } from '../../core/ports/index.js';
import { contains } from '../contains.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import type { Tables } from '../schema.js';
import { isNamed } from './named.js';
import { deleteUnnamed } from './unnamed.js';
import { addToTotals, takeFromTotals } from './totals.js';

type UploadRepository = Pick<
  UploadStore,
  | 'createUpload'
  | 'deleteUnusedUpload'
  | 'findUpload'
  | 'findUploads'
  | 'listUploads'
  | 'listUnusedBlobs'
  | 'keepFile'
>;

/** A change can be undone for this time. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

/** Also finds expired ones: a listing may still use the file. */
export function createUploadRepository(engine: Engine<Tables>): UploadRepository {
  const { read, write, now } = engine;
  return {
    createUpload: ({ life_ms, ...rest }, most = { upload_bytes: Infinity }) =>
      write(async (trx) => {
        const { account_id, upload_id } = rest;
        const created_at = await now(trx);
        const upload = { ...rest, created_at, expires_at: shiftTime(created_at, life_ms) };
        const before = await trx
          .deleteFrom('uploads')
          .where('account_id', '=', account_id)
          .where('upload_id', '=', upload_id)
          .returning('size_bytes')
          .executeTakeFirst();
        const created = await trx
          .insertInto('uploads')
          .values(upload)
          .onConflict((conflict) => conflict.columns(['account_id', 'upload_id']).doNothing())
          .returning('upload_id')
          .executeTakeFirst();
        if (before) await takeFromTotals(trx, account_id, before.size_bytes);
        if (created) await addToTotals(trx, upload, most.upload_bytes);
        return upload;
      }),
    deleteUnusedUpload: (account_id, upload_id) =>
      write(async (trx) => {
        // A request that is saved at the same time may name it.
        await lockAccount(engine, trx, account_id);
        if (await isOfChange(trx, account_id, upload_id)) return false;
        return (await deleteUnnamed(trx, account_id, [upload_id])) === 1;
      }),
    findUpload: (account_id, upload_id) =>
      read(async (trx) => {
        const upload = await trx
          .selectFrom('uploads')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('upload_id', '=', upload_id)
          .executeTakeFirst();
        return upload && { ...upload, is_expired: upload.expires_at <= (await now(trx)) };
      }),
    findUploads: (account_id, upload_ids) =>
      read((trx) =>
        trx
          .selectFrom('uploads')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('upload_id', 'in', upload_ids)
          .execute(),
      ),
    listUploads: (account_id, { limit, offset, is_used }) =>
      read(async (trx) => {
        const all = trx.selectFrom('uploads').where('account_id', '=', account_id);
        const own =
          is_used === undefined ? all : all.where((eb) => (is_used ? isNamed(eb) : eb.not(isNamed(eb))));
        const { total } = await own.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
        const items = await own
          .selectAll()
          .select((eb) => isNamed(eb).as('is_used'))
          .orderBy('created_at', 'desc')
          .orderBy('upload_id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        return {
          total: Number(total),
          items: items.map((item) => ({ ...item, is_used: Boolean(item.is_used) })),
        };
      }),
    async keepFile(account_id, sha256) {
      await write(async (trx) => {
        const keep_until = shiftTime(await now(trx), KEPT_MS);
        await trx
          .insertInto('kept_files')
          .values({ account_id, sha256, keep_until })
          .onConflict((conflict) => conflict.columns(['account_id', 'sha256']).doUpdateSet({ keep_until }))
          .execute();
      });
    },
    listUnusedBlobs: (sha256s) =>
      read(async (trx) => {
        const unused: string[] = [];
        for (const sha256 of sha256s) if (!(await isUsed(trx, sha256))) unused.push(sha256);
        return unused;
      }),
  };
}

/** Whether a change that can be undone names it: after the undo, the listing names it again. */
async function isOfChange(trx: Transaction<Tables>, account_id: string, upload_id: string): Promise<boolean> {
  const change = await trx
    .selectFrom('jobs')
    .select('job_id')
    .where('account_id', '=', account_id)
    .where(contains('request_change', `://${upload_id}/`))
    .executeTakeFirst();
  return change !== undefined;
}

/** By an upload, by a change that can be undone, or by the plan of a listing that some shop still waits for. */
async function isUsed(trx: Transaction<Tables>, sha256: string): Promise<boolean> {
  const upload = await trx
    .selectFrom('uploads')
    .select('upload_id')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (upload) return true;
  const kept = await trx
    .selectFrom('kept_files')
    .select('sha256')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (kept) return true;
  const job = await trx
    .selectFrom('jobs')
    .innerJoin('listings', (join) =>
      join
        .onRef('listings.account_id', '=', 'jobs.account_id')
        .onRef('listings.listing_pk', '=', 'jobs.listing_pk'),
    )
    .select('jobs.job_id')
    .where('listings.status', 'in', ['processing', 'incomplete'])
    .where(contains('jobs.plan', sha256))
    .executeTakeFirst();
  return job !== undefined;
}
