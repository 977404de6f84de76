import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../../dashboard/visitor.js';
import { MARKETPLACE_MESSAGES_PATH } from '../../../src/transports/service.js';
import { CLAY, LINEN } from '../../service.js';

const buildSecret = (letter: string) => `whsec_${Buffer.alloc(24, letter).toString('base64')}`;
const OF_CLAY = buildSecret('a');
const OF_LINEN = buildSecret('b');
const OF_THE_OTHER_ACCOUNT = buildSecret('c');
const TOKENS = {
  access_token: '1.a',
  refresh_token: '1.r',
  access_expires_at: '2020-01-01T00:00:00.000Z',
  scopes: [],
};

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard({ MARKETPLACE: 'etsy', ETSY_API_URL: 'http://127.0.0.1:1' });
});
afterAll(() => dashboard.close());

const connect = (account_id: string, shop_id: number, keystring: string, webhook_secret: string | null) =>
  dashboard.service.app.store.tokens.saveTokens({ account_id, shop_id }, TOKENS, {
    keystring,
    shared_secret: 's',
    webhook_secret,
  });

let sent = 0;
async function tell(shop_id: number | string | undefined, secret: string): Promise<number> {
  const resource_url = `https://api.etsy.com/v3/application/shops/${shop_id ?? ''}/receipts/7`;
  const body = JSON.stringify({
    event_type: 'order.paid',
    resource_url,
    ...(typeof shop_id === 'number' && { shop_id }),
  });
  const now = new Date();
  sent += 1;
  const answer = await fetch(dashboard.url + MARKETPLACE_MESSAGES_PATH, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': `m${sent}`,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(`m${sent}`, now, body),
    },
  });
  return answer.status;
}

describe('a message from the marketplace', () => {
  it('is not expected while no application has a secret', async () => {
    await connect(dashboard.account_id, LINEN.shop_id, 'linen', null);
    expect(await tell(LINEN.shop_id, OF_LINEN)).toBe(404);
  });

  it('is accepted with the secret of an application its shop is connected with', async () => {
    const other = await dashboard.service.app.core.accounts.create('other');
    await connect(dashboard.account_id, CLAY.shop_id, 'clay', OF_CLAY);
    await connect(dashboard.account_id, LINEN.shop_id, 'linen', OF_LINEN);
    await connect(other.account_id, 77, 'theirs', OF_THE_OTHER_ACCOUNT);
    expect(await tell(CLAY.shop_id, OF_CLAY)).toBe(204);
    expect(await tell(LINEN.shop_id, OF_LINEN)).toBe(204);
    // Another account, with its own application, sends a message about this account's shop.
    expect(await tell(CLAY.shop_id, OF_THE_OTHER_ACCOUNT)).toBe(401);
    expect(await tell(CLAY.shop_id, OF_LINEN)).toBe(401);
    expect(await tell(undefined, OF_CLAY)).toBe(401);
    // A path that names two shops; the order belongs to the second.
    const twice = `${CLAY.shop_id}/x/shops/${LINEN.shop_id}`;
    expect(await tell(twice, OF_CLAY)).toBe(401);
    expect(await tell(twice, OF_LINEN)).toBe(204);
  });
});
