import type { Selectable, Transaction } from 'kysely';
import type { AccountStore, ApiKey, Log } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { toNumber } from '../numbers.js';
import { toBit } from '../tables/bit.js';
import type { Tables } from '../schema.js';
import { createNoteUse } from './last_used.js';

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

type ApiKeyRepository = Pick<
  AccountStore,
  'createKey' | 'listKeys' | 'findKeyByHash' | 'revokeKey' | 'countKeys'
>;

/** Keys are looked up by their hash, so the duration of a look-up reveals nothing. `countKeys` leaves revoked ones out. */
export function createApiKeyRepository(engine: Engine<Tables>, log: Log): ApiKeyRepository {
  const { read, write, now } = engine;
  const noteUse = createNoteUse(engine, log);
  return {
    createKey: ({ life_ms, made_with = null, ...key }) =>
      write(async (trx) => {
        const created_at = await now(trx);
        const maker =
          made_with === null ? UNLIMITED : await findMaker(trx, key.account_id, made_with, created_at);
        if (!maker) return undefined;
        const own_end = life_ms === null ? null : shiftTime(created_at, life_ms);
        const expires_at = [own_end, maker.expires_at].filter((end) => end !== null).toSorted()[0] ?? null;
        const row = await trx
          .insertInto('api_keys')
          .values({
            ...key,
            created_at,
            expires_at,
            is_read_only: toBit(key.is_read_only || maker.is_read_only === 1),
            last_used_at: null,
            revoked_at: null,
          })
          .returning(COLUMNS)
          .executeTakeFirstOrThrow();
        return toKey(row, created_at);
      }),
    listKeys: (account_id) =>
      read(async (trx) => {
        const time = await now(trx);
        const rows = await trx
          .selectFrom('api_keys')
          .select(COLUMNS)
          .where('account_id', '=', account_id)
          .orderBy('created_at')
          .orderBy('key_id')
          .execute();
        return rows.map((row) => toKey(row, time));
      }),
    async findKeyByHash(key_sha256) {
      const found = await read(async (trx) => {
        const row = await trx
          .selectFrom('api_keys')
          .select(COLUMNS)
          .where('key_sha256', '=', key_sha256)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        const at = await now(trx);
        return row && { key: toKey(row, at), at };
      });
      if (!found) return undefined;
      const { key, at } = found;
      const used = { id: key.key_id, before: key.last_used_at, at };
      const last_used_at = noteUse(used, (trx, due_before) =>
        trx
          .updateTable('api_keys')
          .set({ last_used_at: at })
          .where('account_id', '=', key.account_id)
          .where('key_id', '=', key.key_id)
          .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', due_before)]))
          .execute(),
      );
      return { ...key, last_used_at };
    },
    revokeKey: (account_id, key_id) =>
      write(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('api_keys')
          .set({ revoked_at: await now(trx) })
          .where('account_id', '=', account_id)
          .where('key_id', '=', key_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),
    async countKeys() {
      const { total } = await read((trx) =>
        trx
          .selectFrom('api_keys')
          .select((eb) => eb.fn.countAll().as('total'))
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow(),
      );
      return toNumber(total);
    },
  };
}

const UNLIMITED = { expires_at: null, is_read_only: 0 };

/** A key that works; undefined if it was revoked or has expired. */
function findMaker(trx: Transaction<Tables>, account_id: string, key_id: string, time: string) {
  return trx
    .selectFrom('api_keys')
    .select(['expires_at', 'is_read_only'])
    .where('account_id', '=', account_id)
    .where('key_id', '=', key_id)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', time)]))
    .executeTakeFirst();
}

function toKey(row: Pick<Selectable<Tables['api_keys']>, (typeof COLUMNS)[number]>, now: string): ApiKey {
  const isExpired = row.expires_at !== null && row.expires_at <= now;
  return { ...row, is_expired: isExpired, is_read_only: row.is_read_only === 1 };
}
