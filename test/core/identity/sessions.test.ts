import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/core/identity/accounts.js';
import { createSessions } from '../../../src/core/identity/sessions.js';
import { createTestIds } from '../../store/ports.js';
import { openWorld } from '../../store/world.js';
import { systemRandomness } from '../../../src/world/randomness.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

async function setUp() {
  const { store, clock } = await openWorld();
  const accounts = createAccounts({ randomness: systemRandomness, store, ids: createTestIds() });
  const { account_id } = await accounts.getDefault();
  return {
    store,
    clock,
    accounts,
    account_id,
    sessions: createSessions({ randomness: systemRandomness, store }),
  };
}

describe('a session', () => {
  it('is found only by its token, until it ends', async () => {
    const { sessions, account_id } = await setUp();
    const { token, session } = await sessions.create(account_id);
    const other = await sessions.create(account_id);

    expect(token).toMatch(/^[\w-]{43}$/);
    expect(session).toEqual({
      account_id,
      key_id: null,
      csrf_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_at: '2026-12-20T10:00:00.000Z',
    });
    expect(other.session.csrf_token).not.toBe(session.csrf_token);
    expect(await sessions.find(token)).toEqual({ ...session, is_read_only: false });
    expect(await sessions.find(session.csrf_token)).toBeUndefined();
    await sessions.end(token);
    expect(await sessions.find(token)).toBeUndefined();
    expect(await sessions.find(other.token)).toEqual({ ...other.session, is_read_only: false });
  });

  it('ends after a week without use', async () => {
    const { sessions, account_id, clock } = await setUp();
    const { token } = await sessions.create(account_id);
    clock.advance(6 * DAY_MS);
    expect(await sessions.find(token)).toBeDefined();
    clock.advance(6 * DAY_MS);
    expect(await sessions.find(token)).toBeDefined();
    clock.advance(7 * DAY_MS);
    expect(await sessions.find(token)).toBeUndefined();
  });

  it('ends after 30 days, however often it is used', async () => {
    const { sessions, account_id, clock } = await setUp();
    const { token } = await sessions.create(account_id);
    for (let day = 1; day < 30; day += 1) {
      clock.advance(DAY_MS);
      expect(await sessions.find(token)).toBeDefined();
    }
    clock.advance(DAY_MS);
    expect(await sessions.find(token)).toBeUndefined();
  });

  it('ends with the key that opened it, and with no other', async () => {
    const { sessions, accounts, account_id } = await setUp();
    const { key, key_id } = await accounts.createKey(account_id, 'mine');
    const spare = await accounts.createKey(account_id, 'spare');
    expect(await accounts.findKey(key)).toMatchObject({ account_id, key_id });
    const { token } = await sessions.create(account_id, key_id);
    await accounts.revokeKey(account_id, spare.key_id);
    expect(await sessions.find(token)).toBeDefined();
    await accounts.revokeKey(account_id, key_id);
    expect(await sessions.find(token)).toBeUndefined();
  });

  it('stores nothing that could open it', async () => {
    const { sessions, account_id, store } = await setUp();
    const { token } = await sessions.create(account_id);
    expect(await store.sessions.findSession(token, DAY_MS)).toBeUndefined();
  });
});

describe('a sign-in link', () => {
  it('opens one session, and only viewing it opens none', async () => {
    const { sessions, account_id } = await setUp();
    const { token, expires_at } = await sessions.createLink(account_id);
    expect(expires_at).toBe('2026-11-20T10:15:00.000Z');
    expect(await sessions.isLinkOpen(token)).toBe(true);
    expect(await sessions.isLinkOpen(token)).toBe(true);

    const opened = await Promise.all([1, 2, 3].map(() => sessions.createByLink(token)));
    expect(opened.filter((session) => session !== undefined)).toHaveLength(1);
    expect(await sessions.isLinkOpen(token)).toBe(false);
    const { token: session_token = '' } = opened.find((session) => session !== undefined) ?? {};
    expect(await sessions.find(session_token)).toMatchObject({ account_id });
  });

  it('works for a quarter of an hour', async () => {
    const { sessions, account_id, clock } = await setUp();
    const { token } = await sessions.createLink(account_id);
    clock.advance(15 * MINUTE_MS);
    expect(await sessions.isLinkOpen(token)).toBe(false);
    expect(await sessions.createByLink(token)).toBeUndefined();
    expect(await sessions.isLinkOpen('guessed')).toBe(false);
    expect(await sessions.createByLink('guessed')).toBeUndefined();
  });
});

describe('a sign-in code', () => {
  it('opens one session, within 15 minutes', async () => {
    const { sessions, account_id, clock } = await setUp();
    const code = await sessions.createCode(account_id);
    expect(code).toMatch(/^\d{6}$/);
    const opened = await sessions.createByCode(` ${code.slice(0, 3)} ${code.slice(3)}\n`);
    expect(opened?.session).toMatchObject({ account_id, key_id: null });
    expect(await sessions.createByCode(code)).toBeUndefined();

    const late = await sessions.createCode(account_id);
    clock.advance(15 * MINUTE_MS);
    expect(await sessions.createByCode(late)).toBeUndefined();
  });

  it('is refused after five attempts, even if correct, until 15 minutes have passed', async () => {
    const { sessions, account_id, clock } = await setUp();
    const wrong = async () => sessions.createByCode('1000000');
    for (let tried = 0; tried < 5; tried += 1) expect(await wrong()).toBeUndefined();
    const code = await sessions.createCode(account_id);
    await expect(sessions.createByCode(code)).rejects.toMatchObject({
      code: 'RATE_LIMIT_SECOND',
      retry_after_seconds: 900,
    });
    clock.advance(15 * MINUTE_MS);
    const next = await sessions.createCode(account_id);
    expect(await sessions.createByCode(next)).toBeDefined();
  });

  it('does not work as a link, whose attempts are not limited', async () => {
    const { sessions, account_id } = await setUp();
    const code = await sessions.createCode(account_id);
    for (const token of [code, `code ${code}`]) {
      expect(await sessions.isLinkOpen(token)).toBe(false);
      expect(await sessions.createByLink(token)).toBeUndefined();
    }
    expect(await sessions.createByCode(code)).toBeDefined();
  });
});
