import type { OAuthStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

type OAuthClientRepository = Pick<OAuthStore, 'createClient' | 'findClient' | 'keepClient'>;

/** Clients register without any credential, so the table keeps itself small: see createClient. */
export function createOAuthClientRepository({ read, write, now }: Engine<Tables>): OAuthClientRepository {
  return {
    createClient: ({ life_ms, ...client }, max_unused) =>
      write(async (trx) => {
        const created_at = await now(trx);
        const created = { ...client, created_at, expires_at: shiftTime(created_at, life_ms) };
        await trx
          .deleteFrom('oauth_clients')
          .where('expires_at', '<=', created_at)
          .where('client_id', 'not in', (eb) => eb.selectFrom('grants').select('client_id'))
          .execute();
        await trx
          .insertInto('oauth_clients')
          .values({ ...created, redirect_uris: toJson(created.redirect_uris), is_used: 0 })
          .execute();
        const kept = trx
          .selectFrom('oauth_clients')
          .select('client_id')
          .where('is_used', '=', 0)
          .orderBy('created_at', 'desc')
          .orderBy('client_id')
          .limit(max_unused);
        await trx
          .deleteFrom('oauth_clients')
          .where('is_used', '=', 0)
          .where('client_id', 'not in', kept)
          .execute();
        return created;
      }),
    async findClient(client_id) {
      const row = await read((trx) =>
        trx
          .selectFrom('oauth_clients')
          .select(['client_id', 'name', 'redirect_uris', 'created_at', 'expires_at'])
          .where('client_id', '=', client_id)
          .executeTakeFirst(),
      );
      return row && { ...row, redirect_uris: fromJson(row.redirect_uris) };
    },
    async keepClient(client_id, life_ms) {
      await write(async (trx) =>
        trx
          .updateTable('oauth_clients')
          .set({ expires_at: shiftTime(await now(trx), life_ms), is_used: 1 })
          .where('client_id', '=', client_id)
          .execute(),
      );
    },
  };
}
