import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { EVENTS, PAYLOAD } from './events.mjs';
import { buildSettings, makeFolder } from './processes.mjs';

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
