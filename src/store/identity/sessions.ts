import type { SessionStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { hasLiveKey } from './live_key.js';

const SESSION = ['account_id', 'key_id', 'created_at', 'last_used_at', 'expires_at'] as const;
const LINK = ['account_id', 'expires_at'] as const;

/** Sessions and sign-in links. Those whose time is over are found until they are swept; a session of a key that ended is not. */
export function createSessionRepository({ read, write, now }: Engine<Tables>): SessionStore {
  return {
    async createSession(token_sha256, session) {
      await write(async (trx) => {
        await trx
          .deleteFrom('sessions')
          .where('expires_at', '<=', await now(trx))
          .execute();
        await trx
          .insertInto('sessions')
          .values({ token_sha256, ...session })
          .execute();
      });
    },
    async findSession(token_sha256) {
      const row = await read(async (trx) =>
        trx
          .selectFrom('sessions')
          .select(SESSION)
          .select((eb) =>
            eb
              .selectFrom('api_keys')
              .select('api_keys.is_read_only')
              .whereRef('api_keys.account_id', '=', 'sessions.account_id')
              .whereRef('api_keys.key_id', '=', 'sessions.key_id')
              .as('is_read_only'),
          )
          .where('token_sha256', '=', token_sha256)
          .where(hasLiveKey('sessions', await now(trx)))
          .executeTakeFirst(),
      );
      return row && { ...row, is_read_only: row.is_read_only === 1 };
    },
    async markSessionUsed(token_sha256) {
      await write(async (trx) =>
        trx
          .updateTable('sessions')
          .set({ last_used_at: await now(trx) })
          .where('token_sha256', '=', token_sha256)
          .execute(),
      );
    },
    async deleteSession(token_sha256) {
      await write((trx) => trx.deleteFrom('sessions').where('token_sha256', '=', token_sha256).execute());
    },
    async createSignInLink(token_sha256, link) {
      await write(async (trx) => {
        await trx
          .deleteFrom('sign_in_links')
          .where('expires_at', '<=', await now(trx))
          .execute();
        await trx
          .insertInto('sign_in_links')
          .values({ token_sha256, ...link })
          .execute();
      });
    },
    findSignInLink: (token_sha256) =>
      read((trx) =>
        trx
          .selectFrom('sign_in_links')
          .select(LINK)
          .where('token_sha256', '=', token_sha256)
          .executeTakeFirst(),
      ),
    takeSignInLink: (token_sha256) =>
      write(async (trx) =>
        trx
          .deleteFrom('sign_in_links')
          .where('token_sha256', '=', token_sha256)
          .where('expires_at', '>', await now(trx))
          .returning(LINK)
          .executeTakeFirst(),
      ),
  };
}
