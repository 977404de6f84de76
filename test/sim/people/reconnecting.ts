import { SANDBOX_SHOPS } from '../../../src/sandbox/world/shops.js';
import { untilEnd } from '../world/machine.js';
import { SCOPES } from '../world/template.js';
import type { World } from '../world/world.js';

/**
 * A seller whose grant has ended (for example, because the answer to its refresh was lost) connects again.
 * Returns false if one may still have to.
 */
export async function reconnectShops({
  machines,
  marketplace,
  journal,
  schedule,
  revoked,
}: World): Promise<boolean> {
  const life = machines.find((machine) => machine.getLife() && !machine.isAsleep())?.getLife();
  if (!life) return false;
  const { app, account_id } = life;
  const shops = await untilEnd(life, app.core.shops.listConnected(account_id));
  if (shops === 'ended') return false;
  let isDone = true;
  for (const { shop_id, is_reconnect_required } of shops) {
    const owner = SANDBOX_SHOPS.find((one) => one.shop_id === shop_id);
    if (!is_reconnect_required || !owner) continue;
    if (schedule.now() < (revoked.get(shop_id) ?? 0)) {
      isDone = false;
      continue;
    }
    journal.note('seller', `connects ${shop_id} again`);
    const { access_token, refresh_token, expires_in } = marketplace.issueGrant(owner.user_id, SCOPES);
    const access_expires_at = new Date(schedule.now() + expires_in * 1000).toISOString();
    const tokens = { access_token, refresh_token, access_expires_at, scopes: SCOPES };
    const shop = { account_id, shop_id };
    const connecting = app.store.tokens.saveTokens(shop, tokens).then(() => app.core.shops.connect(shop));
    const outcome = await untilEnd(
      life,
      connecting.then(
        () => 'connected',
        () => 'failed',
      ),
    );
    if (outcome === 'ended') return false;
    isDone &&= outcome === 'connected';
  }
  return isDone;
}
