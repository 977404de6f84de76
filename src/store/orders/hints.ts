import type { OrderStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

type HintRepository = Pick<
  OrderStore,
  'saveHint' | 'claimHint' | 'postponeHint' | 'finishHint' | 'findNextHint' | 'sweepHints'
>;

/**
 * Hints: messages of the marketplace that name an order. Claiming one moves its due time ahead, so that it is due again if its
 * process dies. `attempt` counts the claims and is the fence: a process whose hint was claimed again changes nothing.
 */
export function createHintRepository(engine: Engine<Tables>): HintRepository {
  const { read, write } = engine;
  return {
    saveHint: (hint) =>
      write(async (trx) => {
        const now = await engine.now(trx);
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('order_hints')
          .values({ ...hint, received_at: now, attempt: 0, due_at: now, finished_at: null })
          .onConflict((conflict) => conflict.column('webhook_id').doNothing())
          .executeTakeFirstOrThrow();
        return Number(numInsertedOrUpdatedRows) === 1;
      }),
    claimHint: (for_ms) =>
      write(async (trx) => {
        const now = await engine.now(trx);
        const next = trx
          .selectFrom('order_hints')
          .select('webhook_id')
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .limit(1);
        const claimed = await trx
          .updateTable('order_hints')
          .set((eb) => ({ due_at: shiftTime(now, for_ms), attempt: eb('attempt', '+', 1) }))
          .where('webhook_id', 'in', engine.skipLocked(next))
          .where('due_at', '<=', now)
          .returning(['webhook_id', 'shop_id', 'receipt_id', 'told', 'attempt', 'received_at'])
          .executeTakeFirst();
        if (!claimed) return undefined;
        const { received_at, ...hint } = claimed;
        return { ...hint, age_ms: Date.parse(now) - Date.parse(received_at) };
      }),
    async postponeHint({ webhook_id, attempt }, pause_ms) {
      await write(async (trx) =>
        trx
          .updateTable('order_hints')
          .set({ due_at: shiftTime(await engine.now(trx), pause_ms) })
          .where('webhook_id', '=', webhook_id)
          .where('attempt', '=', attempt)
          .where('finished_at', 'is', null)
          .execute(),
      );
    },
    async finishHint({ webhook_id, attempt }) {
      await write(async (trx) =>
        trx
          .updateTable('order_hints')
          .set({ due_at: null, finished_at: await engine.now(trx) })
          .where('webhook_id', '=', webhook_id)
          .where('attempt', '=', attempt)
          .execute(),
      );
    },
    findNextHint: () =>
      read(async (trx) => {
        const { due_at } = await trx
          .selectFrom('order_hints')
          .select(({ fn }) => fn.min('due_at').as('due_at'))
          .where('due_at', 'is not', null)
          .executeTakeFirstOrThrow();
        if (due_at === null) return undefined;
        return Math.max(0, Date.parse(due_at) - Date.parse(await engine.now(trx)));
      }),
    async sweepHints(age_ms) {
      const { numDeletedRows } = await write(async (trx) =>
        trx
          .deleteFrom('order_hints')
          .where('finished_at', '<', shiftTime(await engine.now(trx), -age_ms))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}
