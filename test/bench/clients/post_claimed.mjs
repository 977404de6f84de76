// Posts a round of webhooks by undici, with the claims, signatures and records that they need, and nothing else.
import { Pool } from 'undici';
import { buildSignature } from '../../../.build/src/webhooks/index.js';
import { buildHeaders, CONNECTIONS, EVENTS, timeEvents } from '../harness/events.mjs';
import { openWebhooks } from '../harness/webhooks.mjs';

/** As many as are claimed at once for a receiver that takes them fast. */
const CLAIMED_TOGETHER = 504;

export async function open({ url }) {
  const { app, account_id, record, close } = await openWebhooks(url);
  return {
    async run() {
      await record();
      return timeEvents(() => postClaimed(url, app.store.webhooks, account_id));
    },
    close,
  };
}

async function postClaimed(url, webhooks, account_id) {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const now = new Date();
  const claim = {
    owner: 'bench',
    now: now.toISOString(),
    until: new Date(now.getTime() + 60_000).toISOString(),
  };
  const due = [];
  while (due.length < EVENTS) due.push(...(await webhooks.claimDue(account_id, claim, CLAIMED_TOGETHER)));
  const recorded = [];
  const work = async () => {
    for (let delivery = due.pop(); delivery; delivery = due.pop()) {
      const { event_id, payload, endpoint } = delivery;
      const timestamp_s = Math.floor(Date.now() / 1000);
      const signature = buildSignature([endpoint.secret], { id: event_id, timestamp_s, body: payload });
      const headers = buildHeaders(event_id, timestamp_s, signature);
      const answer = await pool.request({ method: 'POST', path: '/hooks', headers, body: payload });
      await answer.body.dump();
      const completed_at = new Date().toISOString();
      const end = { status: 'success', response_status_code: answer.statusCode, error: null, completed_at };
      recorded.push(webhooks.endDelivery(delivery, end, (health) => ({ health, next: null })));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await Promise.all(recorded);
  await pool.close();
}
