import { resolve } from 'node:path';
import {
  StoreUnavailableError,
  type Clock,
  type Ids,
  type Log,
  type Randomness,
  type Store,
} from '../core/ports/index.js';
import { createAccountRepository } from './identity/accounts.js';
import { createApiKeyRepository } from './identity/api_keys.js';
import { createApplicationRepository } from './shops/applications.js';
import { createCategoryRepository } from './shops/categories.js';
import { createContinuationRepository } from './identity/continuations.js';
import { createConnectRequestRepository } from './shops/connect_requests.js';
import type { Engines } from './engine/engine.js';
import { createBatchRepository } from './jobs/batches.js';
import { createBatchSweep } from './jobs/batch_sweep.js';
import { createJobRepository } from './jobs/jobs.js';
import { createSheetRepository, createSheetSweep } from './jobs/sheets.js';
import { createListingHintRepository } from './listings/hints.js';
import { createListingRepository } from './listings/listings.js';
import { createRefreshRepository } from './listings/refreshes.js';
import { closeDirectory, listStoreFiles } from './engine/sqlite/files.js';
import { createGrantRepository } from './identity/grants.js';
import { createOAuthClientRepository } from './identity/oauth_clients.js';
import { createOrderRepository } from './orders/orders.js';
import { createFigures } from './figures.js';
import { createAppLimitRepository } from './limits/app_limits.js';
import { createRateRepository } from './limits/rates.js';
import { createWindowCountRepository } from './limits/window_counts.js';
import { createUsageRepository } from './limits/usage.js';
import { createRefreshLock, type RefreshLock } from './shops/refresh_lock.js';
import { createPageTaskRepository } from './listings/page_tasks.js';
import { createSavedFilterRepository } from './listings/saved_filters.js';
import { createListingRetention } from './listings/retention.js';
import { createSessionRetention } from './identity/retention.js';
import { createSessionRepository } from './identity/sessions.js';
import type { PostgresEnginesOptions } from './engine/postgres/open.js';
import { openSqliteEngines } from './engine/sqlite/open.js';
import { openSecrets } from './secrets/master_key.js';
import type { Secrets } from './secrets/secrets.js';
import { StoreError } from './store_error.js';
import { createShopRepository } from './shops/shops.js';
import { createTokenRepository } from './shops/tokens.js';
import { createUploadSweep } from './uploads/sweep.js';
import { createUploadLinkRepository } from './uploads/upload_links.js';
import { createUploadRepository } from './uploads/uploads.js';
import { createWebhookRepository } from './webhooks/webhooks.js';

type OpenStoreOptions = {
  /** Created if missing, and closed to other users. With a database elsewhere it only contains the key file. */
  data_dir: string;
  /** For a PostgreSQL database; left out: SQLite, in files of data_dir. */
  database?: DatabaseOptions | undefined;
  /**
   * Base64 of 32 bytes, or 64 hexadecimal digits. Without it: the file master.key in data_dir, created at the first start.
   */
  master_key?: string | undefined;
  clock: Clock;
  randomness: Randomness;
  ids: Ids;
  log: Log;
  /** Waits between two attempts to get the write lock; default: in real time, which other processes use. */
  pause?: ((duration_ms: number) => Promise<void>) | undefined;
};

type DatabaseOptions = {
  /** `postgres://user:password@host:port/database?sslmode=...` */
  url: string;
  max_connections: number;
  /** Replaces the server's clock, for tests and simulations that set it. */
  clock?: Clock | undefined;
};

type OpenedStore = Store & {
  /** Closes everything at once, as the end of the process does: uncommitted work is lost, and running work fails. */
  drop(): void;
};

/**
 * Opens the database and the data directory, which other processes may have open, too. Throws StoreError if one of them must
 * not be used in its current state.
 */
