import { sql, type SqlBool } from 'kysely';
import type { ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { toJob } from '../jobs/rows.js';
import type { Tables } from '../schema.js';

/** In the text of the query, so that the partial index is used. */
const IS_RESTORED = sql<SqlBool>`jobs.is_restored = 1`;

/** Restored backups: changes that were made after the backup may be missing here. */
export function createBackupTimes({
  read,
}: Engine<Tables>): Pick<ListingStore, 'findBackupTime' | 'listRestoredUpdates'> {
  return {
    /** Of the first backup that contains the listing. */
    async findBackupTime(listing_pk) {
      const row = await read((trx) =>
        trx
          .selectFrom('restores')
          .select('backed_up_at')
          .where('last_listing_pk', '>=', listing_pk)
          .orderBy('restore_id')
          .limit(1)
          .executeTakeFirst(),
      );
      return row?.backed_up_at;
    },
    async listRestoredUpdates(account_id, limit) {
      const rows = await read((trx) =>
        trx
          .selectFrom('jobs')
          .selectAll()
          .where('account_id', '=', account_id)
          .where(IS_RESTORED)
          .where('kind', '=', 'update')
          .where('completed_at', 'is not', null)
          .orderBy('completed_at', 'desc')
          .limit(limit)
          .execute(),
      );
      return rows.map(toJob).filter((job) => job.kind === 'update');
    },
  };
}
