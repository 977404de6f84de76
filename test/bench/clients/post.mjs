// Posts what a round of webhooks posts, by undici alone. It begins without connections, as after a quiet moment.
import { Pool } from 'undici';
import { buildHeaders, CONNECTIONS, EVENTS, PAYLOAD, timeEvents } from '../harness/events.mjs';

const headers = buildHeaders('event_10100', 1_000_000_000, `v1,${'x'.repeat(44)}`);

export function open({ url }) {
  return { run: () => timeEvents(() => postAll(url)) };
}

async function postAll(url) {
  const pool = new Pool(url, { connections: CONNECTIONS });
  let left = EVENTS;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await pool.request({ method: 'POST', path: '/hooks', headers, body: PAYLOAD });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await pool.close();
}
