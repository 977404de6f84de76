import type { Transaction } from 'kysely';
import { LeaseLostError, type OrderStore, type PollLease } from '../core/ports/index.js';
import { isPollDue } from '../core/orders/pace.js';
import type { Database } from './database.js';
import { fromJson } from './json.js';
import type { Presence } from './engine/sqlite/presence.js';
import type { Tables } from './schema.js';

type OrderPollTable = Pick<OrderStore, 'listPolls' | 'claimPoll' | 'renewPoll' | 'finishPoll'>;

/** Who looks at a shop's orders. An owner is one process, which looks at a shop once at a time; so its name is the fence. */
export function createOrderPollTable({ db, write }: Database, presence: Presence): OrderPollTable {
  return {
    async listPolls() {
      const rows = await db
        .selectFrom('shops')
        .innerJoin('shop_tokens', (join) =>
          join
            .onRef('shop_tokens.account_id', '=', 'shops.account_id')
            .onRef('shop_tokens.shop_id', '=', 'shops.shop_id'),
        )
        .leftJoin('order_polls', 'order_polls.shop_id', 'shops.shop_id')
        .select(['shops.shop_id', 'shop_tokens.scopes', 'order_polls.next_at', 'order_polls.interval_ms'])
        .where('shops.is_reconnect_required', '=', 0)
        .execute();
      const covered = rows.filter(({ scopes }) => fromJson(scopes).includes('transactions_r'));
      const polls = covered.map(({ shop_id, next_at, interval_ms }) => {
        return { shop_id, next_at, interval_ms: interval_ms ?? 0 };
      });
      return [...new Map(polls.map((poll) => [poll.shop_id, poll])).values()];
    },
    claimPoll({ shop_id, owner }, now, lease_expires_at) {
      presence.announce(owner);
      return write(async (trx) => {
        await trx
          .insertInto('order_polls')
          .values({
            shop_id,
            owner: null,
            lease_expires_at: null,
            next_at: null,
            interval_ms: 0,
            next_transit_at: null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const poll = await trx
          .selectFrom('order_polls')
          .selectAll()
          .where('shop_id', '=', shop_id)
          .executeTakeFirstOrThrow();
        const isHeld =
          poll.owner !== null && (poll.lease_expires_at ?? '') > now && presence.isPresent(poll.owner);
        if (isHeld || !isPollDue(poll, now)) return undefined;
        await trx
          .updateTable('order_polls')
          .set({ owner, lease_expires_at })
          .where('shop_id', '=', shop_id)
          .execute();
        return { interval_ms: poll.interval_ms, next_transit_at: poll.next_transit_at };
      });
    },
    renewPoll: (lease, lease_expires_at) =>
      write(async (trx) => {
        await requirePoll(trx, lease);
        await trx
          .updateTable('order_polls')
          .set({ lease_expires_at })
          .where('shop_id', '=', lease.shop_id)
          .execute();
      }),
    async finishPoll({ shop_id, owner }, next_at, state) {
      await write((trx) =>
        trx
          .updateTable('order_polls')
          .set({ ...state, next_at, owner: null, lease_expires_at: null })
          .where('shop_id', '=', shop_id)
          .where('owner', '=', owner)
          .execute(),
      );
    },
  };
}

/** Throws LeaseLostError when another process has the shop. */
export async function requirePoll(trx: Transaction<Tables>, { shop_id, owner }: PollLease): Promise<void> {
  const poll = await trx
    .selectFrom('order_polls')
    .select('shop_id')
    .where('shop_id', '=', shop_id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (!poll) throw new LeaseLostError(`Another process looks at the orders of shop ${shop_id}.`);
}
