import { join } from 'node:path';
import { SCOPES } from '../../../../src/marketplace/index.js';
import { startSandbox } from '../../../../src/sandbox/index.js';
import type { TestService } from '../../../service.js';

/** Shops of the sandbox in addition to the two that every test has. */
export const MAPLE = { shop_id: 31450228, shop_name: 'MapleKilnStudio', currency_code: 'USD' };
export const FERN = { shop_id: 44107735, shop_name: 'FernAndFlaxHome', currency_code: 'EUR' };

/** Connects a shop of the sandbox, as its owner's consent does, and returns its target. */
export async function connectShop(service: TestService, shop_id: number) {
  const { account_id } = await service.app.core.accounts.getDefault();
  const { user_id } = await service.control<{ user_id: number }>('POST', '/shops/equip', { shop_id });
  const sandbox = await startSandbox({ database_file: join(service.data_dir, 'sandbox.db') });
  const { access_token, refresh_token } = sandbox.issueGrant(user_id, SCOPES);
  await sandbox.close();
  const access_expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const shop = { account_id, shop_id };
  await service.app.store.tokens.saveTokens(shop, {
    access_token,
    refresh_token,
    access_expires_at,
    scopes: [...SCOPES],
  });
  const { lists } = await service.app.core.shops.connect(shop);
  return {
    shop_id,
    shipping_profile_id: lists.shipping_profiles[0]?.shipping_profile_id ?? 0,
    return_policy_id: lists.return_policies[0]?.return_policy_id ?? 0,
  };
}
