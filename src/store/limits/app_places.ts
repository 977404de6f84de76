import type { Transaction } from 'kysely';
import type { AppLimitStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { toNumber } from '../numbers.js';
import type { RateTables } from './schema.js';

/** How long a freed place is kept: countAppPlaces is asked how many there were up to this long ago. */
const REMEMBERED_MS = 1_000;

/**
 * The calls to the marketplace that count towards the per-second limit of an application's key, over all instances: a row for each.
 * All times are of the store's clock, since the instances' clocks differ.
 */
export function createAppPlaceRepository({
  read,
  write,
  now,
}: Engine<RateTables>): Pick<AppLimitStore, 'takeAppPlace' | 'freeAppPlace' | 'countAppPlaces'> {
  return {
    takeAppPlace: (app, place_id, { room, counted_ms }) =>
      write(async (trx) => {
        const limits = await trx
          .insertInto('app_limits')
          .values({ app, read_at_ms: 0, held_until_ms: 0, held_at_ms: 0 })
          // Locks the row, so that the application's places are counted and taken by one transaction at a time.
          .onConflict((conflict) => conflict.column('app').doUpdateSet({ app }))
          .returning(['remaining_today', 'read_at_ms'])
          .executeTakeFirstOrThrow();
        const now_ms = Date.parse(await now(trx));
        await trx
          .deleteFrom('app_places')
          .where('app', '=', app)
          .where('free_at_ms', '<=', now_ms - REMEMBERED_MS)
          .execute();
        // A place that would be freed later than any call counts was written while the clock was ahead; left as it is, it would block
        // calls until the clock has caught up.
        await trx
          .updateTable('app_places')
          .set({ free_at_ms: now_ms + counted_ms })
          .where('app', '=', app)
          .where('free_at_ms', '>', now_ms + counted_ms)
          .execute();
        const counted = await trx
          .selectFrom('app_places')
          .select('free_at_ms')
          .where('app', '=', app)
          .where('free_at_ms', '>', now_ms)
          .orderBy('free_at_ms')
          .execute();
        // Sorted by when they are freed: with `room` or more counted, the call waits for the one whose end leaves fewer than `room`.
        const next = counted[counted.length - room];
        if (next) return { wait_ms: next.free_at_ms - now_ms, ...limits };
        await trx
          .insertInto('app_places')
          .values({ app, place_id, free_at_ms: now_ms + counted_ms })
          .execute();
        const remaining_today = await decrementRemainingToday(trx, app, limits.remaining_today);
        return { ...limits, wait_ms: 0, remaining_today };
      }),
    async freeAppPlace(app, place_id, in_ms) {
      await write(async (trx) => {
        const free_at_ms = Date.parse(await now(trx)) + Math.ceil(in_ms);
        await trx
          .updateTable('app_places')
          .set({ free_at_ms })
          .where('app', '=', app)
          .where('place_id', '=', place_id)
          .where('free_at_ms', '>', free_at_ms)
          .execute();
      });
    },
    countAppPlaces: (app, ago_ms) =>
      read(async (trx) => {
        const { count } = await trx
          .selectFrom('app_places')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('app', '=', app)
          .where('free_at_ms', '>', Date.parse(await now(trx)) - ago_ms)
          .executeTakeFirstOrThrow();
        return toNumber(count);
      }),
  };
}

async function decrementRemainingToday(
  trx: Transaction<RateTables>,
  app: string,
  remaining_today: number | null,
): Promise<number | null> {
  if (remaining_today === null || remaining_today === 0) return remaining_today;
  await trx
    .updateTable('app_limits')
    .set({ remaining_today: remaining_today - 1 })
    .where('app', '=', app)
    .execute();
  return remaining_today - 1;
}
