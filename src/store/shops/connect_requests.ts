import type { ConnectRequestStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';
import type { SecretPlace, Secrets } from '../secrets/secrets.js';

/** How long a request is kept after it expired, so that a seller who comes back late sees its outcome. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** The state is the credential, so a browser that comes back with it cannot name an account. */
export function createConnectRequestRepository(
  { read, write, now }: Engine<Tables>,
  secrets: Secrets,
): ConnectRequestStore {
  return {
    async createConnectRequest({ code_verifier, brought, life_ms, ...request }) {
      const seal = (column: SealedColumn, text: string): Buffer =>
        secrets.seal(text, toPlace(request.state_sha256, column));
      const sealed = {
        code_verifier: seal('code_verifier', code_verifier),
        shared_secret: brought && seal('shared_secret', brought.shared_secret),
        webhook_secret:
          brought?.webhook_secret == null ? null : seal('webhook_secret', brought.webhook_secret),
      };
      return write(async (trx) => {
        const time = await now(trx);
        const expires_at = shiftTime(time, life_ms);
        const forgotten = shiftTime(time, -REMEMBERED_MS);
        await trx.deleteFrom('connect_requests').where('expires_at', '<=', forgotten).execute();
        await trx.updateTable('connect_requests').set(UNSEALED).where('expires_at', '<=', time).execute();
        await trx
          .insertInto('connect_requests')
          .values({ ...request, ...sealed, expires_at, taken_at: null, outcome: null })
          .execute();
        return { expires_at };
      });
    },
    async findConnectRequest(state_sha256) {
      const { row, time } = await read(async (trx) => ({
        time: await now(trx),
        row: await trx
          .selectFrom('connect_requests')
          .selectAll()
          .where('state_sha256', '=', state_sha256)
          .executeTakeFirst(),
      }));
      if (!row) return undefined;
      const { code_verifier: _v, shared_secret: _s, webhook_secret: _w, outcome, ...request } = row;
      return { ...request, is_expired: row.expires_at <= time, outcome: outcome && fromJson(outcome) };
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
          .set({ taken_at: time, ...UNSEALED })
          .where('state_sha256', '=', state_sha256)
          .where('taken_at', 'is', null)
          .where('expires_at', '>', time)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return undefined;
        const {
          taken_at: _taken,
          outcome: _outcome,
          code_verifier,
          shared_secret,
          webhook_secret,
          ...rest
        } = row;
        const unseal = (column: SealedColumn, sealed: Buffer): string =>
          secrets.unseal(sealed, toPlace(state_sha256, column));
        return {
          ...rest,
          code_verifier: unseal('code_verifier', code_verifier),
          brought: shared_secret && {
            shared_secret: unseal('shared_secret', shared_secret),
            webhook_secret: webhook_secret && unseal('webhook_secret', webhook_secret),
          },
        };
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

type SealedColumn = 'code_verifier' | 'shared_secret' | 'webhook_secret';
const UNSEALED: Record<SealedColumn, null> = {
  code_verifier: null,
  shared_secret: null,
  webhook_secret: null,
};

function toPlace(state_sha256: string, column: SealedColumn): SecretPlace {
  return { table: 'connect_requests', row: [state_sha256], column };
}
