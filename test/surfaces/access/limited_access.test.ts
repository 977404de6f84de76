import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../../dashboard/visitor.js';
import { letIn } from '../../let_in.js';
import { createStatelessClient } from '../../transports/mcp/stateless_client.js';
import { openMcpHttp, openMcpStateless, openRest, type Face } from '../faces.js';

/* Read-only keys, keys that expire, and assistants that were granted read access only. */

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

const core = () => dashboard.service.app.core;

const DRAFT = { shops: [], listing: {} };

describe('a read-only key', () => {
  it.each<[string, (url: string, key: string) => Face | Promise<Face>]>([
    ['REST', openRest],
    ['MCP', openMcpHttp],
    ['MCP without sessions', openMcpStateless],
  ])('reads over %s, and is refused with the reason when it would change something', async (_name, open) => {
    const limits = { is_read_only: true };
    const { key, key_id } = await core().accounts.createKey(dashboard.account_id, 'figures', limits);
    const face = await open(dashboard.url, key);
    expect(await face.call('stores_list')).toMatchObject({ ok: true });
    for (const [id, input] of [
      ['listing_create', DRAFT],
      ['webhook_endpoint_delete', {}],
    ] as const) {
      expect(await face.call(id, input)).toMatchObject({
        ok: false,
        error: {
          code: 'READ_ONLY',
          status: 400,
          message: `${id} makes changes, and the API key "figures" (${key_id}) is read-only.`,
          hint: `Key ${key_id} was made with --read-only. Use one that was not (listing-service keys create makes one).`,
        },
      });
    }
    await face.close();
  });

  it('opens a dashboard without controls that change anything', async () => {
    const { key } = await core().accounts.createKey(dashboard.account_id, 'looking', { is_read_only: true });
    const visitor = dashboard.createVisitor();
    expect((await visitor.post('/dashboard/sign-in', { key })).status).toBe(303);
    expect((await visitor.get('/dashboard/access')).status).toBe(200);
    const made = await visitor.post('/dashboard/access/keys', { name: 'more' });
    expect([made.status, made.text]).toEqual([400, expect.stringContaining('is read-only')]);
    expect((await core().accounts.listKeys(dashboard.account_id)).map(({ name }) => name)).not.toContain(
      'more',
    );
    // Through the gate, too.
    await visitor.get('/dashboard/webhooks');
    const set = await visitor.post('/dashboard/webhooks/destination', {
      url: 'http://127.0.0.1:9/',
      events: 'order.paid',
    });
    expect(set.text).toContain('is read-only');
    expect((await visitor.post('/dashboard/sign-out')).status).toBe(303);
  });
});

describe('a key with an expiry', () => {
  it('is refused once it has expired, with an error that says so, and its sessions and grants end with it', async () => {
    const { accounts, sessions } = core();
    const limits = { life_ms: 400 };
    const { key, key_id, expires_at } = await accounts.createKey(dashboard.account_id, 'guest', limits);
    const { token } = await sessions.create(dashboard.account_id, key_id);
    const { access_token } = await letIn(core(), dashboard.account_id, 'guest', 'read write', key_id);
    const face = openRest(dashboard.url, key);
    expect(await face.call('stores_list')).toMatchObject({ ok: true });
    expect(await sessions.find(token)).toBeDefined();
    expect(await core().grants.authenticate(access_token)).toBeDefined();

    await pause(Date.parse(expires_at ?? '') - Date.now() + 1);
    expect(await face.call('stores_list')).toMatchObject({
      ok: false,
      error: { code: 'UNAUTHORIZED', status: 401, message: `This API key expired at ${expires_at}.` },
    });
    const shown = await fetch(`${dashboard.url}/mcp`, {
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([shown.status, await shown.text()]).toEqual([401, expect.stringContaining('expired at')]);
    expect(await sessions.find(token)).toBeUndefined();
    expect(await core().grants.authenticate(access_token)).toBeUndefined();
    const late = await dashboard.createVisitor().post('/dashboard/sign-in', { key });
    expect([late.status, late.text]).toEqual([401, expect.stringContaining('This key has ended')]);
  });
});

it('an assistant with only the read scope sees everything and changes nothing', async () => {
  const { access_token } = await letIn(core(), dashboard.account_id, 'looker', 'read');
  const client = createStatelessClient(dashboard.url, { authorization: `Bearer ${access_token}` });
  const call = async (name: string, input: Record<string, unknown>) =>
    JSON.stringify((await client.callTool(name, input)).answer.result);
  expect(await call('stores_list', {})).toContain('ClayAndOak');
  expect(await call('listing_create', DRAFT)).toContain('this access token is read-only');
  const refused = await fetch(`${dashboard.url}/api/v1/webhooks/endpoint`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'READ_ONLY' } }]);
});

it('the dashboard shows the scope and expiry of each key and grant', async () => {
  const { accounts } = core();
  const { expires_at } = await accounts.createKey(dashboard.account_id, 'shown', {
    life_ms: 3_600_000,
    is_read_only: true,
  });
  const visitor = await dashboard.signIn();
  const { text } = await visitor.get('/dashboard/access');
  const row = /<tr [^>]*>(?:(?!<\/tr>)[^])*shown[^]*?<\/tr>/.exec(text)?.[0] ?? '';
  expect(row).toContain('<span>read</span>');
  expect(row).toContain(expires_at ?? 'none');
  expect(/<tr [^>]*>(?:(?!<\/tr>)[^])*guest[^]*?<\/tr>/.exec(text)?.[0]).toContain('read and change');
  expect(text).toContain('Expired');
});
