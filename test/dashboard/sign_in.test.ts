import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, toText, type TestDashboard } from './visitor.js';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

async function createKey() {
  const { accounts } = dashboard.service.app.core;
  return accounts.createKey(dashboard.account_id, 'test');
}

describe('signing in', () => {
  it('is required first, and leads back', async () => {
    const visitor = dashboard.createVisitor();
    const { status, location } = await visitor.get('/dashboard/listings/7?shown=all');
    expect(status).toBe(303);
    expect(location).toBe('/dashboard/sign-in?to=%2Fdashboard%2Flistings%2F7%3Fshown%3Dall');
    const page = await visitor.get(location);
    expect(page.status).toBe(200);
    expect(page.text).toContain('value="/dashboard/listings/7?shown=all"');
    // A clone has no listing-service on its path.
    expect(page.text).toContain('node dist/src/cli.js sign-in');
    expect(toText(page.text)).toContain('ask them for a sign-in link');
    const { key } = await createKey();
    const opened = await visitor.post('/dashboard/sign-in', {
      key: ` ${key}\n`,
      to: '/dashboard/listings/7',
    });
    expect([opened.status, opened.location]).toEqual([303, '/dashboard/listings/7']);
    expect((await visitor.get('/dashboard')).status).toBe(200);
  });

  it('keeps the session where no script and no other site can read it', async () => {
    const visitor = dashboard.createVisitor();
    const { key } = await createKey();
    const { headers } = await visitor.post('/dashboard/sign-in', { key });
    expect(headers.get('set-cookie')).toMatch(
      /^listing-session-3000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/,
    );
  });

  it('is for one port: browsers store and send the cookies of all ports of a host together', async () => {
    const other = await startDashboard({ PORT: '3001' });
    const { key } = await createKey();
    const { account_id } = await other.service.app.core.accounts.getDefault();
    const { key: other_key } = await other.service.app.core.accounts.createKey(account_id, 'test');
    const jar = new Map<string, string>();
    const keep = ({ headers }: { headers: Headers }) => {
      const [, name = '', value = ''] = /^([\w-]+)=([\w-]+);/.exec(headers.get('set-cookie') ?? '') ?? [];
      jar.set(name, value);
    };
    keep(await dashboard.createVisitor().post('/dashboard/sign-in', { key }));
    keep(await other.createVisitor().post('/dashboard/sign-in', { key: other_key }));
    const ask = async (url: string, names: string[]) => {
      const cookie = names.map((name) => `${name}=${jar.get(name)}`).join('; ');
      return (await fetch(`${url}/dashboard`, { headers: { cookie }, redirect: 'manual' })).status;
    };
    const [here = '', there = ''] = jar.keys();
    // Neither replaced the other, and each opens its own.
    for (const { url } of [dashboard, other]) expect(await ask(url, [here, there])).toBe(200);
    expect(await ask(dashboard.url, [there])).toBe(303);
    // Not even its exact value is valid under the name of another port.
    jar.set(there, jar.get(here) ?? '');
    expect(await ask(dashboard.url, [there])).toBe(303);
    await other.close();
  });

  it.each([
    ['https://evil.example/', '/dashboard'],
    ['//evil.example/dashboard', '/dashboard'],
    ['/dashboard\\@evil.example', '/dashboard'],
    ['/dashboardx', '/dashboard'],
    ['/dashboard/../oauth/authorize', '/dashboard'],
    ['/dashboard/%2e%2e/docs', '/dashboard'],
    ['/dashboard/\u20ac?at=\u0001b', '/dashboard/%E2%82%AC?at=%01b'],
    ['/dashboard?at=1', '/dashboard?at=1'],
    ['/dashboard/listings', '/dashboard/listings'],
  ])('never leads elsewhere: %s', async (to, location) => {
    const visitor = dashboard.createVisitor();
    const { key } = await createKey();
    expect((await visitor.post('/dashboard/sign-in', { key, to })).location).toBe(location);
  });

  it('refuses a wrong key, and after many of them says to wait', async () => {
    const own = await startDashboard();
    const visitor = own.createVisitor();
    const refused = await visitor.post('/dashboard/sign-in', { key: 'mls_guess' });
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('unknown, mistyped, or revoked');
    expect(refused.headers.get('set-cookie')).toBeNull();
    for (let guess = 1; guess < 30; guess += 1)
      await visitor.post('/dashboard/sign-in', { key: 'mls_guess' });
    const stopped = await visitor.post('/dashboard/sign-in', { key: 'mls_guess' });
    expect(stopped.status).toBe(429);
    expect(stopped.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(stopped.headers.get('content-type')).toContain('text/html');
    const { key } = await own.service.app.core.accounts.createKey(own.account_id, 'mine');
    expect((await visitor.post('/dashboard/sign-in', { key })).status).toBe(303);
    await own.close();
  });

  it('with an expired key says when it expired and where to get another, and does not count as a guess', async () => {
    const own = await startDashboard();
    const visitor = own.createVisitor();
    const { accounts } = own.service.app.core;
    const { key } = await accounts.createKey(own.account_id, 'old', { life_ms: -60_000 });
    const to = '/dashboard/listings/7';
    for (let time = 1; time <= 31; time += 1) {
      const { status, text, headers } = await visitor.post('/dashboard/sign-in', { key, to });
      expect([status, headers.get('set-cookie')]).toEqual([401, null]);
      expect(toText(text)).toMatch(/This key has ended: it worked until \d+ \w+ \d{4}, \d\d:\d\d UTC \./);
      expect(toText(text)).toContain('Create another one on the page “API keys and assistants”');
      // The form is there, and leads to the page that the visitor requested.
      expect(text).toContain('name="key"');
      expect(text).toContain(`name="to" value="${to}"`);
    }
    await own.close();
  });

  it('with a revoked key shows the same error as a guess, and counts as one', async () => {
    const own = await startDashboard();
    const visitor = own.createVisitor();
    const { accounts } = own.service.app.core;
    const { key, key_id } = await accounts.createKey(own.account_id, 'old', { life_ms: -60_000 });
    await accounts.revokeKey(own.account_id, key_id);
    const guessed = await visitor.post('/dashboard/sign-in', { key: 'mls_guess' });
    const revoked = await visitor.post('/dashboard/sign-in', { key });
    expect([revoked.status, revoked.text]).toEqual([401, guessed.text]);
    expect(toText(revoked.text)).toContain('Create another one on the page “API keys and assistants”');
    for (let guess = 3; guess <= 30; guess += 1) await visitor.post('/dashboard/sign-in', { key });
    expect((await visitor.post('/dashboard/sign-in', { key })).status).toBe(429);
    await own.close();
  });

  it("ends this browser's previous session", async () => {
    const visitor = await dashboard.signIn();
    const before = visitor.getCookie();
    const { key } = await createKey();
    await visitor.post('/dashboard/sign-in', { key });
    expect(visitor.getCookie()).not.toBe(before);
    const open = async (cookie: string) =>
      (await fetch(`${dashboard.url}/dashboard`, { headers: { cookie }, redirect: 'manual' })).status;
    expect([await open(before), await open(visitor.getCookie())]).toEqual([303, 200]);
  });

  it('ends when its key is revoked', async () => {
    const visitor = dashboard.createVisitor();
    const { key, key_id } = await createKey();
    await visitor.post('/dashboard/sign-in', { key });
    await dashboard.service.app.core.accounts.revokeKey(dashboard.account_id, key_id);
    expect((await visitor.get('/dashboard')).location).toContain('/dashboard/sign-in');
  });
});

describe('a form sent after the session has ended', () => {
  const said = 'Your session has ended. Nothing was done; sign in and do it again.';

  it.each([
    ['that page', '/dashboard/listings/7/put-live', '/dashboard/listings/7/put-live'],
    ['the page above it', '/dashboard/listings/7/publish', '/dashboard/listings/7'],
    ['the nearest page above it', '/dashboard/uploads/upl_1/delete', '/dashboard/uploads'],
    ['the page Today', '/dashboard/sign-out', '/dashboard'],
    ['no page that needs no session', '/dashboard/sign-in/again', '/dashboard'],
    ['no page that is not there', '/dashboard/nothing/at/all', '/dashboard'],
  ])('says that nothing was done, and signing in leads to %s', async (_name, posted, to) => {
    const visitor = dashboard.createVisitor();
    const { status, location } = await visitor.post(posted, { sum: '0.40' });
    expect([status, location]).toEqual([
      303,
      `/dashboard/sign-in?${new URLSearchParams({ to, ended: '1' })}`,
    ]);
    const page = (await visitor.get(location)).text;
    expect(toText(page)).toContain(said);
    expect(page).toContain(`name="to" value="${to}"`);
    const { key } = await createKey();
    expect((await visitor.post('/dashboard/sign-in', { key, to })).location).toBe(to);
  });

  it('is the only request with that message', async () => {
    const visitor = dashboard.createVisitor();
    const { location } = await visitor.get('/dashboard/listings/7/put-live');
    for (const path of [location, '/dashboard/sign-in']) {
      expect(toText((await visitor.get(path)).text)).not.toContain('Your session has ended');
    }
  });

  it('leads nowhere else, whatever its address says', async () => {
    const visitor = dashboard.createVisitor();
    const { text } = await visitor.get('/dashboard/sign-in?to=https%3A%2F%2Fevil.example%2F&ended=1');
    expect(text).toContain('name="to" value="/dashboard"');
  });
});

describe('a sign-in link', () => {
  it('is used up by its button, not by opening it', async () => {
    const { token } = await dashboard.service.app.core.sessions.createLink(dashboard.account_id);
    const visitor = dashboard.createVisitor();
    for (let look = 0; look < 2; look += 1) {
      const page = await visitor.get(`/dashboard/sign-in?link=${token}`);
      expect(page.text).toContain('Open the dashboard');
      expect(page.headers.get('set-cookie')).toBeNull();
    }
    expect((await visitor.post('/dashboard/sign-in', { link: token })).status).toBe(303);
    expect((await visitor.get('/dashboard')).status).toBe(200);

    const second = dashboard.createVisitor();
    expect((await second.get(`/dashboard/sign-in?link=${token}`)).text).toContain('has been used');
    expect((await second.post('/dashboard/sign-in', { link: token })).status).toBe(401);
  });
});

describe('signing out', () => {
  it('ends the session on both sides', async () => {
    const visitor = await dashboard.signIn();
    const cookie = visitor.getCookie();
    const { headers, location } = await visitor.post('/dashboard/sign-out');
    expect(location).toBe('/dashboard/sign-in');
    expect(headers.get('set-cookie')).toMatch(/^listing-session-3000=; .*Max-Age=0$/);
    const kept = await fetch(`${dashboard.url}/dashboard`, { headers: { cookie }, redirect: 'manual' });
    expect(kept.status).toBe(303);
  });
});

describe('a form of the dashboard', () => {
  it('without the token of its own session does nothing', async () => {
    const visitor = await dashboard.signIn();
    const other = await dashboard.signIn();
    for (const csrf_token of ['', other.getToken()]) {
      const { status, text } = await visitor.post('/dashboard/sign-out', { csrf_token });
      expect(status).toBe(400);
      expect(text).toContain('does not belong to your session');
    }
    expect((await visitor.get('/dashboard')).status).toBe(200);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a hidden one', { origin: 'null' }],
  ])('of %s does nothing', async (_name, headers) => {
    const visitor = await dashboard.signIn();
    const { status } = await visitor.post('/dashboard/sign-out', {}, headers);
    expect(status).toBe(404);
    expect((await visitor.get('/dashboard')).status).toBe(200);
  });
});

it('the dashboard does not answer under a foreign host name', async () => {
  const { port } = new URL(dashboard.url);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const options = { port, path: '/dashboard/sign-in', headers: { host: 'evil.example' } };
    get(options, (response) => resolve(response.resume().statusCode)).once('error', reject);
  });
  expect(status).toBe(404);
});

