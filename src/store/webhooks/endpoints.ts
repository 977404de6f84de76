import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { EndpointHealth, WebhookStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { Secrets } from '../secrets/secrets.js';
import { cancelPending } from './deliveries.js';
import { toHealthColumns, toRow, toSigning, type EndpointRow } from './endpoint_columns.js';

type EndpointRepository = Pick<WebhookStore, 'findEndpoint' | 'changeEndpoint' | 'deleteEndpoint'>;

/**
 * A decision about an endpoint that changed before the write is made again: of competing writes, at least one succeeds each
 * time.
 */
export const MAX_DECISIONS = 50;

/** The webhook destination of each account: at most one. */
export function createEndpointRepository(engine: Engine<Tables>, secrets: Secrets): EndpointRepository {
  const { read, write } = engine;
  return {
    async findEndpoint(account_id) {
      const { known, now } = await findNow(account_id);
      return known && toSigning(known, secrets, now);
    },
    async changeEndpoint(account_id, change) {
      for (let decisions = 0; decisions < MAX_DECISIONS; decisions += 1) {
        const { known, now } = await findNow(account_id);
        const endpoint = change(known && toSigning(known, secrets, now), now);
        const row = toRow(endpoint, secrets);
        if (await write((trx) => replace(engine, trx, known, row))) return endpoint;
      }
      throw new Error('the webhook destination was changed by others again and again');
    },
    deleteEndpoint: (account_id) =>
      write(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('webhook_endpoints')
          .where('account_id', '=', account_id)
          .executeTakeFirstOrThrow();
        if (Number(numDeletedRows) === 0) return undefined;
        const now = await engine.now(trx);
        const cancelled = await cancelPending(trx, account_id, 'cancelled_endpoint_deleted', now);
        // They contain buyer data, which is only kept for a destination.
        await trx
          .updateTable('events')
          .set({ sealed_payload: null })
          .where('account_id', '=', account_id)
          .where('sealed_payload', 'is not', null)
          .execute();
        return { cancelled };
      }),
  };

  function findNow(account_id: string): Promise<{ known: EndpointRow | undefined; now: string }> {
    return read(async (trx) => ({
      known: await findEndpoint(trx, account_id),
      now: await engine.now(trx),
    }));
  }
}

/** The current endpoint; a write that depends on it needs `lockEndpoint`. */
export function findEndpoint(trx: Transaction<Tables>, account_id: string): Promise<EndpointRow | undefined> {
  return trx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', account_id)
    .executeTakeFirst();
}

/** Locks the endpoint until the transaction ends: others that lock it wait. */
export function lockEndpoint(
  { lockRows }: Pick<Engine<Tables>, 'lockRows'>,
  trx: Transaction<Tables>,
  account_id: string,
): Promise<EndpointRow | undefined> {
  return lockRows(
    trx.selectFrom('webhook_endpoints').selectAll().where('account_id', '=', account_id),
  ).executeTakeFirst();
}

/** Leaves URL, events and secrets unchanged. */
export async function saveHealth(
  trx: Transaction<Tables>,
  account_id: string,
  health: EndpointHealth,
): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set(toHealthColumns(health))
    .where('account_id', '=', account_id)
    .execute();
}

/** False, without a change, if the endpoint differs from the known one. */
async function replace(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  known: EndpointRow | undefined,
  { account_id, ...values }: ReturnType<typeof toRow>,
): Promise<boolean> {
  if (!known) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('webhook_endpoints')
      .values({ account_id, ...values })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .executeTakeFirstOrThrow();
    return Number(numInsertedOrUpdatedRows) === 1;
  }
  if (!isDeepStrictEqual(await lockEndpoint(engine, trx, account_id), known)) return false;
  await trx.updateTable('webhook_endpoints').set(values).where('account_id', '=', account_id).execute();
  return true;
}
