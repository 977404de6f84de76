import { QuotaError, type RetentionStore, type SheetStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';

export function createSheetRepository(engine: Engine<Tables>): SheetStore {
  const { read, write } = engine;
  return {
    createSheet: ({ life_ms, ...sheet }, most) =>
      write(async (trx) => {
        const { account_id } = sheet;
        await lockAccount(engine, trx, account_id);
        const now = await engine.now(trx);
        const { total } = await trx
          .selectFrom('sheets')
          .select((eb) => eb.fn.countAll().as('total'))
          .where('account_id', '=', account_id)
          .where('expires_at', '>', now)
          .executeTakeFirstOrThrow();
        if (toNumber(total) >= most.sheets) throw new QuotaError('sheets');
        return trx
          .insertInto('sheets')
          .values({ ...sheet, created_at: now, expires_at: shiftTime(now, life_ms) })
          .returningAll()
          .executeTakeFirstOrThrow();
      }),
    findSheet: (account_id, version) =>
      read(async (trx) =>
        trx
          .selectFrom('sheets')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('version', '=', version)
          .where('expires_at', '>', await engine.now(trx))
          .executeTakeFirst(),
      ),
  };
}

export function createSheetSweep({ write, now }: Engine<Tables>): Pick<RetentionStore, 'sweepSheets'> {
  return {
    sweepSheets: (limit) =>
      write(async (trx) => {
        const time = await now(trx);
        const { numDeletedRows } = await trx
          .deleteFrom('sheets')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('account_id', 'version'),
              'in',
              selectFrom('sheets')
                .select(['account_id', 'version'])
                .where('expires_at', '<=', time)
                .limit(limit)
                .$asTuple('account_id', 'version'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}
