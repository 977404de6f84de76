import type { SessionStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { hasLiveKey } from './live_key.js';

const SESSION = ['account_id', 'key_id', 'created_at', 'last_used_at', 'expires_at'] as const;
const LINK = ['account_id', 'expires_at'] as const;

/** Sessions and sign-in links. Does not find those that have expired, nor a session whose key has ended. */
export function createSessionRepository({ read, write, now }: Engine<Tables>): SessionStore {
  return {
    createSession: (token_sha256, { life_ms, ...session }) =>
      write(async (trx) => {
        const time = await now(trx);
        const expires_at = shiftTime(time, life_ms);
        const record = { ...session, created_at: time, last_used_at: time, expires_at };
        await trx.deleteFrom('sessions').where('expires_at', '<=', time).execute();
        await trx
          .insertInto('sessions')
          .values({ token_sha256, ...record })
          .execute();
        return record;
      }),
    findSession: (token_sha256, idle_ms) =>
      read(async (trx) => {
        const time = await now(trx);
        const row = await trx
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
          .where('expires_at', '>', time)
          .where('last_used_at', '>', shiftTime(time, -idle_ms))
          .where(hasLiveKey('sessions', time))
          .executeTakeFirst();
        const unused_ms = Date.parse(time) - Date.parse(row?.last_used_at ?? time);
        return row && { ...row, unused_ms, is_read_only: row.is_read_only === 1 };
      }),
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
    createSignInLink: (token_sha256, { account_id, life_ms }) =>
      write(async (trx) => {
        const time = await now(trx);
        const link = { account_id, expires_at: shiftTime(time, life_ms) };
        await trx.deleteFrom('sign_in_links').where('expires_at', '<=', time).execute();
        await trx
          .insertInto('sign_in_links')
          .values({ token_sha256, ...link })
          .execute();
        return link;
      }),
    findSignInLink: (token_sha256) =>
      read(async (trx) =>
        trx
          .selectFrom('sign_in_links')
          .select(LINK)
          .where('token_sha256', '=', token_sha256)
          .where('expires_at', '>', await now(trx))
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
