import type { OAuthStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

type OAuthClientRepository = Pick<OAuthStore, 'createClient' | 'findClient' | 'keepClient'>;

/** Clients register without any credential, so the table keeps itself small: see createClient. */
export function createOAuthClientRepository({ read, write, now }: Engine<Tables>): OAuthClientRepository {
  return {
    async createClient(client, max_unused) {
      await write(async (trx) => {
        await trx
          .deleteFrom('oauth_clients')
          .where('expires_at', '<=', await now(trx))
          .where('client_id', 'not in', (eb) => eb.selectFrom('grants').select('client_id'))
          .execute();
        await trx
          .insertInto('oauth_clients')
          .values({ ...client, redirect_uris: toJson(client.redirect_uris), is_used: 0 })
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
      });
    },
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
    async keepClient(client_id, expires_at) {
      await write((trx) =>
        trx
          .updateTable('oauth_clients')
          .set({ expires_at, is_used: 1 })
          .where('client_id', '=', client_id)
          .execute(),
      );
    },
  };
}
