import type { Secrets } from '../secrets/secrets.js';

/** The body of an event: encrypted, since it has the name and address of a buyer, and byte for byte as sent. */
export function sealPayload(secrets: Pick<Secrets, 'seal'>, event: EventKey, payload: string): Buffer {
  return secrets.seal(payload, toPlace(event));
}

export function unsealPayload(secrets: Pick<Secrets, 'unseal'>, event: EventKey, sealed: Buffer): string {
  return secrets.unseal(sealed, toPlace(event));
}

type EventKey = { account_id: string; event_id: string };

function toPlace({ account_id, event_id }: EventKey) {
  return { table: 'events', row: [account_id, event_id], column: 'sealed_payload' };
}
