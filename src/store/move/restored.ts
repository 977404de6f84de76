import { sql } from 'kysely';
import { RELEASED } from '../engine/claims.js';
import type { Clock, Log } from '../../core/ports/index.js';
import { IS_RUNNING } from '../jobs/claims.js';
import { toNumber } from '../numbers.js';
import { openPostgresPlace } from '../engine/postgres/move_place.js';

/**
 * Marks a PostgreSQL database as restored from a dump, so that jobs search the marketplace for the results of earlier work
 * before they create or pay for anything: a dump itself carries no mark. On SQLite the copy has one; see takeRestore. Throws
 * StoreError if something runs on the database.
 *
 * @param options `dumped_at`: when the dump was begun, or earlier
 */
export async function markRestored(options: {
  url: string;
  dumped_at: Date;
  /** Of this process. */
  move_id: string;
  clock: Clock;
  log: Log;
}): Promise<{ listings: number }> {
  const place = await openPostgresPlace(options);
  try {
    await place.checkAlone();
    return await place.service.write(async (trx) => {
      const { last, listings } = await trx
        .selectFrom('listings')
        .select(({ fn }) => [fn.max('listing_pk').as('last'), fn.countAll().as('listings')])
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('restores')
        .values({
          backed_up_at: options.dumped_at.toISOString(),
          restored_at: options.clock.now().toISOString(),
          last_listing_pk: toNumber(last),
        })
        .execute();
      // Its instances ended with the database that it was copied from.
      await trx
        .updateTable('jobs')
        .set({ ...RELEASED, is_restored: 1 })
        .where(IS_RUNNING)
        .execute();
      // The files may have come without the mark of their former folder: the first start on the restored database records
      // where they are.
      await sql`DELETE FROM blob_folder`.execute(trx);
      return { listings: toNumber(listings) };
    });
  } finally {
    await place.close();
  }
}
