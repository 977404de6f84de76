import type { Kysely, Selectable, Transaction } from 'kysely';
import type { EndpointHealth, EndpointRecord, EndpointState, WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { cancelPending } from './deliveries.js';
import { fromJson, toJson } from './json.js';
import { toBit, type Tables } from './schema.js';
import type { SecretPlace, Secrets } from './secrets/secrets.js';

type EndpointTable = Pick<WebhookStore, 'findEndpoint' | 'changeEndpoint' | 'deleteEndpoint'>;

export function createEndpointTable(database: Database, secrets: Secrets): EndpointTable {
  return {
    findEndpoint: (account_id) => findEndpoint(database.db, secrets, account_id),
    changeEndpoint: (account_id, change) =>
      database.write(async (trx) => {
        const endpoint = change(await findEndpoint(trx, secrets, account_id));
        await saveEndpoint(trx, secrets, endpoint);
        return endpoint;
      }),
    deleteEndpoint: (account_id, now) =>
      database.write(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('webhook_endpoints')
          .where('account_id', '=', account_id)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return undefined;
        return { cancelled: await cancelPending(trx, account_id, 'cancelled_endpoint_deleted', now) };
      }),
  };
}

export async function findEndpoint(
  db: Kysely<Tables>,
  secrets: Secrets,
  account_id: string,
): Promise<EndpointRecord | undefined> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  return row && toEndpoint(row, secrets);
}

/** For inside `read` and `write`. */
export function prepareFindEndpoint(
  database: Database,
): (account_id: string) => Selectable<Tables['webhook_endpoints']> | undefined {
  const find = database.prepare(
    database.db.selectFrom('webhook_endpoints').selectAll().where('account_id', '=', '').compile(),
  );
  return (account_id) => find.all(account_id)[0];
}

/** Leaves URL, events and secrets as they are. */
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

export function isSameHealth(a: EndpointHealth, b: EndpointHealth): boolean {
  return (
    a.is_enabled === b.is_enabled &&
    a.switched_off_at === b.switched_off_at &&
    a.switch_off_reason === b.switch_off_reason &&
    a.failing_since === b.failing_since &&
    a.last_failed_at === b.last_failed_at
  );
}

async function saveEndpoint(
  trx: Transaction<Tables>,
  secrets: Secrets,
  endpoint: EndpointRecord,
): Promise<void> {
  const { account_id } = endpoint;
  const values = {
    url: endpoint.url,
    events: toJson(endpoint.events),
    ...toHealthColumns(endpoint),
    secret: secrets.seal(endpoint.secret, toPlace(account_id, 'secret')),
    ...toPreviousColumns(endpoint, secrets),
  };
  await trx
    .insertInto('webhook_endpoints')
    .values({ account_id, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

function toHealthColumns(health: EndpointHealth) {
  const { is_enabled, switched_off_at, switch_off_reason, failing_since, last_failed_at } = health;
  return { is_enabled: toBit(is_enabled), switched_off_at, switch_off_reason, failing_since, last_failed_at };
}

/** What is no secret. */
export function toState(row: Selectable<Tables['webhook_endpoints']>): EndpointState {
  const { account_id, url, switched_off_at, switch_off_reason, failing_since, last_failed_at } = row;
  const is_enabled = row.is_enabled === 1;
  return { account_id, url, is_enabled, switched_off_at, switch_off_reason, failing_since, last_failed_at };
}

export function toEndpoint(row: Selectable<Tables['webhook_endpoints']>, secrets: Secrets): EndpointRecord {
  return {
    ...toState(row),
    events: fromJson(row.events),
    secret: secrets.unseal(row.secret, toPlace(row.account_id, 'secret')),
    previous_secrets: toPreviousSecrets(row, secrets),
  };
}

/** Both columns hold as many words, the newest first. */
function toPreviousColumns({ account_id, previous_secrets }: EndpointRecord, secrets: Secrets) {
  if (previous_secrets.length === 0) return { previous_secret: null, previous_secret_expires_at: null };
  const text = previous_secrets.map(({ secret }) => secret).join(' ');
  return {
    previous_secret: secrets.seal(text, toPlace(account_id, 'previous_secret')),
    previous_secret_expires_at: previous_secrets.map(({ expires_at }) => expires_at).join(' '),
  };
}

function toPreviousSecrets(
  { account_id, previous_secret, previous_secret_expires_at }: Selectable<Tables['webhook_endpoints']>,
  secrets: Secrets,
): EndpointRecord['previous_secrets'] {
  if (previous_secret === null || previous_secret_expires_at === null) return [];
  const times = previous_secret_expires_at.split(' ');
  const texts = secrets.unseal(previous_secret, toPlace(account_id, 'previous_secret')).split(' ');
  return texts.flatMap((secret, index) => {
    const expires_at = times[index];
    return expires_at === undefined ? [] : [{ secret, expires_at }];
  });
}

function toPlace(account_id: string, column: 'secret' | 'previous_secret'): SecretPlace {
  return { table: 'webhook_endpoints', row: [account_id], column };
}
