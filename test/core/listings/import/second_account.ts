import { CLAY, type TestService } from '../../../service.js';

/** A second account with the shop of the first, as when the same seller connects it to both. */
export async function connectSecondAccount({ app: { core, store } }: TestService) {
  const { account_id: first } = await core.accounts.getDefault();
  const { account_id } = await core.accounts.create('second');
  const { shop_id } = CLAY;
  const kept = await core.shops.get({ account_id: first, shop_id });
  const tokens = await store.tokens.findTokens({ account_id: first, shop_id });
  if (!tokens) throw new Error('a connected shop has tokens');
  await store.tokens.saveTokens({ account_id, shop_id }, tokens);
  await store.shops.saveShop({ ...kept, account_id }, new Date().toISOString());
  return { account_id, credential: 'key', credential_id: 'test' } as const;
}
