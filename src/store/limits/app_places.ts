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
        const kept = await listTidy(trx, app, {
          from_ms: now_ms - REMEMBERED_MS,
          to_ms: now_ms + counted_ms,
        });
        const counted = kept.filter((free_at_ms) => free_at_ms > now_ms);
        // Sorted by when they are freed: with `room` or more counted, the call waits for the one whose end leaves fewer than `room`.
        const next_ms = counted[counted.length - room];
        if (next_ms !== undefined) return { wait_ms: next_ms - now_ms, ...limits };
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

/** When each of an application's places is freed, in order, once those are put right that are not within the two times. */
async function listTidy(
  trx: Transaction<RateTables>,
  app: string,
  { from_ms, to_ms }: { from_ms: number; to_ms: number },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('app_places')
    .select('free_at_ms')
    .where('app', '=', app)
    .orderBy('free_at_ms')
    .execute();
  const times = rows.map(({ free_at_ms }) => free_at_ms);
  const [first = to_ms, last = to_ms] = [times[0], times.at(-1)];
  if (first <= from_ms) {
    await trx.deleteFrom('app_places').where('app', '=', app).where('free_at_ms', '<=', from_ms).execute();
  }
  // A place that would be freed later than any call counts was written while the clock was ahead; left as it is, it would block calls
  // until the clock has caught up.
  if (last > to_ms) {
    await trx
      .updateTable('app_places')
      .set({ free_at_ms: to_ms })
      .where('app', '=', app)
      .where('free_at_ms', '>', to_ms)
      .execute();
  }
  return times.filter((time) => time > from_ms).map((time) => Math.min(time, to_ms));
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
