import type { Account, AccountStore, Ids } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

const COLUMNS = ['account_id', 'name', 'created_at'] as const;
const DEFAULT_NAME = 'default';

type AccountRepository = Pick<
  AccountStore,
  'getDefaultAccount' | 'listAccounts' | 'createAccount' | 'renameAccount'
>;

/** The accounts themselves; keys, shops and everything else that belongs to an account have their own repositories. */
export function createAccountRepository({ read, write, now }: Engine<Tables>, ids: Ids): AccountRepository {
  const build = (name: string, created_at: string): Account => ({
    account_id: ids.build('acct_'),
    name,
    created_at,
  });
  return {
    async getDefaultAccount() {
      const found = await read((trx) =>
        trx.selectFrom('accounts').select(COLUMNS).where('is_default', '=', 1).executeTakeFirst(),
      );
      return found ?? (await createDefault());
    },
    listAccounts: () =>
      read((trx) =>
        trx.selectFrom('accounts').select(COLUMNS).orderBy('created_at').orderBy('account_id').execute(),
      ),
    createAccount: (name) =>
      write(async (trx) => {
        const account = build(name, await now(trx));
        await trx
          .insertInto('accounts')
          .values({ ...account, is_default: 0 })
          .execute();
        return account;
      }),
    async renameAccount(account_id, name) {
      await write((trx) =>
        trx.updateTable('accounts').set({ name }).where('account_id', '=', account_id).execute(),
      );
    },
  };

  /**
   * Creates the default account. If several processes race, the first insert wins and all of them return that account.
   */
  function createDefault(): Promise<Account> {
    return write(async (trx) => {
      await trx
        .insertInto('accounts')
        .values({ ...build(DEFAULT_NAME, await now(trx)), is_default: 1 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return trx.selectFrom('accounts').select(COLUMNS).where('is_default', '=', 1).executeTakeFirstOrThrow();
    });
  }
}
