import type { Transaction } from 'kysely';
import type { OrderStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { fromJson } from '../json.js';
import type { Tables } from '../schema.js';
import { requirePoll, SCOPE } from './polls.js';

type WatchRepository = Pick<OrderStore, 'listWatches' | 'saveHeardUntil' | 'listUnwatchable'>;

/**
 * Reads the watches on shops' orders, and saves until when the changes for each have been recorded. Saving a shop inserts its
 * watch, and deleting the shop deletes it.
 */
export function createWatchRepository(engine: Engine<Tables>): WatchRepository {
  const { read, write } = engine;
  return {
    async listWatches(shop_id) {
      const rows = await read((trx) =>
        listConnections(trx)
          .innerJoin('order_watches', (join) =>
            join
              .onRef('order_watches.account_id', '=', 'shops.account_id')
              .onRef('order_watches.shop_id', '=', 'shops.shop_id'),
          )
          .select(['order_watches.since', 'order_watches.heard_until_s', 'shops.details'])
          .where('shops.shop_id', '=', shop_id)
          .where('shops.is_reconnect_required', '=', 0)
          .orderBy('shops.account_id')
          .execute(),
      );
      return rows.flatMap(({ scopes, details, since, account_id, heard_until_s }) => {
        if (!scopes || !fromJson(scopes).includes(SCOPE)) return [];
        const { shop_name, currency_code } = fromJson(details);
        return [{ account_id, shop_id, since, heard_until_s, shop_name, currency_code }];
      });
    },
    async saveHeardUntil(claim, watches, heard_until_s, latest_s) {
      const account_ids = watches.map(({ account_id }) => account_id);
      await write(async (trx) => {
        await requirePoll(engine, trx, claim);
        await trx
          .updateTable('order_watches')
          .set({ heard_until_s })
          .where('shop_id', '=', claim.shop_id)
          .where('account_id', 'in', account_ids)
          .where((eb) =>
            eb.or([
              eb('heard_until_s', 'is', null),
              eb('heard_until_s', '<', heard_until_s),
              eb('heard_until_s', '>', latest_s),
            ]),
          )
          .execute();
      });
    },
    async listUnwatchable(account_id) {
      const rows = await read((trx) =>
        listConnections(trx)
          .select('shops.is_reconnect_required')
          .$if(account_id !== undefined, (query) => query.where('shops.account_id', '=', account_id ?? ''))
          .execute(),
      );
      return rows.flatMap(({ account_id, shop_id, scopes, is_reconnect_required }) => {
        const isAlive = scopes !== null && is_reconnect_required === 0;
        if (isAlive && fromJson(scopes).includes(SCOPE)) return [];
        return { account_id, shop_id, reason: isAlive ? 'scope' : 'reconnect' } as const;
      });
    },
  };
}

/** Connected shops of all accounts, with what their grant covers. */
function listConnections(trx: Transaction<Tables>) {
  return trx
    .selectFrom('shops')
    .leftJoin('shop_tokens', (join) =>
      join
        .onRef('shop_tokens.account_id', '=', 'shops.account_id')
        .onRef('shop_tokens.shop_id', '=', 'shops.shop_id'),
    )
    .select(['shops.account_id', 'shops.shop_id', 'shop_tokens.scopes']);
}
