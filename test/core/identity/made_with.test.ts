import { afterEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../service.js';

let service: TestService | undefined;
afterEach(() => service?.close());

const HOUR_MS = 60 * 60 * 1000;

async function open() {
  service = await startService();
  const { accounts } = service.app.core;
  const { account_id } = await accounts.getDefault();
  const find = async (key_id: string) =>
    (await accounts.listKeys(account_id)).find((key) => key.key_id === key_id);
  return { accounts, account_id, find };
}

describe('a key created by a session that was opened with a key', () => {
  it('expires with that key, or earlier if it was given a shorter lifetime', async () => {
    const { accounts, account_id } = await open();
    const maker = await accounts.createKey(account_id, 'maker', { life_ms: 2 * HOUR_MS });
    const made_with = maker.key_id;
    const same = await accounts.createKey(account_id, 'no end', { made_with });
    expect(same.expires_at).toBe(maker.expires_at);
    const later = await accounts.createKey(account_id, 'later', { made_with, life_ms: 9 * HOUR_MS });
    expect(later.expires_at).toBe(maker.expires_at);
    const earlier = await accounts.createKey(account_id, 'earlier', { made_with, life_ms: HOUR_MS });
    expect(Date.parse(earlier.expires_at ?? '')).toBeLessThan(Date.parse(maker.expires_at ?? ''));
  });

  it('is read-only if that key is, and has no expiry if that key has none', async () => {
    const { accounts, account_id, find } = await open();
    const reader = await accounts.createKey(account_id, 'reader', { is_read_only: true });
    const made = await accounts.createKey(account_id, 'made', { made_with: reader.key_id });
    expect(await find(made.key_id)).toMatchObject({ is_read_only: true, expires_at: null });
  });

  it('is refused if that key was revoked or belongs to another account', async () => {
    const { accounts, account_id } = await open();
    const { key_id } = await accounts.createKey(account_id, 'revoked');
    await accounts.revokeKey(account_id, key_id);
    const other = await accounts.create('other');
    const foreign = await accounts.createKey(other.account_id, 'foreign');
    const before = await accounts.listKeys(account_id);
    for (const made_with of [key_id, foreign.key_id]) {
      await expect(accounts.createKey(account_id, 'made', { made_with })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
    }
    expect(await accounts.listKeys(account_id)).toEqual(before);
  });
});
