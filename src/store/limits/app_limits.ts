import type { AppLimitStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { RateTables } from './schema.js';

/** Stored with the counters, which need not survive a power loss: the marketplace's next answer reports its limits again. */
export function createAppLimitRepository({ write, now }: Engine<RateTables>): AppLimitStore {
  return {
    changeBucket: (app, change) =>
      write(async (trx) => {
        const { slots, ...limits } = await trx
          .insertInto('app_limits')
          .values({ app, read_at_ms: 0, held_until_ms: 0, held_at_ms: 0, slots: toJson([]) })
          // Locks the row, so that one transaction at a time changes it.
          .onConflict((conflict) => conflict.column('app').doUpdateSet({ app }))
          .returning([
            'per_second',
            'per_day',
            'remaining_today',
            'read_at_ms',
            'held_until_ms',
            'held_at_ms',
            'slots',
          ])
          .executeTakeFirstOrThrow();
        // The clock is read once the row is locked: until then, another instance may have changed it.
        const now_ms = Date.parse(await now(trx));
        const changed = change({ ...limits, slots: fromJson(slots) }, now_ms);
        await trx
          .updateTable('app_limits')
          .set({ ...changed.bucket, slots: toJson(changed.bucket.slots) })
          .where('app', '=', app)
          .execute();
        return changed;
      }),
  };
}
