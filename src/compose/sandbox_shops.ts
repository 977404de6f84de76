import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Core } from '../core/core.js';
import type { Clock, Log, Store } from '../core/ports/index.js';
import { SCOPES } from '../marketplace/index.js';
import type { Sandbox } from '../sandbox/index.js';
import { SANDBOX_SHOPS } from '../sandbox/world/shops.js';

/** The name of a file that is written once the sandbox's shops have been connected. */
export const SHOPS_CONNECTED_FILE = 'sandbox-connected';

type World = { core: Core; store: Store; log: Log };

/**
 * Connects the sandbox's two shops to the default account, once for each data directory, so that a shop that
 * was disconnected does not come back. Processes that start at the same time may do it twice, which has no
 * effect. A failure is logged, and retried at the next call.
 */
export function createShopConnector(options: {
  data_dir: string;
  clock: Clock;
  getSandbox: () => Promise<Sandbox>;
}): (world: World) => Promise<void> | undefined {
  const marker = join(options.data_dir, SHOPS_CONNECTED_FILE);
  let connecting: Promise<void> | undefined;
  let isDone = false;

  return (world) => {
    if (isDone) return undefined;
    connecting ??= connectOnce(world).catch((error: unknown) => {
      connecting = undefined;
      world.log.warn("the sandbox's shops could not be connected", { error });
    });
    return connecting;
  };

  async function connectOnce(world: World): Promise<void> {
    await connectWhereNew(world);
    isDone = true;
  }

  async function connectWhereNew(world: World): Promise<void> {
    if (await exists(marker)) return;
    const { account_id } = await world.core.accounts.getDefault();
    const connected = await world.store.shops.listShops(account_id);
    if (connected.length === 0) await connectAll(world, account_id);
    await writeFile(marker, '', { mode: 0o600 });
  }

  async function connectAll({ core, store }: World, account_id: string): Promise<void> {
    const sandbox = await options.getSandbox();
    for (const { shop_id, user_id } of SANDBOX_SHOPS) {
      const shop = { account_id, shop_id };
      const grant = sandbox.issueGrant(user_id, SCOPES);
      await store.tokens.saveTokens(shop, {
        access_token: grant.access_token,
        refresh_token: grant.refresh_token,
        access_expires_at: new Date(options.clock.now().getTime() + grant.expires_in * 1000).toISOString(),
        scopes: [...SCOPES],
      });
      await core.shops.connect(shop);
    }
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
