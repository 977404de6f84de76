import type { ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/** The first restored backup that had the listing already: changes of it after that backup may be unknown here. */
export function createBackupTimes({ read }: Engine<Tables>): Pick<ListingStore, 'findBackupTime'> {
  return {
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
  };
}
