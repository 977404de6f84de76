import type { Clock, OAuthStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { LastUsed } from './last_used.js';
import { hasLiveKey } from './live_key.js';
import type { Tables } from './schema.js';

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

type GrantTable = Omit<OAuthStore, 'createClient' | 'findClient' | 'keepClient'>;
type Hash = keyof Tables['grants'] & `${string}_sha256`;

/** Grants are looked up by the hash of a secret, which tells nothing by how long the look-up takes. */
export function createGrantTable(database: Database, clock: Clock, last_used: LastUsed): GrantTable {
  const { db } = database;
  const getNow = () => clock.now().toISOString();
  const selectGrants = () => db.selectFrom('grants').select(COLUMNS).where(hasLiveKey('grants', getNow()));
  const findBy = (hash: Hash, sha256: string) => selectGrants().where(hash, '=', sha256).executeTakeFirst();

  return {
    async createGrant(grant) {
      await database.write(async (trx) => {
        await trx.deleteFrom('grants').where('expires_at', '<=', getNow()).execute();
        await trx
          .insertInto('grants')
          .values({ ...grant, activated_at: null, last_used_at: null, ...NO_TOKENS })
          .execute();
      });
    },
    async listGrants(account_id) {
      await last_used.flush();
      return selectGrants()
        .where('account_id', '=', account_id)
        .where('activated_at', 'is not', null)
        .where('expires_at', '>', getNow())
        .orderBy('created_at', 'desc')
        .orderBy('grant_id')
        .execute();
    },
    findGrantByCode: (code_sha256) => findBy('code_sha256', code_sha256),
    findGrantByFamily: (family_sha256) => findBy('family_sha256', family_sha256),
    async findGrantByAccess(access_sha256) {
      const grant = await selectGrants()
        .where('access_sha256', '=', access_sha256)
        .where('access_expires_at', '>', getNow())
        .executeTakeFirst();
      if (!grant) return undefined;
      const row = { account_id: grant.account_id, id: grant.grant_id };
      return { ...grant, last_used_at: last_used.note('grants', row, grant.last_used_at) };
    },
    async activateGrant({ account_id, grant_id }, tokens) {
      const result = await database.write((trx) =>
        trx
          .updateTable('grants')
          .set({ ...tokens, activated_at: getNow(), last_used_at: getNow() })
          .where('account_id', '=', account_id)
          .where('grant_id', '=', grant_id)
          .where('activated_at', 'is', null)
          .executeTakeFirst(),
      );
      return result.numUpdatedRows === 1n;
    },
    async rotateGrant({ account_id, grant_id }, refresh_sha256, tokens) {
      const result = await database.write((trx) =>
        trx
          .updateTable('grants')
          .set({ ...tokens, last_used_at: getNow() })
          .where('account_id', '=', account_id)
          .where('grant_id', '=', grant_id)
          .where('refresh_sha256', '=', refresh_sha256)
          .executeTakeFirst(),
      );
      return result.numUpdatedRows === 1n;
    },
    async endGrant(account_id, grant_id) {
      const result = await database.write((trx) =>
        trx
          .deleteFrom('grants')
          .where('account_id', '=', account_id)
          .where('grant_id', '=', grant_id)
          .executeTakeFirst(),
      );
      return result.numDeletedRows === 1n;
    },
  };
}

const NO_TOKENS = { access_sha256: null, access_expires_at: null, family_sha256: null, refresh_sha256: null };
