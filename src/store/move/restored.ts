import { sql } from 'kysely';
import { RELEASED } from '../engine/claims.js';
import type { Clock, Log } from '../../core/ports/index.js';
import { IS_RUNNING } from '../jobs/claims.js';
import { toNumber } from '../numbers.js';
import { openPostgresPlace } from '../engine/postgres/move_place.js';

/**
 * Says of a database on PostgreSQL that it was restored from a dump, so that what was in it is looked for before it is made or paid:
 * a dump itself cannot tell. On SQLite the copy has a mark; see takeRestore. Throws StoreError when something runs on the database.
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
      // The files may have come without the mark of the folder that they were in: the first start on the restore says where they are.
      await sql`DELETE FROM blob_folder`.execute(trx);
      return { listings: toNumber(listings) };
    });
  } finally {
    await place.close();
  }
}
