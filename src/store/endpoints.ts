import type { WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { fromJson, toJson } from './json.js';
import { toBit } from './schema.js';
import type { SecretPlace, Secrets } from './secrets.js';

type EndpointTable = Pick<WebhookStore, 'findEndpoint' | 'saveEndpoint' | 'deleteEndpoint'>;

export function createEndpointTable(database: Database, secrets: Secrets): EndpointTable {
  return {
    async findEndpoint(account_id) {
      const row = await database.db
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('account_id', '=', account_id)
        .executeTakeFirst();
      if (!row) return undefined;
      const { previous_secret } = row;
      return {
        account_id,
        url: row.url,
        events: fromJson(row.events),
        is_enabled: row.is_enabled === 1,
        secret: secrets.unseal(row.secret, toPlace(account_id, 'secret')),
        previous_secret:
          previous_secret && secrets.unseal(previous_secret, toPlace(account_id, 'previous_secret')),
        previous_secret_expires_at: row.previous_secret_expires_at,
      };
    },
    async saveEndpoint(endpoint) {
      const { account_id, previous_secret } = endpoint;
      const values = {
        url: endpoint.url,
        events: toJson(endpoint.events),
        is_enabled: toBit(endpoint.is_enabled),
        secret: secrets.seal(endpoint.secret, toPlace(account_id, 'secret')),
        previous_secret:
          previous_secret === null
            ? null
            : secrets.seal(previous_secret, toPlace(account_id, 'previous_secret')),
        previous_secret_expires_at: endpoint.previous_secret_expires_at,
      };
      await database.write((trx) =>
        trx
          .insertInto('webhook_endpoints')
          .values({ account_id, ...values })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
          .execute(),
      );
    },
    async deleteEndpoint(account_id) {
      const result = await database.write((trx) =>
        trx.deleteFrom('webhook_endpoints').where('account_id', '=', account_id).executeTakeFirst(),
      );
      return result.numDeletedRows === 1n;
    },
  };
}

function toPlace(account_id: string, column: 'secret' | 'previous_secret'): SecretPlace {
  return { table: 'webhook_endpoints', row: [account_id], column };
}
