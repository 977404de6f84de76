import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { Secrets } from '../secrets/secrets.js';
import { sealPayload } from './payloads.js';

/** Few enough that no other process waits long for the database. */
const BATCH = 256;

/**
 * Encrypts the bodies of events that an earlier release stored in clear text, and deletes those of accounts without a destination. Answers
 * how many there were.
 */
export async function sealOldPayloads({ write }: Engine<Tables>, secrets: Secrets): Promise<number> {
  let all = 0;
  for (;;) {
    const count = await write(async (trx) => {
      const events = await trx
        .selectFrom('events')
        .leftJoin('webhook_endpoints', 'webhook_endpoints.account_id', 'events.account_id')
        .select(['events.account_id', 'event_id', 'payload', 'url'])
        .where('payload', 'is not', null)
        .limit(BATCH)
        .execute();
      for (const { payload, url, ...event } of events) {
        const sealed_payload = url === null ? null : sealPayload(secrets, event, payload ?? '');
        await trx
          .updateTable('events')
          .set({ payload: null, sealed_payload })
          .where('account_id', '=', event.account_id)
          .where('event_id', '=', event.event_id)
          .execute();
      }
      return events.length;
    });
    all += count;
    if (count < BATCH) return all;
  }
}
