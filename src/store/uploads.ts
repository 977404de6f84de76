import { sql } from 'kysely';
import type { UploadStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { prepareRequireQuota } from './usage.js';

type UploadTable = Pick<
  UploadStore,
  'createUpload' | 'deleteUpload' | 'findUpload' | 'listUploads' | 'deleteExpiredUploads' | 'listUnusedBlobs'
>;

/** `findUpload` answers expired ones too: a listing may still use the file. */
export function createUploadTable(database: Database): UploadTable {
  const findRow = database.prepareFirst(
    database.db
      .selectFrom('uploads')
      .selectAll()
      .where('account_id', '=', '')
      .where('upload_id', '=', '')
      .compile(),
  );
  const requireQuota = prepareRequireQuota(database);
  return {
    async createUpload(upload, most = { upload_bytes: Infinity }) {
      await database.write(async (trx) => {
        requireQuota(upload.account_id, { upload_bytes: upload.size_bytes }, most);
        await trx.insertInto('uploads').values(upload).execute();
      });
    },
    async deleteUpload(account_id, upload_id) {
      await database.write((trx) =>
        trx
          .deleteFrom('uploads')
          .where('account_id', '=', account_id)
          .where('upload_id', '=', upload_id)
          .execute(),
      );
    },
    findUpload: (account_id, upload_id) => findRow(account_id, upload_id),
    listUploads: (account_id, { limit, offset }) =>
      database.read(async (trx) => {
        const own = trx.selectFrom('uploads').where('account_id', '=', account_id);
        const { total } = await own
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        const items = await own
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('upload_id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        return { total, items };
      }),
    async deleteExpiredUploads(now) {
      const deleted = await database.write((trx) =>
        trx
          .deleteFrom('uploads')
          .where('expires_at', '<=', now)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('listings')
                  .select('listing_pk')
                  .whereRef('listings.account_id', '=', 'uploads.account_id')
                  .where(sql<boolean>`instr(listings.request, '://' || uploads.upload_id || '/') > 0`),
              ),
            ),
          )
          .executeTakeFirst(),
      );
      return Number(deleted.numDeletedRows);
    },
    async listUnusedBlobs(sha256s) {
      const unused: string[] = [];
      for (const sha256 of sha256s) if (!(await isUsed(database, sha256))) unused.push(sha256);
      return unused;
    },
  };
}

/** By an upload, or by the plan of a listing that some shop still waits for. */
async function isUsed({ db }: Database, sha256: string): Promise<boolean> {
  const upload = await db
    .selectFrom('uploads')
    .select('upload_id')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (upload) return true;
  const job = await db
    .selectFrom('jobs')
    .innerJoin('listings', (join) =>
      join
        .onRef('listings.account_id', '=', 'jobs.account_id')
        .onRef('listings.listing_pk', '=', 'jobs.listing_pk'),
    )
    .select('jobs.job_id')
    .where('listings.status', 'in', ['processing', 'incomplete'])
    .where(sql<boolean>`instr(jobs.plan, ${sha256}) > 0`)
    .executeTakeFirst();
  return job !== undefined;
}
