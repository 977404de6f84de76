import type { Transaction } from 'kysely';
import { ClaimLostError, type OrderStore, type PollClaim } from '../../core/ports/index.js';
import { getDueIn, isDue, isFree, listGone, RELEASED, toClaimed } from '../engine/claims.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson } from '../json.js';
import type { Tables } from '../schema.js';

type PollRepository = Pick<OrderStore, 'listPolls' | 'claimPoll' | 'renewPoll' | 'finishPoll'>;

/** The scope that tokens need for reading orders. */
export const SCOPE = 'transactions_r';

/** Which process polls a shop's orders. */
export function createPollRepository(engine: Engine<Tables>): PollRepository {
  const { read, write } = engine;

  return {
    listPolls: () =>
      read(async (trx) => {
        const rows = await trx
          .selectFrom('shops')
          .innerJoin('shop_tokens', (join) =>
            join
              .onRef('shop_tokens.account_id', '=', 'shops.account_id')
              .onRef('shop_tokens.shop_id', '=', 'shops.shop_id'),
          )
          .leftJoin('order_polls', 'order_polls.shop_id', 'shops.shop_id')
          .select([
            'shops.account_id',
            'shops.shop_id',
            'shop_tokens.scopes',
            'shop_tokens.keystring',
            'order_polls.next_at',
            'order_polls.looked_at',
          ])
          .where('shops.is_reconnect_required', '=', 0)
          // Of several accounts, the first is asked: see listWatches.
          .orderBy('shops.account_id', 'desc')
          .execute();
        const covered = rows.filter(({ scopes }) => fromJson(scopes).includes(SCOPE));
        const now = await engine.now(trx);
        const polls = covered.map(({ account_id, shop_id, keystring, ...times }) => ({
          account_id,
          shop_id,
          keystring,
          due_in_ms: getDueIn(times, now),
        }));
        return [...new Map(polls.map((poll) => [poll.shop_id, poll])).values()];
      }),
    async claimPoll(shop_id, for_ms) {
      const poll = await read((trx) =>
        trx.selectFrom('order_polls').select('claimed_by').where('shop_id', '=', shop_id).executeTakeFirst(),
      );
      const gone = await listGone(engine, [poll?.claimed_by]);
      return write(async (trx) => {
        await addPoll(trx, shop_id);
        const now = await engine.now(trx);
        const claimed = await trx
          .updateTable('order_polls')
          .set(toClaimed(engine, now, for_ms))
          .where('shop_id', '=', shop_id)
          .where(isFree(now, gone))
          .where(isDue(now))
          .returning(['fence', 'interval_ms', 'next_transit_at'])
          .executeTakeFirst();
        if (!claimed) return undefined;
        const { fence, ...state } = claimed;
        return { shop_id, fence, state };
      });
    },
    renewPoll: (claim, for_ms) =>
      write(async (trx) => {
        await requirePoll(engine, trx, claim);
        await trx
          .updateTable('order_polls')
          .set({ claimed_until: shiftTime(await engine.now(trx), for_ms) })
          .where('shop_id', '=', claim.shop_id)
          .execute();
      }),
    async finishPoll({ shop_id, fence }, pause_ms, state) {
      await write(async (trx) => {
        const now = await engine.now(trx);
        await trx
          .updateTable('order_polls')
          .set({
            ...state,
            next_at: shiftTime(now, pause_ms),
            looked_at: now,
            ...RELEASED,
          })
          .where('shop_id', '=', shop_id)
          .where('fence', '=', fence)
          .execute();
      });
    },
  };
}

async function addPoll(trx: Transaction<Tables>, shop_id: number): Promise<void> {
  await trx
    .insertInto('order_polls')
    .values({
      shop_id,
      ...RELEASED,
      next_at: null,
      interval_ms: 0,
      next_transit_at: null,
      fence: 0,
      looked_at: null,
    })
    .onConflict((conflict) => conflict.column('shop_id').doNothing())
    .execute();
}

/** Locks its row until the transaction ends. Throws ClaimLostError if another process has the shop. */
export async function requirePoll(
  { lockRows }: Pick<Engine<Tables>, 'lockRows'>,
  trx: Transaction<Tables>,
  { shop_id, fence }: PollClaim,
): Promise<void> {
  const poll = await lockRows(
    trx.selectFrom('order_polls').select('shop_id').where('shop_id', '=', shop_id).where('fence', '=', fence),
  ).executeTakeFirst();
  if (!poll) throw new ClaimLostError(`Another process polls the orders of shop ${shop_id}.`);
}
