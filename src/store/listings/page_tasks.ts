import type { PageTaskRef, PageTaskStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

/** Work takes minutes at most, and refusals are returned for less: older rows are of no use. */
const ROW_KEPT_MS = 60 * 60 * 1000;

type Row = Pick<Tables['page_tasks'], 'instance' | 'error' | 'since'>;

export function createPageTaskRepository(engine: Engine<Tables>): PageTaskStore {
  const { read, write, instance } = engine;

  async function find({ account_id, listing_pk }: PageTaskRef) {
    return read(async (trx) => ({
      now: await engine.now(trx),
      row: await trx
        .selectFrom('page_tasks')
        .select(['instance', 'error', 'since'])
        .where('account_id', '=', account_id)
        .where('listing_pk', '=', listing_pk)
        .executeTakeFirst(),
    }));
  }

  async function isRunning({ error, since, instance: doer }: Row, now: string): Promise<boolean> {
    return error === null && since > shiftTime(now, -ROW_KEPT_MS) && (await engine.isAlive(doer));
  }

  return {
    async beginPageTask(ref) {
      const { row, now } = await find(ref);
      if (row && (await isRunning(row, now))) return false;
      return write(async (trx) => {
        const since = await engine.now(trx);
        await trx.deleteFrom('page_tasks').where('since', '<=', shiftTime(since, -ROW_KEPT_MS)).execute();
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('page_tasks')
          .columns(['account_id', 'listing_pk', 'instance', 'error', 'since'])
          .expression((eb) =>
            eb
              .selectFrom('listings')
              .select((of) => [
                'account_id',
                'listing_pk',
                of.val(instance).as('instance'),
                of.val(null).as('error'),
                of.val(since).as('since'),
              ])
              .where('account_id', '=', ref.account_id)
              .where('listing_pk', '=', ref.listing_pk),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['account_id', 'listing_pk'])
              .doUpdateSet({ instance, error: null, since })
              // Another task may have begun since the check.
              .where((eb) =>
                eb.or([
                  eb('page_tasks.error', 'is not', null),
                  ...(row ? [eb('page_tasks.since', '=', row.since)] : []),
                ]),
              ),
          )
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows === 1n;
      });
    },
    async endPageTask({ account_id, listing_pk }, error) {
      await write(async (trx) => {
        const since = await engine.now(trx);
        const isOwn = { account_id, listing_pk, instance };
        if (error) {
          await trx
            .updateTable('page_tasks')
            .set({ error: toJson(error), since })
            .where((eb) => eb.and(isOwn))
            .execute();
        } else {
          await trx
            .deleteFrom('page_tasks')
            .where((eb) => eb.and(isOwn))
            .execute();
        }
      });
    },
    async findPageTask(ref, refusal_ms) {
      const { row, now } = await find(ref);
      if (!row) return undefined;
      if (row.error !== null) {
        return row.since > shiftTime(now, -refusal_ms)
          ? { status: 'refused', error: fromJson(row.error) }
          : undefined;
      }
      return (await isRunning(row, now)) ? { status: 'running' } : undefined;
    },
  };
}
