import type { SessionStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { hasLiveKey } from './live_key.js';

const SESSION = ['account_id', 'key_id', 'created_at', 'last_used_at', 'expires_at'] as const;
const LINK = ['account_id', 'expires_at'] as const;

export function createSessionTables({ db, write }: Database): SessionStore {
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
    findSession: (token_sha256) =>
      db
        .selectFrom('sessions')
        .select(SESSION)
        .where('token_sha256', '=', token_sha256)
        .where(hasLiveKey('sessions'))
        .executeTakeFirst(),
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
