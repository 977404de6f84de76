import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';

/** Events sent in one round. */
export const EVENTS = 1_000;
const PAYLOAD = JSON.stringify({ type: 'order.paid', data: { note: 'x'.repeat(200) } });

/**
 * The service in this process, in a separate place, with a webhook destination.
 *
 * @param {string} url of the receiver
 * @param {import('./engines.mjs').Engine} engine
 */
export async function openWebhooks(url, engine) {
  const place = await engine.openPlace();
  const app = await compose(loadConfig({}, place.settings), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  await app.core.endpoints.set(account_id, { url: `${url}/hooks` });
  let recorded = 0;
  const record = async (of) => {
    for (let number = 0; number < EVENTS; number += 1) {
      recorded += 1;
      const key = `event_${recorded}`;
      await app.store.webhooks.recordEvent({
        account_id: of,
        event_id: key,
        event_type: 'order.paid',
        payload: PAYLOAD,
        created_at: new Date().toISOString(),
        subject: key,
        change_key: key,
      });
    }
  };
  return {
    app,
    account_id,
    /** Records all events of a round, which are then due. */
    record: () => record(account_id),
    /** The same number for another account, with another receiver. */
    async recordAt(other_url) {
      const other = await app.core.accounts.create('other');
      await app.core.endpoints.set(other.account_id, { url: `${other_url}/hooks` });
      await record(other.account_id);
    },
    /** @param {() => Promise<void>} stop stops what is still sending */
    async close(stop) {
      await stop();
      await app.close();
      await place.remove();
    },
  };
}
