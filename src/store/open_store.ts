import { resolve } from 'node:path';
import type { Clock, Ids, Log, Store } from '../core/ports/index.js';
import { createAccountTable } from './accounts.js';
import { createApiKeyTable } from './api_keys.js';
import { createCategoryRepository } from './shops/categories.js';
import { createContinuationTable } from './continuations.js';
import { createListingCreation } from './create_listing.js';
import { createConnectRequestTable } from './connect_requests.js';
import { createDatabase, type Database } from './database.js';
import type { Engine } from './engine/engine.js';
import { createSqliteEngine } from './engine/sqlite/engine.js';
import type { Tables } from './schema.js';
import { createJobTable } from './jobs.js';
import { createLeases } from './leases.js';
import { createListingTable } from './listings.js';
import { listStoreFiles } from './engine/sqlite/files.js';
import { createOpenCreates } from './open_creates.js';
import { createGrantTable } from './oauth_grants.js';
import { createOAuthClientTable } from './oauth_clients.js';
import { createOrderRepository } from './orders/orders.js';
import { createLastUsed, type LastUsed } from './last_used.js';
import { createPresence, type Presence } from './engine/sqlite/presence.js';
import { createPublicationTable } from './publications.js';
import { createFigures } from './figures.js';
import { createRates, type Rates } from './rates.js';
import { createRefreshLock, type RefreshLock } from './refresh_lock.js';
import { createRestoreTable } from './restores.js';
import { createRetention } from './retention.js';
import { createNeighbourCheck, endRun } from './engine/sqlite/runs.js';
import { createSessionTables } from './sessions.js';
import { openService, type Service } from './service.js';
import { createShopTable } from './shops.js';
import { createTokenTable } from './tokens.js';
import { createUploadLinkTable } from './upload_links.js';
import { createUploadTable } from './uploads.js';
import { createUsageTable } from './usage.js';
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
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { clock, ids, log } = options;
  const run_id = ids.build('run_');
  const files = listStoreFiles(resolve(options.data_dir));
  const service = await openService({
    data_dir: resolve(options.data_dir),
    master_key: options.master_key,
    run: { run_id, started_at: clock.now().toISOString() },
    log,
  });
  const database = createDatabase(service.sqlite);
  const presence = createPresence(files.presence);
  const engine = createSqliteEngine<Tables>({
    ...service.connections,
    instance: ids.build('instance_'),
    presence: createPresence(files.presence),
    clock,
  });
  const last_used = createLastUsed(database, clock, log);
  const rates = createRates(service.rates, log, createNeighbourCheck(service.sqlite, run_id));
  const refresh_lock = createRefreshLock(database, presence, { clock, ids, log });
  return {
    ...createTables(engine, database, service, rates, presence, last_used, refresh_lock, clock, ids),
    ...createLifecycle(engine, database, service, rates, presence, last_used, refresh_lock, run_id),
  };
}

function createTables(
  engine: Engine<Tables>,
  database: Database,
  { secrets }: Service,
  rates: Rates,
  presence: Presence,
  last_used: LastUsed,
  { withRefreshLock }: RefreshLock,
  clock: Clock,
  ids: Ids,
): Omit<Store, 'isReady' | 'close'> {
  const { sweepDeliveries, sweepEvents, ...webhooks } = createWebhookRepository(engine, secrets);
  const { sweepHeardOrders, ...orders } = createOrderRepository(engine);
  return {
    accounts: {
      ...createAccountTable(database, clock, ids),
      ...createApiKeyTable(database, clock, last_used),
    },
    sessions: createSessionTables(database, clock),
    grants: { ...createGrantTable(database, clock, last_used), ...createOAuthClientTable(database, clock) },
    shops: createShopTable(database),
    tokens: { ...createTokenTable(database, secrets), withRefreshLock },
    connect_requests: createConnectRequestTable(database, secrets, clock),
    categories: createCategoryRepository(engine),
    uploads: { ...createUploadTable(database), ...createUploadLinkTable(database, clock) },
    listings: {
      ...createListingCreation(database, presence),
      ...createListingTable(database),
      ...createJobTable(database),
      ...createLeases(database, presence),
      ...createPublicationTable(database),
      ...createOpenCreates(database),
      ...createRestoreTable(database),
    },
    webhooks,
    continuations: createContinuationTable(database, secrets, clock),
    orders,
    retention: { ...createRetention(database), sweepDeliveries, sweepEvents, sweepHeardOrders },
    usage: createUsageTable(database),
    rates,
    app_limits: rates,
    ...createFigures(database, engine),
  };
}

function createLifecycle(
  engine: Engine<Tables>,
  database: Database,
  service: Service,
  rates: Rates,
  presence: Presence,
  last_used: LastUsed,
  refresh_lock: RefreshLock,
  run_id: string,
): Pick<Store, 'isReady' | 'close'> {
  const probe = service.sqlite.prepare('SELECT 1 FROM runs LIMIT 1');
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    refresh_lock.close();
    try {
      await last_used.flush();
      await endRun(database, run_id);
    } finally {
      // The last connection to close also folds the write-ahead log into the file.
      await engine.close();
      await database.close();
      rates.settle();
      service.rates.close();
      presence.close();
    }
  };
  return {
    async isReady() {
      try {
        probe.get();
        return true;
      } catch {
        return false;
      }
    },
    close: () => (closing ??= close()),
  };
}
