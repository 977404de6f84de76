import type { ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { toJob } from '../jobs/rows.js';
import type { Tables } from '../schema.js';

/** Restored backups: changes that were made after the backup may be missing here. */
export function createBackupTimes({
  read,
}: Engine<Tables>): Pick<ListingStore, 'findBackupTime' | 'isRestoredSince' | 'listRestoredUpdates'> {
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
    async isRestoredSince(time) {
      const row = await read((trx) =>
        trx
          .selectFrom('restores')
          .select('restore_id')
          .where('restored_at', '>=', time)
          .limit(1)
          .executeTakeFirst(),
      );
      return row !== undefined;
    },
    async listRestoredUpdates(account_id, limit) {
      const rows = await read(async (trx) => {
        const last = await trx
          .selectFrom('restores')
          .select('restored_at')
          .orderBy('restore_id', 'desc')
          .limit(1)
          .executeTakeFirst();
        if (!last) return [];
        return trx
          .selectFrom('jobs')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('kind', '=', 'update')
          .where('created_at', '<=', last.restored_at)
          .where('completed_at', '>=', last.restored_at)
          .orderBy('completed_at', 'desc')
          .limit(limit)
          .execute();
      });
      return rows.map(toJob).filter((job) => job.kind === 'update');
    },
  };
}
