import type { Selectable } from 'kysely';
import type { AccountStore, ApiKey, Clock } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { LastUsed } from './last_used.js';
import { toBit, type Tables } from './schema.js';

const COLUMNS = [
  'key_id',
  'account_id',
  'name',
  'prefix',
  'created_at',
  'last_used_at',
  'revoked_at',
  'expires_at',
  'is_read_only',
] as const;

type ApiKeyTable = Pick<AccountStore, 'createKey' | 'listKeys' | 'findKeyByHash' | 'revokeKey' | 'countKeys'>;

/** Keys are looked up by their hash, which tells nothing by how long the look-up takes. `countKeys` leaves revoked ones out. */
export function createApiKeyTable(database: Database, clock: Clock, last_used: LastUsed): ApiKeyTable {
  const { db } = database;
  const findKey = database.prepareKept(
    db
      .selectFrom('api_keys')
      .select(COLUMNS)
      .where('key_sha256', '=', '')
      .where('revoked_at', 'is', null)
      .compile(),
    toKey,
  );
  return {
    async createKey(key) {
      await database.write((trx) =>
        trx
          .insertInto('api_keys')
          .values({ ...key, is_read_only: toBit(key.is_read_only), last_used_at: null, revoked_at: null })
          .execute(),
      );
    },
    async listKeys(account_id) {
      await last_used.flush();
      const rows = await db
        .selectFrom('api_keys')
        .select(COLUMNS)
        .where('account_id', '=', account_id)
        .orderBy('created_at')
        .orderBy('key_id')
        .execute();
      return rows.map(toKey);
    },
    async findKeyByHash(key_sha256) {
      const key = await findKey(key_sha256);
      if (!key) return undefined;
      const row = { account_id: key.account_id, id: key.key_id };
      const last_used_at = last_used.note('api_keys', row, key.last_used_at);
      return last_used_at === key.last_used_at ? key : { ...key, last_used_at };
    },
    async revokeKey(account_id, key_id) {
      const result = await database.write((trx) =>
        trx
          .updateTable('api_keys')
          .set({ revoked_at: clock.now().toISOString() })
          .where('account_id', '=', account_id)
          .where('key_id', '=', key_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst(),
      );
      await database.waitUntilSeen();
      return result.numUpdatedRows === 1n;
    },
    async countKeys() {
      const row = await db
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('revoked_at', 'is', null)
        .executeTakeFirstOrThrow();
      return row.total;
    },
  };
}

function toKey(row: Pick<Selectable<Tables['api_keys']>, (typeof COLUMNS)[number]>): ApiKey {
  return { ...row, is_read_only: row.is_read_only === 1 };
}
