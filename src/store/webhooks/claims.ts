import type { ExpressionBuilder, SelectQueryBuilder, Transaction } from 'kysely';
import type { ClaimedDelivery, WebhookStore } from '../../core/ports/index.js';
import { toClaimed } from '../engine/claims.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { Secrets } from '../secrets/secrets.js';
import { insertDelivery, IS_UNCLAIMED } from './deliveries.js';
import { toSigning, type EndpointRow } from './endpoint_columns.js';
import { findEndpoint, lockEndpoint } from './endpoints.js';
import { unsealPayload } from './payloads.js';

type ClaimRepository = Pick<WebhookStore, 'listDueAccounts' | 'claimDue' | 'claimDelivery' | 'createClaimed'>;

/** Claims deliveries for sending. The claims are committed before anything is sent. */
export function createClaimRepository(engine: Engine<Tables>, secrets: Secrets): ClaimRepository {
  const { read, write } = engine;

  async function claim(
    trx: Transaction<Tables>,
    account_id: string,
    for_ms: number,
    choose: (now: string) => SelectQueryBuilder<Tables, 'deliveries', { id: number }>,
  ): Promise<ClaimedDelivery[]> {
    const endpoint = await findEndpoint(trx, account_id);
    if (endpoint?.is_enabled !== 1) return [];
    const now = await engine.now(trx);
    const taken = await trx
      .updateTable('deliveries')
      .set({ ...toClaimed(engine, now, for_ms), url: endpoint.url })
      .where('id', 'in', engine.skipLocked(choose(now)))
      .where(IS_UNCLAIMED)
      .returning(['id', 'event_id', 'event_type', 'subject', 'step', 'fence', 'due_at'])
      .execute();
    if (taken.length === 0) return [];
    const event_ids = taken.map(({ event_id }) => event_id);
    const payloads = await findPayloads(trx, secrets, account_id, event_ids);
    const record = toSigning(endpoint, secrets, now);
    return taken.toSorted(compareDue).map(({ due_at: _due_at, ...delivery }) => {
      const payload = payloads.get(delivery.event_id);
      if (payload === undefined)
        throw new Error('a payload was destroyed while a delivery of it was pending');
      return { account_id, ...delivery, payload, endpoint: record };
    });
  }

  async function claimOne(
    trx: Transaction<Tables>,
    account_id: string,
    id: number,
    for_ms: number,
  ): Promise<ClaimedDelivery | undefined> {
    const [delivery] = await claim(trx, account_id, for_ms, () =>
      selectUnclaimed(trx, account_id).where('id', '=', id).limit(1),
    );
    return delivery;
  }

  return {
    listDueAccounts: () =>
      read(async (trx) => {
        const rows = await trx
          .selectFrom('webhook_endpoints as endpoint')
          .select((eb) => ['endpoint.account_id', selectFirstDue(eb).as('due_at')])
          .where('endpoint.is_enabled', '=', 1)
          .execute();
        const now_ms = Date.parse(await engine.now(trx));
        return rows.flatMap(({ account_id, due_at }) =>
          due_at === null ? [] : [{ account_id, due_in_ms: Math.max(0, Date.parse(due_at) - now_ms) }],
        );
      }),

    claimDue: (account_id, for_ms, limit) =>
      write((trx) =>
        claim(trx, account_id, for_ms, (now) =>
          selectUnclaimed(trx, account_id)
            .where('due_at', '<=', now)
            .orderBy('due_at')
            .orderBy('id')
            .limit(limit),
        ),
      ),

    claimDelivery: (account_id, id, for_ms) => write((trx) => claimOne(trx, account_id, id, for_ms)),

    createClaimed: (account_id, event_id, for_ms) =>
      write(async (trx) => {
        const endpoint = await lockEndpoint(engine, trx, account_id);
        // Locked, so that the payload is not swept before it is read.
        const event = await engine
          .lockRows(
            trx
              .selectFrom('events')
              .select(['event_type', 'subject'])
              .where('account_id', '=', account_id)
              .where('event_id', '=', event_id)
              .where('sealed_payload', 'is not', null),
          )
          .executeTakeFirst();
        if (endpoint?.is_enabled !== 1 || event === undefined) return undefined;
        const { url } = endpoint;
        const created_at = await engine.now(trx);
        const delivery = { account_id, event_id, ...event, url, step: null, created_at, due_at: null };
        return claimOne(trx, account_id, await insertDelivery(trx, delivery), for_ms);
      }),
  };
}

function selectUnclaimed(trx: Transaction<Tables>, account_id: string) {
  return trx.selectFrom('deliveries').select('id').where('account_id', '=', account_id).where(IS_UNCLAIMED);
}

/** One index look-up for each endpoint, however many deliveries there are. */
function selectFirstDue(eb: ExpressionBuilder<Tables & { endpoint: EndpointRow }, 'endpoint'>) {
  return eb
    .selectFrom('deliveries')
    .select((of) => of.fn.min('due_at').as('due_at'))
    .whereRef('deliveries.account_id', '=', 'endpoint.account_id')
    .where(IS_UNCLAIMED)
    .where('due_at', 'is not', null);
}

async function findPayloads(
  trx: Transaction<Tables>,
  secrets: Secrets,
  account_id: string,
  event_ids: readonly string[],
): Promise<Map<string, string | undefined>> {
  const rows = await trx
    .selectFrom('events')
    .select(['event_id', 'sealed_payload'])
    .where('account_id', '=', account_id)
    .where('event_id', 'in', event_ids)
    .execute();
  return new Map(
    rows.map(({ event_id, sealed_payload: sealed }) => [
      event_id,
      sealed === null ? undefined : unsealPayload(secrets, { account_id, event_id }, sealed),
    ]),
  );
}

type Due = { id: number; due_at: string | null };

function compareDue(a: Due, b: Due): number {
  if (a.due_at === b.due_at) return a.id - b.id;
  return (a.due_at ?? '') < (b.due_at ?? '') ? -1 : 1;
}
