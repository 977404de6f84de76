import { describe, expect, it } from 'vitest';
import type { Fact } from '../../schemas/issue.js';
import { ServiceError } from '../../src/core/errors.js';
import type { SignedMessage } from '../../src/core/orders/message.js';
import { serveSample } from './sample.js';

const FORGED: Fact = { code: 'message_forged', params: { because: 'signature_wrong' } };
const HEADERS = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };

async function serve(receive: (message: SignedMessage) => Promise<void>) {
  const { url } = await serveSample({ receiveMarketplaceMessage: receive });
  return (init: RequestInit) => fetch(`${url}/webhooks/marketplace`, init);
}

describe("POST to the route of the marketplace's messages", () => {
  it('takes the bytes as received, with any content type', async () => {
    const taken: SignedMessage[] = [];
    const send = await serve(async (message) => void taken.push(message));
    const body = Buffer.from('{"a" : "ü" }\n\u0000');
    for (const type of ['application/json', 'text/plain']) {
      const answer = await send({ method: 'POST', headers: { ...HEADERS, 'content-type': type }, body });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    }
    expect(taken).toEqual([1, 2].map(() => ({ id: 'msg_1', timestamp: '1', signature: 'v1,x', body })));
  });

  it('answers problems with the common error body', async () => {
    const send = await serve(() => Promise.reject(new ServiceError('UNAUTHORIZED', FORGED)));
    const answer = await send({ method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'UNAUTHORIZED',
        message: 'The webhook message is not from the marketplace: no signature matches.',
      },
    });
  });

  it('counts wrong signatures per address like other wrong credentials, while a valid one keeps working', async () => {
    const { url } = await serveSample({
      receiveMarketplaceMessage: ({ id }) =>
        id === 'right' ? Promise.resolve() : Promise.reject(new ServiceError('UNAUTHORIZED', FORGED)),
    });
    const send = (id: string) =>
      fetch(`${url}/webhooks/marketplace`, {
        method: 'POST',
        headers: { ...HEADERS, 'webhook-id': id },
        body: '{}',
      });
    for (let n = 0; n < 30; n += 1) expect((await send('wrong')).status).toBe(401);
    const answer = await send('wrong');
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await send('right')).status).toBe(204);
    const headers = { 'x-service-api-key': 'mls_wrong' };
    expect((await fetch(`${url}/api/v1/items/1`, { headers })).status).toBe(429);
  });

  it('refuses a body that is too large before anything else', async () => {
    const send = await serve(() => Promise.reject(new Error('not reached')));
    const answer = await send({ method: 'POST', body: 'x'.repeat(65 * 1024) });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'INVALID_JSON' } });
  });

  it('is not a page for browsers', async () => {
    const send = await serve(() => Promise.resolve());
    expect((await send({ method: 'GET' })).status).toBe(404);
  });
});