describe('every page of the dashboard', () => {
  it('is not cached, not framed, and loads nothing from elsewhere', async () => {
    const visitor = await dashboard.signIn();
    for (const path of ['/dashboard', '/dashboard/sign-in', '/dashboard/nothing']) {
      const { headers } = await visitor.get(path);
      const policy = headers.get('content-security-policy');
      expect(headers.get('cache-control')).toBe('no-store');
      if (path === '/dashboard/sign-in') continue;
      expect(policy).toContain("default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
    }
  });

  it('that does not exist says so in the usual layout', async () => {
    const visitor = await dashboard.signIn();
    const { status, text } = await visitor.get('/dashboard/nothing');
    expect(status).toBe(404);
    expect(text).toContain('Sign out');
  });
});

it('a trial is marked as such on every page, and the real marketplace never', async () => {
  const said = 'nothing reaches Etsy';
  const visitor = await dashboard.signIn();
  const paths = ['/dashboard', '/dashboard/listings', '/dashboard/orders', '/dashboard/nothing'];
  for (const path of paths) expect((await visitor.get(path)).text).toContain(said);
  expect((await dashboard.createVisitor().get('/dashboard/sign-in')).text).toContain(said);

  const real = await startDashboard({
    MARKETPLACE: 'etsy',
    // Nothing listens there.
    ETSY_API_URL: 'http://127.0.0.1:9',
    ETSY_KEYSTRING: 'keystring',
    ETSY_SHARED_SECRET: 'secret',
  });
  try {
    const owner = await real.signIn();
    for (const path of paths) expect((await owner.get(path)).text).not.toContain(said);
    expect((await real.createVisitor().get('/dashboard/sign-in')).text).not.toContain(said);
  } finally {
    await real.close();
  }
});
