import { sql, type Kysely } from 'kysely';
import type { Claim, ClaimedDelivery, EndpointRecord, WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { insertDelivery, IS_UNCLAIMED } from './deliveries.js';
import type { WriteBeside } from './delivery_ends.js';
import { prepareFindEndpoint, toEndpoint } from './endpoints.js';
import type { Presence } from './engine/sqlite/presence.js';
import type { Tables } from './schema.js';
import type { Secrets } from './secrets/secrets.js';

type ClaimStore = Pick<WebhookStore, 'listDueAccounts' | 'claimDue' | 'claimDelivery' | 'createClaimed'>;

/** Taking deliveries to send them. What is taken is committed before anything is sent. */
export function createDeliveryClaims(
  database: Database,
  secrets: Secrets,
  presence: Presence,
  writeBeside: WriteBeside,
): ClaimStore {
  const { db } = database;
  const listDue = database.prepareRows(selectDueAccounts(db).compile());
  const selectDue = database.prepareLists<Unclaimed>(
    selectUnclaimed(db).where('due_at', '<=', '').orderBy('due_at').orderBy('id').limit(0).compile(),
  );
  const selectOne = database.prepareLists<Unclaimed>(
    selectUnclaimed(db).where('deliveries.id', '=', 0).compile(),
  );
  const findEndpoint = prepareFindEndpoint(database);
  const hold = database.prepare(
    sql`
      UPDATE OR ROLLBACK deliveries SET claimed_by = ${''}, claimed_until = ${''}, url = ${''}
      WHERE id IN (SELECT value FROM json_each(${''}))`.compile(db),
  );

  function findOn(account_id: string): EndpointRecord | undefined {
    const row = findEndpoint(account_id);
    return row?.is_enabled === 1 ? toEndpoint(row, secrets) : undefined;
  }

  function take(account_id: string, claim: Claim, found: readonly Unclaimed[]): ClaimedDelivery[] {
    const endpoint = found.length > 0 ? findOn(account_id) : undefined;
    if (!endpoint) return [];
    hold.run(claim.owner, claim.until, endpoint.url, JSON.stringify(found.map(([id]) => id)));
    return found.map(([id, seq, event_id, event_type, subject, step, payload]) => {
      if (payload === null) throw new Error('a payload was swept while a delivery of it was pending');
      return { account_id, id, seq, event_id, event_type, subject, step, payload, claim, endpoint };
    });
  }

  return {
    async listDueAccounts() {
      const rows = await listDue();
      return rows.flatMap(({ account_id, due_at }) => (due_at === null ? [] : [{ account_id, due_at }]));
    },

    async claimDue(account_id, claim, limit) {
      presence.announce(claim.owner);
      return writeBeside(async () => take(account_id, claim, selectDue(account_id, claim.now, limit)));
    },

    async claimDelivery(account_id, id, claim) {
      presence.announce(claim.owner);
      return database.write(async () => take(account_id, claim, selectOne(account_id, id))[0]);
    },

    async createClaimed(account_id, event_id, claim) {
      presence.announce(claim.owner);
      return database.write(async (trx) => {
        const endpoint = findOn(account_id);
        const event = await trx
          .selectFrom('events')
          .select(['event_type', 'subject', 'payload'])
          .where('account_id', '=', account_id)
          .where('event_id', '=', event_id)
          .executeTakeFirst();
        if (!endpoint || event === undefined || event.payload === null) return undefined;
        const { payload, ...kept } = event;
        const inserted = await insertDelivery(trx, {
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
        return { account_id, ...inserted, event_id, ...kept, payload, step: null, claim, endpoint };
      });
    },
  };
}

/** Id, seq, event id, event type, subject, step and payload. */
type Unclaimed = [number, number, string, string, string | null, number | null, string | null];

/** One look into an index for each endpoint, however many deliveries there are. */
function selectDueAccounts(db: Kysely<Tables>) {
  return db
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
    .where('endpoint.is_enabled', '=', ({ lit }) => lit(1));
}

/** Of an account. */
function selectUnclaimed(db: Kysely<Tables>) {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join
        .onRef('events.account_id', '=', 'deliveries.account_id')
        .onRef('events.event_id', '=', 'deliveries.event_id'),
    )
    .select([
      'deliveries.id',
      'deliveries.seq',
      'deliveries.event_id',
      'deliveries.event_type',
      'deliveries.subject',
      'deliveries.step',
      'events.payload',
    ])
    .where('deliveries.account_id', '=', '')
    .where(IS_UNCLAIMED);
}
