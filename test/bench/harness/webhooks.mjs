import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { buildSettings, makeFolder } from './processes.mjs';

/** Sent in one round. */
export const EVENTS = 1_000;
/** As many as one receiver is given. */
export const CONNECTIONS = 8;
export const PAYLOAD = JSON.stringify({ type: 'order.paid', data: { note: 'x'.repeat(200) } });

/**
 * The service in this process, on a folder of its own, with a destination.
 *
 * @param {string} url of the receiver
 */
export async function openWebhooks(url) {
  const folder = await makeFolder();
  const app = await compose(loadConfig({}, buildSettings(folder.path)), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  await app.core.endpoints.set(account_id, { url: `${url}/hooks` });
  let recorded = 0;
  return {
    app,
    account_id,
    /** All events of a round, which are then due. */
    async record() {
      for (let number = 0; number < EVENTS; number += 1) {
        recorded += 1;
        const key = `event_${recorded}`;
        await app.store.webhooks.recordEvent({
          account_id,
          event_id: key,
          event_type: 'order.paid',
          payload: PAYLOAD,
          created_at: new Date().toISOString(),
          subject: key,
          change_key: key,
        });
      }
    },
    async close() {
      await app.close();
      await folder.remove();
    },
  };
}

/**
 * Events a second, by the clock and by the processor time of this process, which does nothing else meanwhile.
 *
 * @param {() => Promise<void>} run sends all events of a round
 */
export async function timeEvents(run) {
  const before = process.cpuUsage();
  const begin = performance.now();
  await run();
  const rate = EVENTS / ((performance.now() - begin) / 1000);
  const { user, system } = process.cpuUsage(before);
  return { rate, cpu_rate: EVENTS / ((user + system) / 1e6) };
}

/** The headers of a delivery. */
export function buildHeaders(event_id, timestamp_s, signature) {
  return {
    'content-type': 'application/json',
    'user-agent': 'marketplace-listing-service/1.0.0',
    'accept-encoding': 'identity',
    'webhook-id': event_id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': signature,
  };
}
