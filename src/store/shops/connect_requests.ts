import type { ConnectRequestStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';
import type { SecretPlace, Secrets } from '../secrets/secrets.js';

/** How long one is remembered after its time, so that a seller who comes back late is told what became of it. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** The state is the credential, so a browser that comes back with it cannot name an account. */
export function createConnectRequestRepository(
  { read, write, now }: Engine<Tables>,
  secrets: Secrets,
): ConnectRequestStore {
  return {
    async createConnectRequest({ code_verifier, ...request }) {
      const sealed = secrets.seal(code_verifier, toPlace(request.state_sha256));
      await write(async (trx) => {
        const forgotten = shiftTime(await now(trx), -REMEMBERED_MS);
        await trx.deleteFrom('connect_requests').where('expires_at', '<=', forgotten).execute();
        await trx
          .insertInto('connect_requests')
          .values({ ...request, code_verifier: sealed, taken_at: null, outcome: null })
          .execute();
      });
    },
    async findConnectRequest(state_sha256) {
      const row = await read((trx) =>
        trx
          .selectFrom('connect_requests')
          .selectAll()
          .where('state_sha256', '=', state_sha256)
          .executeTakeFirst(),
      );
      if (!row) return undefined;
      const { code_verifier: _sealed, outcome, ...request } = row;
      return { ...request, outcome: outcome && fromJson(outcome) };
    },
    takeConnectRequest: (state_sha256) =>
      write(async (trx) => {
        const time = await now(trx);
        const row = await trx
          .selectFrom('connect_requests')
          .selectAll()
          .where('state_sha256', '=', state_sha256)
          .executeTakeFirst();
        if (!row?.code_verifier) return undefined;
        const { numUpdatedRows } = await trx
          .updateTable('connect_requests')
          .set({ taken_at: time, code_verifier: null })
          .where('state_sha256', '=', state_sha256)
          .where('taken_at', 'is', null)
          .where('expires_at', '>', time)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return undefined;
        const { taken_at: _taken, outcome: _outcome, code_verifier, ...request } = row;
        return { ...request, code_verifier: secrets.unseal(code_verifier, toPlace(state_sha256)) };
      }),
    async finishConnectRequest(account_id, state_sha256, outcome) {
      await write((trx) =>
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
