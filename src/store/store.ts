import { resolve } from 'node:path';
import type { Clock, Ids, Log, Store } from '../core/ports/index.js';
import { createAccountRepository } from './identity/accounts.js';
import { createApiKeyRepository } from './identity/api_keys.js';
import { createCategoryRepository } from './shops/categories.js';
import { createContinuationRepository } from './identity/continuations.js';
import { createListingCreation } from './create_listing.js';
import { createConnectRequestRepository } from './shops/connect_requests.js';
import { createDatabase, type Database } from './database.js';
import type { Engine } from './engine/engine.js';
import { openConnection } from './engine/sqlite/connection.js';
import { createSqliteEngine } from './engine/sqlite/engine.js';
import type { Tables } from './schema.js';
import { createDeliveryTable } from './deliveries.js';
import { createDeliveryClaims } from './delivery_claims.js';
import { createDeliveryEnds } from './delivery_ends.js';
import { createDeliveryReturns } from './delivery_returns.js';
import { createDeliveryPages } from './delivery_pages.js';
import { createEndpointTable } from './endpoints.js';
import { createEventTable } from './events.js';
import { createJobTable } from './jobs.js';
import { createLeases } from './leases.js';
import { createListingTable } from './listings.js';
import { listStoreFiles } from './engine/sqlite/files.js';
import { createOpenCreates } from './open_creates.js';
import { createGrantRepository } from './identity/grants.js';
import { createOAuthClientRepository } from './identity/oauth_clients.js';
import { createHeardOrderTable } from './heard_orders.js';
import { createOrderHintTable } from './order_hints.js';
import { createOrderPollTable } from './order_polls.js';
import { createOrderWatchTable } from './order_watches.js';
import { createPresence, type Presence } from './engine/sqlite/presence.js';
import { createPublicationTable } from './publications.js';
import { createFigures } from './figures.js';
import { createAppLimitRepository } from './limits/app_limits.js';
import { createRateRepository } from './limits/rates.js';
import type { RateTables } from './limits/schema.js';
import { createUsageRepository } from './limits/usage.js';
import { createRefreshLock, type RefreshLock } from './shops/refresh_lock.js';
import { createRestoreTable } from './engine/sqlite/restores.js';
import { createListingRetention } from './listings/retention.js';
import { createHeardOrderRetention } from './orders/retention.js';
import { createDeliveryRetention } from './retention.js';
import { createSessionRetention } from './identity/retention.js';
import { createSessionRepository } from './identity/sessions.js';
import { openDataFolder, type DataFolder } from './engine/sqlite/open.js';
import { createShopRepository } from './shops/shops.js';
import { createTokenRepository } from './shops/tokens.js';
import { createUploadLinkRepository } from './uploads/upload_links.js';
import { createUploadRepository } from './uploads/uploads.js';

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
  const data_dir = resolve(options.data_dir);
  const files = listStoreFiles(data_dir);
  const folder = await openDataFolder({
    data_dir,
    master_key: options.master_key,
    now: clock.now(),
    log,
  });
  const process = {
    instance: ids.build('instance_'),
    presence: createPresence(files.presence),
    clock,
  };
  const engine = createSqliteEngine<Tables>({ ...folder.service, ...process });
  const rates = createSqliteEngine<RateTables>({ ...folder.rates, ...process });
  const refresh_lock = createRefreshLock(engine, { clock, log });
  // For the repositories that are not on the engine yet.
  const old = await openOld(files.service);
  const presence = createPresence(files.presence);
  return {
    ...createTables(engine, old, folder, rates, presence, refresh_lock, log, ids),
    ...createLifecycle(engine, old, rates, presence, refresh_lock),
  };
}

async function openOld(file: string): Promise<Database> {
  const sqlite = await openConnection(file, 'FULL');
  const database = createDatabase(sqlite);
  return {
    ...database,
    async close() {
      await database.close();
      // Kysely closes nothing where it was never asked for anything.
      sqlite.close();
    },
  };
}

function createTables(
  engine: Engine<Tables>,
  database: Database,
  { secrets }: DataFolder,
  rates: Engine<RateTables>,
  presence: Presence,
  { withRefreshLock }: RefreshLock,
  log: Log,
  ids: Ids,
): Omit<Store, 'isReady' | 'close'> {
  const { writeBeside, ...delivery_ends } = createDeliveryEnds(database, presence);
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
    uploads: { ...createUploadRepository(engine), ...createUploadLinkRepository(engine) },
    listings: {
      ...createListingCreation(database, presence),
      ...createListingTable(database),
      ...createJobTable(database),
      ...createLeases(database, presence),
      ...createPublicationTable(database),
      ...createOpenCreates(database),
      ...createRestoreTable(database),
    },
    webhooks: {
      ...createEndpointTable(database, secrets),
      ...createEventTable(database),
      ...createDeliveryClaims(database, secrets, presence, writeBeside),
      ...delivery_ends,
      ...createDeliveryReturns(database),
      ...createDeliveryTable(database),
      ...createDeliveryPages(database),
    },
    continuations: createContinuationRepository(engine, secrets),
    orders: {
      ...createOrderWatchTable(database),
      ...createHeardOrderTable(database),
      ...createOrderPollTable(database, presence),
      ...createOrderHintTable(database),
    },
    retention: {
      ...createDeliveryRetention(database),
      ...createHeardOrderRetention(engine),
      ...createListingRetention(engine),
      ...createSessionRetention(engine),
    },
    usage: createUsageRepository(engine),
    rates: createRateRepository(rates),
    app_limits: createAppLimitRepository(rates),
    ...createFigures(engine),
  };
}

function createLifecycle(
  engine: Engine<Tables>,
  database: Database,
  rates: Engine<RateTables>,
  presence: Presence,
  refresh_lock: RefreshLock,
): Pick<Store, 'isReady' | 'close'> {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    refresh_lock.close();
    await database.close();
    // The last connection to close also folds the write-ahead log into the file, and then the stop was a clean one.
    await engine.close();
    await rates.close();
    presence.close();
  };
  return {
    async isReady() {
      try {
        await engine.read((trx) => trx.selectFrom('accounts').select('account_id').limit(1).execute());
        return true;
      } catch {
        return false;
      }
    },
    close: () => (closing ??= close()),
  };
}
