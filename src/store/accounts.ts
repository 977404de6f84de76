import type { Account, AccountStore, Clock, Ids } from '../core/ports/index.js';
import type { Database } from './database.js';

const COLUMNS = ['account_id', 'name', 'created_at'] as const;
const DEFAULT_NAME = 'default';

type AccountTable = Pick<
  AccountStore,
  'getDefaultAccount' | 'findAccount' | 'listAccounts' | 'createAccount' | 'renameAccount'
>;

export function createAccountTable(database: Database, clock: Clock, ids: Ids): AccountTable {
  const { db } = database;
  const build = (name: string): Account => ({
    account_id: ids.build('acct_'),
    name,
    created_at: clock.now().toISOString(),
  });
  return {
    async getDefaultAccount() {
      const found = await db
        .selectFrom('accounts')
        .select(COLUMNS)
        .where('is_default', '=', 1)
        .executeTakeFirst();
      return found ?? (await createDefault(database, build(DEFAULT_NAME)));
    },
    findAccount: (account_id) =>
      db.selectFrom('accounts').select(COLUMNS).where('account_id', '=', account_id).executeTakeFirst(),
    listAccounts: () =>
      db.selectFrom('accounts').select(COLUMNS).orderBy('created_at').orderBy('account_id').execute(),
    async createAccount(name) {
      const account = build(name);
      await database.write((trx) =>
        trx
          .insertInto('accounts')
          .values({ ...account, is_default: 0 })
          .execute(),
      );
      return account;
    },
    async renameAccount(account_id, name) {
      await database.write((trx) =>
        trx.updateTable('accounts').set({ name }).where('account_id', '=', account_id).execute(),
      );
    },
  };
}

/** Of several processes that start at once the first one's account is kept, and all get it. */
function createDefault(database: Database, account: Account): Promise<Account> {
  return database.write(async (trx) => {
    await trx
      .insertInto('accounts')
      .values({ ...account, is_default: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return trx.selectFrom('accounts').select(COLUMNS).where('is_default', '=', 1).executeTakeFirstOrThrow();
  });
}
