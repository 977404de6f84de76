import type { Clock, ConnectRequestStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { fromJson, toJson } from './json.js';
import type { SecretPlace, Secrets } from './secrets.js';

/** How long one is remembered after its time, so that whoever comes back late is told what became of it. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** The state is the credential, so whoever comes back with it cannot name an account. */
export function createConnectRequestTable(
  database: Database,
  secrets: Secrets,
  clock: Clock,
): ConnectRequestStore {
  return {
    async createConnectRequest({ code_verifier, ...request }) {
      const forgotten = new Date(clock.now().getTime() - REMEMBERED_MS).toISOString();
      const sealed = secrets.seal(code_verifier, toPlace(request.state_sha256));
      await database.write(async (trx) => {
        await trx.deleteFrom('connect_requests').where('expires_at', '<=', forgotten).execute();
        await trx
          .insertInto('connect_requests')
          .values({ ...request, code_verifier: sealed, taken_at: null, outcome: null })
          .execute();
      });
    },
    async findConnectRequest(state_sha256) {
      const row = await database.db
        .selectFrom('connect_requests')
        .selectAll()
        .where('state_sha256', '=', state_sha256)
        .executeTakeFirst();
      if (!row) return undefined;
      const { code_verifier: _sealed, outcome, ...request } = row;
      return { ...request, outcome: outcome && fromJson(outcome) };
    },
    takeConnectRequest: (state_sha256, now) =>
      database.write(async (trx) => {
        const row = await trx
          .selectFrom('connect_requests')
          .selectAll()
          .where('state_sha256', '=', state_sha256)
          .where('taken_at', 'is', null)
          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (!row?.code_verifier) return undefined;
        await trx
          .updateTable('connect_requests')
          .set({ taken_at: now, code_verifier: null })
          .where('state_sha256', '=', state_sha256)
          .execute();
        const { taken_at: _taken, outcome: _outcome, code_verifier, ...request } = row;
        return { ...request, code_verifier: secrets.unseal(code_verifier, toPlace(state_sha256)) };
      }),
    async finishConnectRequest(account_id, state_sha256, outcome) {
      await database.write((trx) =>
        trx
          .updateTable('connect_requests')
          .set({ outcome: toJson(outcome) })
          .where('account_id', '=', account_id)
          .where('state_sha256', '=', state_sha256)
          .execute(),
      );
    },
  };
}

function toPlace(state_sha256: string): SecretPlace {
  return { table: 'connect_requests', row: [state_sha256], column: 'code_verifier' };
}
