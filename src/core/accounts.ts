import { createHash } from 'node:crypto';
import { buildKey, isWellFormedKey } from './api_key.js';
import type { Account, ApiKey, Clock, Ids, Store } from './ports/index.js';

export type Accounts = {
  /** The account that stdio and the CLI act for. */
  getDefault(): Promise<Account>;
  list(): Promise<Account[]>;
  /** The account of a key, or undefined when the key is malformed, unknown or revoked. */
  authenticate(key: string): Promise<string | undefined>;
  /** The key itself, as `authenticate` looks it up. */
  findKey(key: string): Promise<ApiKey | undefined>;
  /** The key itself is returned here and never again. */
  createKey(account_id: string, name: string): Promise<{ key: string; key_id: string }>;
  listKeys(account_id: string): Promise<ApiKey[]>;
  revokeKey(account_id: string, key_id: string): Promise<boolean>;
  hasKeys(): Promise<boolean>;
};

export function createAccounts({ store, clock, ids }: { store: Store; clock: Clock; ids: Ids }): Accounts {
  const { accounts } = store;
  const findKey = async (key: string) =>
    isWellFormedKey(key) ? accounts.findKeyByHash(hashKey(key)) : undefined;
  return {
    getDefault: () => accounts.getDefaultAccount(),
    list: () => accounts.listAccounts(),
    authenticate: async (key) => (await findKey(key))?.account_id,
    findKey,
    async createKey(account_id, name) {
      const key = buildKey();
      const key_id = ids.build('key_');
      await accounts.createKey({
        key_id,
        account_id,
        name,
        prefix: key.slice(0, 8),
        key_sha256: hashKey(key),
        created_at: clock.now().toISOString(),
      });
      return { key, key_id };
    },
    listKeys: (account_id) => accounts.listKeys(account_id),
    revokeKey: (account_id, key_id) => accounts.revokeKey(account_id, key_id),
    hasKeys: async () => (await accounts.countKeys()) > 0,
  };
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
