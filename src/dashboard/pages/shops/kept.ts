import type { ConnectedShop } from '../../../core/ports/index.js';
import type { OwnVisit } from '../../page.js';

/** Every connected shop with all data stored about it. */
export async function listKept({ operations, core, account_id }: OwnVisit): Promise<ConnectedShop[]> {
  // In the sandbox, shops are connected by the first operation that refers to shops, so make that call first.
  await operations.call('stores_list', {});
  return core.shops.listConnected(account_id);
}

/** Throws STORE_NOT_FOUND. */
export async function getKept(visit: OwnVisit, shop_id: number): Promise<ConnectedShop> {
  await visit.operations.call('stores_list', {});
  return visit.core.shops.get({ account_id: visit.account_id, shop_id });
}
