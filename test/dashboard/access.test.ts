import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { letIn } from '../let_in.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

const PAGE = '/dashboard/access';

let dashboard: TestDashboard;
let visitor: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  visitor = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const core = () => dashboard.service.app.core;
const see = async (path = PAGE) => toText((await visitor.get(path)).text);

describe('API keys in the dashboard', () => {
  it('are created with a name, shown once, and work', async () => {
    const made = await visitor.post(`${PAGE}/keys`, { name: ' Warehouse <script> ' });
    expect([made.status, made.location, made.text]).toEqual([303, `${PAGE}/keys`, '']);
    const shown = await visitor.get(made.location);
    const key = /<code>(mls_[^<]+)<\/code>/.exec(shown.text)?.[1] ?? '';
    for (const { headers } of [made, shown]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('set-cookie')).toContain('HttpOnly');
      expect(headers.get('set-cookie')).not.toContain(key);
    }
    expect(await core().accounts.findKey(key)).toMatchObject({ account_id: dashboard.account_id });
    const { text } = await visitor.get(PAGE);
    expect(text).not.toContain(key);
    expect(toText(text)).toContain(`Warehouse &lt;script> ${key.slice(0, 8)}…`);
  });

  it('are created and shown once, however often their page is loaded or their cookie is sent', async () => {
    const made = await visitor.post(`${PAGE}/keys`, { name: 'Reloaded' });
    const cookie = visitor.getCookie();
    expect(await see(made.location)).toContain('it is shown this once');
    const load = (sent: string) =>
      fetch(dashboard.url + made.location, { headers: { cookie: sent }, redirect: 'manual' });
    for (const sent of [cookie, visitor.getCookie()]) {
      const again = await load(sent);
      expect([again.status, again.headers.get('location')]).toEqual([303, PAGE]);
    }
    expect(await see()).toMatch(/Reloaded/);
    const keys = await core().accounts.listKeys(dashboard.account_id);
    expect(keys.filter(({ name }) => name === 'Reloaded')).toHaveLength(1);
  });

  it('are shown only to the session that created them, for two minutes', async () => {
    const other = await dashboard.signIn();
    const made = await visitor.post(`${PAGE}/keys`, { name: 'Mine' });
    const [secret = ''] = /listing-secret[^;]*/.exec(made.headers.get('set-cookie') ?? '') ?? [];
    const load = async (cookie: string) =>
      (await fetch(dashboard.url + made.location, { headers: { cookie }, redirect: 'manual' })).status;
    expect(made.headers.get('set-cookie')).toContain('; Max-Age=120');
    expect(await load(`${other.getCookie()}; ${secret}`)).toBe(303);
    expect(await load(visitor.getCookie())).toBe(200);
  });

  it.each(['', '   ', 'x'.repeat(81), 'two\nlines'])(
    'are not created without a valid name: %j',
    async (name) => {
      const before = await core().accounts.listKeys(dashboard.account_id);
      const { status, text } = await visitor.post(`${PAGE}/keys`, { name });
      expect(status).toBe(400);
      expect(toText(text)).toContain('Name: Use 1 to 80 visible characters');
      expect(await core().accounts.listKeys(dashboard.account_id)).toEqual(before);
    },
  );

  it('created after signing in with a key neither outlive nor outrank that key', async () => {
    const { accounts } = core();
    const limits = { life_ms: 60 * 60 * 1000 };
    const ending = await accounts.createKey(dashboard.account_id, 'For an hour', limits);
    const holder = dashboard.createVisitor();
    await holder.post('/dashboard/sign-in', { key: ending.key });
    expect(toText((await holder.get(PAGE)).text)).toContain('You signed in with a key that expires on');
    await holder.post(`${PAGE}/keys`, { name: 'From the hour' });
    const find = async (name: string) =>
      (await accounts.listKeys(dashboard.account_id)).find((key) => key.name === name);
    expect((await find('From the hour'))?.expires_at).toBe(ending.expires_at);

    const reading = await accounts.createKey(dashboard.account_id, 'Reads', { is_read_only: true });
    const reader = dashboard.createVisitor();
    await reader.post('/dashboard/sign-in', { key: reading.key });
    await reader.get(PAGE);
    expect((await reader.post(`${PAGE}/keys`, { name: 'From the reader' })).status).toBe(400);
    expect(await find('From the reader')).toBeUndefined();

    expect(await see()).not.toContain('You signed in with a key');
    await visitor.post(`${PAGE}/keys`, { name: 'From a link' });
    expect((await find('From a link'))?.expires_at).toBeNull();
  });

  it('are revoked after a confirmation, permanently', async () => {
    const { key, key_id } = await core().accounts.createKey(dashboard.account_id, 'Old script');
    const path = `${PAGE}/keys/${key_id}/revoke`;
    expect(await see(path)).toContain('Revoke this key? Old script');
    expect(await core().accounts.findKey(key)).toMatchObject({ account_id: dashboard.account_id });
    expect((await visitor.post(path)).location).toBe(PAGE);
    expect(await core().accounts.findKey(key)).toBeUndefined();
    expect(await see()).toMatch(/Old script .* Revoked/);
    expect((await visitor.get(path)).location).toBe(PAGE);
    expect((await visitor.post(path)).status).toBe(404);
  });

  it('that do not exist are reported as missing', async () => {
    expect((await visitor.get(`${PAGE}/keys/key_unknown/revoke`)).status).toBe(404);
  });
});

describe('assistants in the dashboard', () => {
  it('are explained before there are any', async () => {
    expect(await see()).toContain('No assistants are connected');
  });

  it('with access are listed, and their access ends after a confirmation', async () => {
    const { grant_id, access_token } = await letIn(core(), dashboard.account_id, 'Helper <b>');
    expect(await core().grants.authenticate(access_token)).toMatchObject({
      account_id: dashboard.account_id,
    });
    expect(await see()).toContain('Helper &lt;b> assistant.example');
    const path = `${PAGE}/grants/${grant_id}/end`;
    expect(await see(path)).toContain('End this assistant’s access? Helper &lt;b> , reached at');
    expect((await visitor.post(path)).location).toBe(PAGE);
    expect(await core().grants.authenticate(access_token)).toBeUndefined();
    expect(await see()).toContain('No assistants are connected');
    expect([(await visitor.get(path)).status, (await visitor.post(path)).status]).toEqual([404, 404]);
  });
});

it('a read-only server creates no key and ends no access', async () => {
  const own = await startDashboard({ READ_ONLY: 'on' });
  const reader = await own.signIn();
  const { accounts } = own.service.app.core;
  const { key_id } = await accounts.createKey(own.account_id, 'kept');
  for (const path of [`${PAGE}/keys`, `${PAGE}/keys/${key_id}/revoke`, `${PAGE}/grants/any/end`]) {
    const { status, text } = await reader.post(path, { name: 'another' });
    expect([status, text.includes('is read-only')]).toEqual([400, true]);
  }
  expect((await accounts.listKeys(own.account_id)).map(({ name, revoked_at }) => [name, revoked_at])).toEqual(
    [['kept', null]],
  );
  await own.close();
});
