import { sql } from 'kysely';
import type { OrderStore } from '../core/ports/index.js';
import type { Database } from './database.js';

type OrderHintTable = Pick<
  OrderStore,
  'saveHint' | 'claimHint' | 'postponeHint' | 'finishHint' | 'findNextHintAt' | 'sweepHints'
>;

/** A taken hint has a time at which it is due again, so that one whose process died is taken up by the next. */
export function createOrderHintTable({ db, write }: Database): OrderHintTable {
  return {
    async saveHint(hint, now) {
      const result = await write((trx) =>
        trx
          .insertInto('order_hints')
          .values({ ...hint, received_at: now, attempt: 0, due_at: now, finished_at: null })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst(),
      );
      return result.numInsertedOrUpdatedRows === 1n;
    },
    claimHint: (now, until) =>
      write((trx) =>
        trx
          .updateTable('order_hints')
          .set({ due_at: until, attempt: sql<number>`attempt + 1` })
          .where('webhook_id', '=', (eb) =>
            eb
              .selectFrom('order_hints')
              .select('webhook_id')
              .where('due_at', '<=', now)
              .orderBy('due_at')
              .limit(1),
          )
          .returning(['webhook_id', 'shop_id', 'receipt_id', 'told', 'attempt', 'received_at'])
          .executeTakeFirst(),
      ),
    async postponeHint(webhook_id, due_at) {
      await write((trx) =>
        trx
          .updateTable('order_hints')
          .set({ due_at })
          .where('webhook_id', '=', webhook_id)
          .where('finished_at', 'is', null)
          .execute(),
      );
    },
    async finishHint(webhook_id, now) {
      await write((trx) =>
        trx
          .updateTable('order_hints')
          .set({ due_at: null, finished_at: now })
          .where('webhook_id', '=', webhook_id)
          .execute(),
      );
    },
    async findNextHintAt() {
      const row = await db
        .selectFrom('order_hints')
        .select('due_at')
        .where('due_at', 'is not', null)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      return row?.due_at ?? undefined;
    },
    async sweepHints(finished_before) {
      const result = await write((trx) =>
        trx.deleteFrom('order_hints').where('finished_at', '<', finished_before).executeTakeFirst(),
      );
      return Number(result.numDeletedRows);
    },
  };
}
