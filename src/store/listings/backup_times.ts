import type { ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/** Finds the time of the first restored backup that contains the listing: changes made to it after that time may be missing here. */
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
