import { sql } from 'kysely';
import type { Clock, SessionStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { hasLiveKey } from './live_key.js';
import type { Bit } from './schema.js';

const SESSION = ['account_id', 'key_id', 'created_at', 'last_used_at', 'expires_at'] as const;
const OF_READ_ONLY_KEY = sql<Bit>`EXISTS (
  SELECT 1 FROM api_keys
  WHERE api_keys.account_id = sessions.account_id AND api_keys.key_id = sessions.key_id AND api_keys.is_read_only = 1
)`;
const LINK = ['account_id', 'expires_at'] as const;

export function createSessionTables({ db, write }: Database, clock: Clock): SessionStore {
  return {
    async createSession(token_sha256, session) {
      await write(async (trx) => {
        await trx.deleteFrom('sessions').where('expires_at', '<=', session.created_at).execute();
        await trx
          .insertInto('sessions')
          .values({ token_sha256, ...session })
          .execute();
      });
    },
    async findSession(token_sha256) {
      const row = await db
        .selectFrom('sessions')
        .select(SESSION)
        .select(OF_READ_ONLY_KEY.as('is_read_only'))
        .where('token_sha256', '=', token_sha256)
        .where(hasLiveKey('sessions', clock.now().toISOString()))
        .executeTakeFirst();
      return row && { ...row, is_read_only: row.is_read_only === 1 };
    },
    async markSessionUsed(token_sha256, now) {
      await write((trx) =>
        trx
          .updateTable('sessions')
          .set({ last_used_at: now })
          .where('token_sha256', '=', token_sha256)
          .execute(),
      );
    },
    async deleteSession(token_sha256) {
      await write((trx) => trx.deleteFrom('sessions').where('token_sha256', '=', token_sha256).execute());
    },
    async createSignInLink(token_sha256, link, now) {
      await write(async (trx) => {
        await trx.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute();
        await trx
          .insertInto('sign_in_links')
          .values({ token_sha256, ...link })
          .execute();
      });
    },
    findSignInLink: (token_sha256) =>
      db.selectFrom('sign_in_links').select(LINK).where('token_sha256', '=', token_sha256).executeTakeFirst(),
    takeSignInLink: (token_sha256, now) =>
      write((trx) =>
        trx
          .deleteFrom('sign_in_links')
          .where('token_sha256', '=', token_sha256)
          .where('expires_at', '>', now)
          .returning(LINK)
          .executeTakeFirst(),
      ),
  };
}
