import { compose, type App } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { SANDBOX_SHOPS } from '../../src/sandbox/index.js';
import { operations } from '../../tools/index.js';
import type { World } from '../crash/world.js';
import { fixturePath } from '../service.js';

export type Account = { account_id: string; key: string; photo: string };

/** Accounts with the world's own shops and a photo each. */
export async function createAccounts(world: World, count: number): Promise<Account[]> {
  const app = await compose(loadConfig({}, world.environment), { is_http: false });
  try {
    const { account_id: first } = await app.core.accounts.getDefault();
    const accounts: Account[] = [];
    for (let number = 1; number <= count; number += 1) {
      const { account_id } = await app.core.accounts.create(`account-${number}`);
      for (const { shop_id } of SANDBOX_SHOPS) {
        const tokens = await app.store.tokens.findTokens({ account_id: first, shop_id });
        if (!tokens) throw new Error('the first account has tokens');
        await app.store.tokens.saveTokens({ account_id, shop_id }, tokens);
        await app.core.shops.connect({ account_id, shop_id });
      }
      const { key } = await app.core.accounts.createKey(account_id, 'caller');
      accounts.push({ account_id, key, photo: await uploadPhoto(app, account_id) });
    }
    return accounts;
  } finally {
    await app.close();
  }
}

async function uploadPhoto({ service }: App, account_id: string): Promise<string> {
  const operation = operations.find(({ id }) => id === 'file_upload');
  if (!operation) throw new Error('no operation file_upload');
  const caller = { account_id, credential: 'local', credential_id: 'test' } as const;
  const input = { path: fixturePath('photo-01.jpg'), type: 'image' };
  const outcome = await service.invoke(operation, { value: input }, { caller, face: 'cli' });
  if (!outcome.ok) throw new Error(outcome.error.error.message);
  return (outcome.output as { url: string }).url;
}
