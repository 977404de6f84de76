import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the name of an account or a key', () => {
  it.each(['', ' ', 'a ', 'a\u202eb', 'x'.repeat(81)])('cannot be %j', async (name) => {
    const { accounts } = service.app.core;
    const { account_id } = await accounts.getDefault();
    const words = 'name: must have 1 to 80 visible characters';
    await expect(accounts.create(name)).rejects.toThrow(words);
    await expect(accounts.rename(account_id, name)).rejects.toThrow(words);
    await expect(accounts.createKey(account_id, name)).rejects.toThrow(words);
  });
});
