import { QuotaError, type SavedFilterStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';

export function createSavedFilterRepository(engine: Engine<Tables>): SavedFilterStore {
  const { read, write } = engine;
  return {
    listFilters: (account_id) =>
      read((trx) =>
        trx
          .selectFrom('saved_filters')
          .select(['account_id', 'name', 'query'])
          .where('account_id', '=', account_id)
          .orderBy('name')
          .execute(),
      ),
    async saveFilter(filter, { was = filter.name, saved_filters }) {
      const { account_id, name, query } = filter;
      await write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        await trx
          .deleteFrom('saved_filters')
          .where('account_id', '=', account_id)
          .where('name', 'in', [was, name])
          .execute();
        const { total } = await trx
          .selectFrom('saved_filters')
          .select((eb) => eb.fn.countAll().as('total'))
          .where('account_id', '=', account_id)
          .executeTakeFirstOrThrow();
        if (toNumber(total) >= saved_filters) throw new QuotaError('saved_filters');
        await trx.insertInto('saved_filters').values({ account_id, name, query }).execute();
      });
    },
    async deleteFilter(account_id, name) {
      await write((trx) =>
        trx
          .deleteFrom('saved_filters')
          .where('account_id', '=', account_id)
          .where('name', '=', name)
          .execute(),
      );
    },
  };
}