export async function openStore({
  clock,
  randomness,
  ids,
  log,
  pause,
  ...options
}: OpenStoreOptions): Promise<OpenedStore> {
  const data_dir = resolve(options.data_dir);
  const common = { instance: ids.build('instance_'), clock, log };
  const engines = options.database
    ? await openDatabase(data_dir, { ...common, ...toServerOptions(options.database) })
    : await openSqliteEngines({ ...common, data_dir, pause });
  const engine = engines.service;
  const key_source = { master_key: options.master_key, file: listStoreFiles(data_dir).master_key };
  const secrets = await openSecrets(engine, key_source, randomness).catch(async (error: unknown) => {
    await closeEngines(engines);
    throw error;
  });
  const refresh_lock = createRefreshLock(engine, { clock, log });
  let closing: Promise<void> | undefined;
  return {
    ...createRepositories(engines, secrets, refresh_lock, log, ids),
    keepBlobFolder: (folder_id) => engines.keepBlobFolder(folder_id),
    keepMarketplace: (marketplace) => engines.keepMarketplace(marketplace),
    async listTroubles() {
      try {
        return await engines.listTroubles();
      } catch (error) {
        const refusal = error instanceof StoreUnavailableError ? error.cause : error;
        return [refusal instanceof StoreError ? refusal.message : 'the database does not answer'];
      }
    },
    close: () => {
      refresh_lock.close();
      return (closing ??= closeEngines(engines));
    },
    drop() {
      refresh_lock.close();
      engines.service.drop();
      engines.rates.drop();
    },
  };
}

/** The code for servers is only loaded if there is one. */
async function openDatabase(data_dir: string, options: PostgresEnginesOptions): Promise<Engines> {
  closeDirectory(data_dir);
  const { openPostgresEngines } = await import('./engine/postgres/open.js');
  return openPostgresEngines(options);
}

function toServerOptions({ clock, ...server }: DatabaseOptions) {
  return { ...server, engine_clock: clock };
}

async function closeEngines({ service, rates }: Engines): Promise<void> {
  await service.close();
  await rates.close();
}

function createRepositories(
  { service: engine, rates }: Pick<Engines, 'service' | 'rates'>,
  secrets: Secrets,
  { withRefreshLock }: RefreshLock,
  log: Log,
  ids: Ids,
): Omit<Store, 'listTroubles' | 'keepBlobFolder' | 'keepMarketplace' | 'close'> {
  const { sweepDeliveries, sweepEvents, ...webhooks } = createWebhookRepository(engine, secrets);
  const { sweepRecordedOrders, ...orders } = createOrderRepository(engine);
  return {
    accounts: unite(createAccountRepository(engine, ids), createApiKeyRepository(engine, log)),
    sessions: createSessionRepository(engine),
    grants: unite(createGrantRepository(engine, log), createOAuthClientRepository(engine)),
    shops: createShopRepository(engine),
    tokens: unite(createTokenRepository(engine, secrets), { withRefreshLock }),
    applications: createApplicationRepository(engine, secrets),
    connect_requests: createConnectRequestRepository(engine, secrets),
    categories: createCategoryRepository(engine),
    uploads: unite(
      unite(createUploadRepository(engine), createUploadLinkRepository(engine)),
      createUploadSweep(engine),
    ),
    listings: unite(createListingRepository(engine), createJobRepository(engine)),
    batches: createBatchRepository(engine),
    sheets: createSheetRepository(engine),
    refreshes: createRefreshRepository(engine),
    page_tasks: createPageTaskRepository(engine),
    saved_filters: createSavedFilterRepository(engine),
    webhooks,
    continuations: createContinuationRepository(engine, secrets),
    orders,
    listing_hints: createListingHintRepository(engine),
    retention: unite(unite(createListingRetention(engine), createSessionRetention(engine)), {
      ...createBatchSweep(engine),
      ...createSheetSweep(engine),
      sweepDeliveries,
      sweepEvents,
      sweepRecordedOrders,
    }),
    usage: createUsageRepository(engine),
    rates: createRateRepository(rates),
    app_limits: createAppLimitRepository(rates),
    window_counts: createWindowCountRepository(rates),
    getFigures: createFigures(engine),
  };
}

/**
 * Combines the functions of one subject from two repositories. If both have a function of the same name, the call does not
 * compile.
 */
function unite<One extends object, Other extends object>(
  one: One,
  other: Other,
  ..._same_names: keyof One & keyof Other extends never ? [] : [keyof One & keyof Other]
): One & Other {
  return { ...one, ...other };
}
