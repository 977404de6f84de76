import type { Transaction } from 'kysely';
import type { GrantRecord, GrantTokens, Log, OAuthStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { createNoteUse } from './last_used.js';
import { hasLiveKey } from './live_key.js';

const COLUMNS = [
  'account_id',
  'grant_id',
  'client_id',
  'client_name',
  'redirect_uri',
  'code_challenge',
  'created_at',
  'activated_at',
  'last_used_at',
  'expires_at',
  'scope',
] as const;

type GrantRepository = Omit<OAuthStore, 'createClient' | 'findClient' | 'keepClient'>;

/**
 * OAuth grants. They are looked up by the hash of a secret, so that the duration of a look-up reveals nothing about the
 * secret.
 */
export function createGrantRepository(engine: Engine<Tables>, log: Log): GrantRepository {
  const { read, write, now } = engine;
  const noteUse = createNoteUse(engine, log);
  return {
    async createGrant({ life_ms, ...grant }) {
      await write(async (trx) => {
        const created_at = await now(trx);
        const expires_at = shiftTime(created_at, life_ms);
        await trx.deleteFrom('grants').where('expires_at', '<=', created_at).execute();
        await trx
          .insertInto('grants')
          .values({ ...grant, created_at, expires_at, activated_at: null, last_used_at: null, ...NO_TOKENS })
          .execute();
      });
    },
    listGrants: (account_id) =>
      read(async (trx) =>
        selectLive(trx, await now(trx))
          .where('account_id', '=', account_id)
          .where('activated_at', 'is not', null)
          .orderBy('created_at', 'desc')
          .orderBy('grant_id')
          .execute(),
      ),
    findGrantByCode: (code_sha256) => findBy('code_sha256', code_sha256),
    findGrantByFamily: (family_sha256) => findBy('family_sha256', family_sha256),
    async findGrantByAccess(access_sha256) {
      const found = await read(async (trx) => {
        const at = await now(trx);
        const grant = await selectLive(trx, at)
          .where('access_sha256', '=', access_sha256)
          .where('access_expires_at', '>', at)
          .executeTakeFirst();
        return grant && { grant, at };
      });
      if (!found) return undefined;
      const { grant, at } = found;
      const used = { id: grant.grant_id, before: grant.last_used_at, at };
      const last_used_at = noteUse(used, (trx, due_before) =>
        trx
          .updateTable('grants')
          .set({ last_used_at: at })
          .where('account_id', '=', grant.account_id)
          .where('grant_id', '=', grant.grant_id)
          .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', due_before)]))
          .execute(),
      );
      return { ...grant, last_used_at };
    },
    activateGrant: ({ account_id, grant_id }, { family_sha256, ...tokens }) =>
      write(async (trx) => {
        const time = await now(trx);
        const { numUpdatedRows } = await trx
          .updateTable('grants')
          .set({ ...toColumns(tokens, time), family_sha256, activated_at: time })
          .where('account_id', '=', account_id)
          .where('grant_id', '=', grant_id)
          .where('activated_at', 'is', null)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),
    rotateGrant: ({ account_id, grant_id }, refresh_sha256, tokens) =>
      write(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('grants')
          .set(toColumns(tokens, await now(trx)))
          .where('account_id', '=', account_id)
          .where('grant_id', '=', grant_id)
          .where('refresh_sha256', '=', refresh_sha256)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),
    endGrant: (account_id, grant_id) =>
      write(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('grants')
          .where('account_id', '=', account_id)
          .where('grant_id', '=', grant_id)
          .executeTakeFirst();
        return numDeletedRows === 1n;
      }),
  };

  function findBy(hash: 'code_sha256' | 'family_sha256', sha256: string): Promise<GrantRecord | undefined> {
    return read(async (trx) =>
      selectLive(trx, await now(trx))
        .where(hash, '=', sha256)
        .executeTakeFirst(),
    );
  }
}

function selectLive(trx: Transaction<Tables>, time: string) {
  return trx
    .selectFrom('grants')
    .select(COLUMNS)
    .where('expires_at', '>', time)
    .where(hasLiveKey('grants', time));
}

function toColumns({ access_life_ms, life_ms, ...hashes }: GrantTokens, time: string) {
  const access_expires_at = shiftTime(time, access_life_ms);
  return { ...hashes, access_expires_at, expires_at: shiftTime(time, life_ms), last_used_at: time };
}

const NO_TOKENS = { access_sha256: null, access_expires_at: null, family_sha256: null, refresh_sha256: null };
