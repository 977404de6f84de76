import { sql, type Transaction } from 'kysely';
import type { Claim, ClaimedDelivery, WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { insertDelivery, IS_UNCLAIMED } from './deliveries.js';
import { findEndpoint } from './endpoints.js';
import type { Presence } from './presence.js';
import type { Tables } from './schema.js';
import type { Secrets } from './secrets.js';

type ClaimStore = Pick<WebhookStore, 'listDueAccounts' | 'claimDue' | 'claimDelivery' | 'createClaimed'>;

/** Taking deliveries to send them. What is taken is committed before anything is sent. */
export function createDeliveryClaims(database: Database, secrets: Secrets, presence: Presence): ClaimStore {
  return {
    async listDueAccounts() {
      // One look into an index for each endpoint, however many deliveries there are.
      const rows = await database.db
        .selectFrom('webhook_endpoints as endpoint')
        .select([
          'endpoint.account_id',
          (eb) =>
            eb
              .selectFrom('deliveries')
              .select((of) => of.fn.min('due_at').as('due_at'))
              .whereRef('deliveries.account_id', '=', 'endpoint.account_id')
              .where(IS_UNCLAIMED)
              .where('due_at', 'is not', null)
              .as('due_at'),
        ])
        .where('endpoint.is_enabled', '=', 1)
        .execute();
      return rows.flatMap(({ account_id, due_at }) => (due_at === null ? [] : [{ account_id, due_at }]));
    },

    async claimDue(account_id, claim, limit) {
      presence.announce(claim.owner);
      return database.write(async (trx) => {
        const due = await selectUnclaimed(trx, account_id)
          .where('due_at', '<=', claim.now)
          .orderBy('due_at')
          .orderBy('id')
          .limit(limit)
          .execute();
        return take(trx, secrets, account_id, claim, due);
      });
    },

    async claimDelivery(account_id, id, claim) {
      presence.announce(claim.owner);
      return database.write(async (trx) => {
        const found = await selectUnclaimed(trx, account_id).where('deliveries.id', '=', id).execute();
        return (await take(trx, secrets, account_id, claim, found))[0];
      });
    },

    async createClaimed(account_id, event_id, claim) {
      presence.announce(claim.owner);
      return database.write(async (trx) => {
        const endpoint = await findEndpoint(trx, secrets, account_id);
        const event = await trx
          .selectFrom('events')
          .select(['event_type', 'subject', 'payload'])
          .where('account_id', '=', account_id)
          .where('event_id', '=', event_id)
          .executeTakeFirst();
        if (!endpoint?.is_enabled || event === undefined || event.payload === null) return undefined;
        const { payload, ...kept } = event;
        const id = await insertDelivery(trx, {
          account_id,
          event_id,
          ...kept,
          url: endpoint.url,
          step: null,
          created_at: claim.now,
          due_at: null,
          claimed_by: claim.owner,
          claimed_until: claim.until,
        });
        return { account_id, id, event_id, ...kept, payload, step: null, claim, endpoint };
      });
    },
  };
}

function selectUnclaimed(trx: Transaction<Tables>, account_id: string) {
  return trx
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join
        .onRef('events.account_id', '=', 'deliveries.account_id')
        .onRef('events.event_id', '=', 'deliveries.event_id'),
    )
    .select([
      'deliveries.id',
      'deliveries.event_id',
      'deliveries.event_type',
      'deliveries.subject',
      'deliveries.step',
      'events.payload',
    ])
    .where('deliveries.account_id', '=', account_id)
    .where(IS_UNCLAIMED);
}

async function take(
  trx: Transaction<Tables>,
  secrets: Secrets,
  account_id: string,
  claim: Claim,
  found: readonly (Omit<ClaimedDelivery, 'account_id' | 'payload' | 'claim' | 'endpoint'> & {
    payload: string | null;
  })[],
): Promise<ClaimedDelivery[]> {
  const endpoint = await findEndpoint(trx, secrets, account_id);
  if (!endpoint?.is_enabled || found.length === 0) return [];
  const ids = JSON.stringify(found.map(({ id }) => id));
  await sql`
    UPDATE deliveries SET claimed_by = ${claim.owner}, claimed_until = ${claim.until}, url = ${endpoint.url}
    WHERE id IN (SELECT value FROM json_each(${ids}))`.execute(trx);
  return found.map(({ payload, ...delivery }) => {
    if (payload === null) throw new Error('a payload was swept while a delivery of it was pending');
    return { account_id, ...delivery, payload, claim, endpoint };
  });
}
