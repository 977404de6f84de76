import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startReceiver, type Receiver } from '../webhooks/receivers.js';
import { startDashboard, toText, type TestDashboard } from './visitor.js';

let dashboard: TestDashboard;
let receiver: Receiver;
beforeAll(async () => {
  dashboard = await startDashboard({ WEBHOOK_ALLOW_HTTP: 'on', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await startReceiver((response) => void response.writeHead(204).end());
});
afterAll(async () => {
  await dashboard.close();
  await receiver.close();
});
afterEach(() => receiver.received.splice(0));

async function signInTo(account_id: string) {
  const { sessions } = dashboard.service.app.core;
  const visitor = dashboard.createVisitor();
  const { token } = await sessions.createLink(account_id);
  await visitor.post('/dashboard/sign-in', { link: token });
  await visitor.get('/dashboard');
  return visitor;
}

const createAccount = async (name: string) =>
  (await dashboard.service.app.core.accounts.create(name)).account_id;

it('an account sends at most 30 webhook tests a minute, over all its sessions', async () => {
  const account_id = await createAccount('tester');
  const [one, two] = [await signInTo(account_id), await signInTo(account_id)];
  await one.post('/dashboard/webhooks/destination', [
    ['url', receiver.url],
    ['events', 'order.paid'],
  ]);
  const statuses: number[] = [];
  for (let n = 0; n < 50; n += 1)
    statuses.push((await (n % 2 === 0 ? one : two).post('/dashboard/webhooks/test')).status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(30);
  expect(statuses.slice(30)).toEqual(Array.from({ length: 20 }, () => 429));
  expect(receiver.received).toHaveLength(30);

  const refused = await one.post('/dashboard/webhooks/test');
  expect(refused.headers.get('content-type')).toContain('text/html');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(toText(refused.text)).toMatch(
    /too many times within a minute\. Nothing was done\. Wait a moment, and try again\./,
  );
  // Read-only pages still work, as do other accounts.
  expect((await one.get('/dashboard/webhooks')).status).toBe(200);
  const other = await signInTo(dashboard.account_id);
  expect((await other.post('/dashboard/webhooks/test')).status).toBe(400);
});

it('an account submits at most 120 forms a minute, and nothing changes beyond that', async () => {
  const account_id = await createAccount('writer');
  const visitor = await signInTo(account_id);
  const statuses: number[] = [];
  for (let n = 0; n < 125; n += 1)
    statuses.push((await visitor.post('/dashboard/access/keys', { name: `key ${n}` })).status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(120);
  expect(statuses.slice(120)).toEqual([429, 429, 429, 429, 429]);
  expect(await dashboard.service.app.core.accounts.listKeys(account_id)).toHaveLength(120);
  expect(toText((await visitor.post('/dashboard/access/keys', { name: 'more' })).text)).toContain(
    'You sent too many forms within a minute. Nothing was done.',
  );
});
