import type { AppLimitStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { createAppPlaceRepository } from './app_places.js';
import type { RateTables } from './schema.js';

/** With the counters: what the marketplace says of its limits is said again by its next answer. */
export function createAppLimitRepository(engine: Engine<RateTables>): AppLimitStore {
  const { read, write } = engine;
  return {
    ...createAppPlaceRepository(engine),
    findAppLimits: (app) =>
      read((trx) =>
        trx
          .selectFrom('app_limits')
          .select(['per_second', 'per_day', 'remaining_today', 'read_at_ms', 'held_until_ms', 'held_at_ms'])
          .where('app', '=', app)
          .executeTakeFirst(),
      ),
    async saveAppLimits(app, { held_until_ms, held_at_ms, ...reading }, now_ms) {
      const hold = { held_until_ms, held_at_ms };
      await write(async (trx) => {
        await trx
          .insertInto('app_limits')
          .values({ app, ...reading, ...hold })
          .onConflict((conflict) =>
            conflict
              .column('app')
              .doUpdateSet(reading)
              .where((eb) =>
                eb.or([
                  eb('app_limits.read_at_ms', '<=', reading.read_at_ms),
                  eb('app_limits.read_at_ms', '>', now_ms),
                ]),
              ),
          )
          .execute();
        await trx
          .updateTable('app_limits')
          .set(hold)
          .where('app', '=', app)
          .where((eb) => eb.or([eb('held_until_ms', '<', held_until_ms), eb('held_at_ms', '>', now_ms)]))
          .execute();
      });
    },
  };
}
