import { createServer } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { openRig, type Rig } from './harness.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const PATIENT = { timeout: 15_000, interval: 10 };

type Taken = { id: string; message: { event_type: string; resource_url: string; shop_id: number } };

/**
 * A sandbox with a subscriber that verifies messages and answers with the given statuses, repeating the last
 * one.
 */
export async function openSubscribed(answers?: number[]): Promise<Rig & { taken: Taken[] }> {
  const { url, taken } = await openSubscriber(answers);
  const rig = await openRig({ webhook: { url, secret: SECRET } });
  onTestFinished(() => rig.sandbox.close());
  return { ...rig, taken };
}

async function openSubscriber(answers: number[] = [204]): Promise<{ url: string; taken: Taken[] }> {
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await buffer(request)).toString();
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const message = new Webhook(SECRET).verify(body, headers) as Taken['message'];
      taken.push({ id: headers['webhook-id'] ?? '', message });
      response.writeHead((answers.length > 1 ? answers.shift() : answers[0]) ?? 204).end();
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/hook`, taken };
}
