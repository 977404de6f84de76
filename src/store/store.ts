import { resolve } from 'node:path';
import type { Clock, Ids, Log, Store } from '../core/ports/index.js';
import { createAccountRepository } from './identity/accounts.js';
import { createApiKeyRepository } from './identity/api_keys.js';
import { createCategoryRepository } from './shops/categories.js';
import { createContinuationRepository } from './identity/continuations.js';
import { createConnectRequestRepository } from './shops/connect_requests.js';
import type { Engine } from './engine/engine.js';
import { createSqliteEngine } from './engine/sqlite/engine.js';
import type { Tables } from './schema.js';
import { createJobRepository } from './jobs/jobs.js';
import { createListingRepository } from './listings/listings.js';
import { listStoreFiles } from './engine/sqlite/files.js';
import { createGrantRepository } from './identity/grants.js';
import { createOAuthClientRepository } from './identity/oauth_clients.js';
import { createOrderRepository } from './orders/orders.js';
import { createPresence } from './engine/sqlite/presence.js';
import { createFigures } from './figures.js';
import { createAppLimitRepository } from './limits/app_limits.js';
import { createRateRepository } from './limits/rates.js';
import type { RateTables } from './limits/schema.js';
import { createUsageRepository } from './limits/usage.js';
import { createRefreshLock, type RefreshLock } from './shops/refresh_lock.js';
import { createListingRetention } from './listings/retention.js';
import { createSessionRetention } from './identity/retention.js';
import { createSessionRepository } from './identity/sessions.js';
import { openDataFolder } from './engine/sqlite/open.js';
import type { Secrets } from './secrets/secrets.js';
import { createShopRepository } from './shops/shops.js';
import { createTokenRepository } from './shops/tokens.js';
import { createUploadSweep } from './uploads/sweep.js';
import { createUploadLinkRepository } from './uploads/upload_links.js';
import { createUploadRepository } from './uploads/uploads.js';
import { createWebhookRepository } from './webhooks/webhooks.js';

export type OpenStoreOptions = {
  /** Made when missing, and closed to other users. */
  data_dir: string;
  /** Base64 of 32 bytes, or 64 hexadecimal digits. Without it: the file master.key in data_dir, made at the first start. */
  master_key?: string | undefined;
  clock: Clock;
  ids: Ids;
  log: Log;
};

/** Opens the data directory, which other processes may have open too. Throws StoreError when it must not be used as it is. */
export async function openStore({ clock, ids, log, ...options }: OpenStoreOptions): Promise<Store> {
  const data_dir = resolve(options.data_dir);
  const { service, rates, secrets } = await openDataFolder({
    data_dir,
    master_key: options.master_key,
    now: clock.now(),
    log,
  });
  const presence = createPresence(listStoreFiles(data_dir).presence);
  const instance = ids.build('instance_');
  const engine = createSqliteEngine<Tables>({ ...service, instance, presence, clock });
  const rates_engine = createSqliteEngine<RateTables>({ ...rates, instance, presence, clock });
  const refresh_lock = createRefreshLock(engine, { clock, log });
  let closing: Promise<void> | undefined;
  return {
    ...createRepositories(engine, rates_engine, secrets, refresh_lock, log, ids),
    isReady: () =>
      engine
        .read((trx) => trx.selectFrom('accounts').select('account_id').limit(1).execute())
        .then(
          () => true,
          () => false,
        ),
    close: () => (closing ??= close(engine, rates_engine, refresh_lock)),
  };
}

async function close(
  engine: Engine<Tables>,
  rates: Engine<RateTables>,
  refresh_lock: RefreshLock,
): Promise<void> {
  refresh_lock.close();
  await engine.close();
  await rates.close();
}

function createRepositories(
  engine: Engine<Tables>,
  rates: Engine<RateTables>,
  secrets: Secrets,
  { withRefreshLock }: RefreshLock,
  log: Log,
  ids: Ids,
): Omit<Store, 'isReady' | 'close'> {
  const { sweepDeliveries, sweepEvents, ...webhooks } = createWebhookRepository(engine, secrets);
  const { sweepHeardOrders, ...orders } = createOrderRepository(engine);
  return {
    accounts: {
      ...createAccountRepository(engine, ids),
      ...createApiKeyRepository(engine, log),
    },
    sessions: createSessionRepository(engine),
    grants: { ...createGrantRepository(engine, log), ...createOAuthClientRepository(engine) },
    shops: createShopRepository(engine),
    tokens: { ...createTokenRepository(engine, secrets), withRefreshLock },
    connect_requests: createConnectRequestRepository(engine, secrets),
    categories: createCategoryRepository(engine),
    uploads: {
      ...createUploadRepository(engine),
      ...createUploadLinkRepository(engine),
      ...createUploadSweep(engine),
    },
    listings: { ...createListingRepository(engine), ...createJobRepository(engine) },
    webhooks,
    continuations: createContinuationRepository(engine, secrets),
    orders,
    retention: {
      sweepDeliveries,
      sweepEvents,
      sweepHeardOrders,
      ...createListingRetention(engine),
      ...createSessionRetention(engine),
    },
    usage: createUsageRepository(engine),
    rates: createRateRepository(rates),
    app_limits: createAppLimitRepository(rates),
    ...createFigures(engine),
  };
}
