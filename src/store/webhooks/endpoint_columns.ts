import type { Insertable, Selectable } from 'kysely';
import type { EndpointHealth, EndpointRecord, EndpointState } from '../../core/ports/index.js';
import { fromJson, toJson } from '../json.js';
import { toBit } from '../tables/bit.js';
import type { Tables } from '../schema.js';
import type { SecretPlace, Secrets } from '../secrets/secrets.js';

export type EndpointRow = Selectable<Tables['webhook_endpoints']>;

/** The state of an endpoint, from the columns without secrets. */
export function toState(row: EndpointRow): EndpointState {
  return pickState({ ...row, is_enabled: row.is_enabled === 1 });
}

/**
 * Only the endpoint's state, without secrets and other properties. It is as old as its source: before a write that depends on
 * it, lock the row and read it again.
 */
export function pickState(endpoint: EndpointState): EndpointState {
  const { account_id, url, is_enabled, ...more } = endpoint;
  const { switched_off_at, switch_off_reason, failing_since, last_failed_at } = more;
  return { account_id, url, is_enabled, switched_off_at, switch_off_reason, failing_since, last_failed_at };
}

/** An endpoint with the secrets that sign from now on. Throws as toEndpoint does. */
export function toSigning(row: EndpointRow, secrets: Pick<Secrets, 'unseal'>, now: string): EndpointRecord {
  const endpoint = toEndpoint(row, secrets);
  const previous_secrets = endpoint.previous_secrets.filter(({ expires_at }) => expires_at > now);
  return { ...endpoint, previous_secrets };
}

/**
 * An endpoint with all its secrets, including expired ones, decrypted: throws if the master key is another one or the row was
 * tampered with.
 */
export function toEndpoint(row: EndpointRow, secrets: Pick<Secrets, 'unseal'>): EndpointRecord {
  return {
    ...toState(row),
    events: fromJson(row.events),
    secret: secrets.unseal(row.secret, toPlace(row.account_id, 'secret')),
    previous_secrets: toPreviousSecrets(row, secrets),
  };
}

/** A row with its secrets encrypted. */
export function toRow(endpoint: EndpointRecord, secrets: Secrets): Insertable<Tables['webhook_endpoints']> {
  return {
    account_id: endpoint.account_id,
    url: endpoint.url,
    events: toJson(endpoint.events),
    ...toHealthColumns(endpoint),
    secret: secrets.seal(endpoint.secret, toPlace(endpoint.account_id, 'secret')),
    ...toPreviousColumns(endpoint, secrets),
  };
}

/** The columns that change when deliveries succeed or fail. */
export function toHealthColumns(health: EndpointHealth) {
  const { is_enabled, switched_off_at, switch_off_reason, failing_since, last_failed_at } = health;
  return { is_enabled: toBit(is_enabled), switched_off_at, switch_off_reason, failing_since, last_failed_at };
}

/**
 * The columns of previous secrets: the secrets and the times at which they expire, each joined with spaces, in the same
 * order, newest first.
 */
function toPreviousColumns({ account_id, previous_secrets }: EndpointRecord, secrets: Secrets) {
  if (previous_secrets.length === 0) return { previous_secret: null, previous_secret_expires_at: null };
  const text = previous_secrets.map(({ secret }) => secret).join(' ');
  return {
    previous_secret: secrets.seal(text, toPlace(account_id, 'previous_secret')),
    previous_secret_expires_at: previous_secrets.map(({ expires_at }) => expires_at).join(' '),
  };
}

function toPreviousSecrets(
  { account_id, previous_secret, previous_secret_expires_at }: EndpointRow,
  secrets: Pick<Secrets, 'unseal'>,
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
