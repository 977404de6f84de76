import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { operations } from '../tools/index.js';
import type { App, ComposeOptions } from './compose/app.js';
import { openBlobs, toInstallation, type OpenedBlobs } from './compose/blobs.js';
import { toCoreSettings } from './compose/core_settings.js';
import { createDiskCheck } from './compose/disk_check.js';
import { claimMarketplace } from './compose/folder.js';
import { chooseTools } from './compose/tools.js';
import { createMarketplace } from './compose/marketplace.js';
import { toBaseUrl, type Config } from './config.js';
import { createBackgroundLoop } from './core/background_loop.js';
import { createCore } from './core/core.js';
import { createWindowCounts } from './core/identity/window_counts.js';
import { createInvoke, type Invoke } from './core/operations/invoke.js';
import { createLimits } from './core/operations/limits.js';
import { createOrderListening } from './core/orders/listening.js';
import { findMarketplaceProxy } from './compose/marketplace_proxy.js';
import { createMedia } from './media/index.js';
import { openStore } from './store/index.js';
import { MARKETPLACE_MESSAGES_PATH } from './transports/service.js';
import { readPackage } from './version.js';
import { createDeliveryWorker, createReceiveMessage, createWebhookSender } from './webhooks/index.js';
import { systemClock } from './world/clock.js';
import { createIds } from './world/ids.js';
import { createLog } from './world/log.js';
import { systemRandomness } from './world/randomness.js';

export type { App, ComposeOptions } from './compose/app.js';

export async function compose(
  config: Config,
  { is_http, timeouts, network, clock: given_clock, wrapPorts = (ports) => ports, ...given }: ComposeOptions,
): Promise<App> {
  const tools = chooseTools(operations, config);
  const { root, version } = readPackage();
  const { data_dir, base_url } = config;
  const user_agent = `marketplace-listing-service/${version}`;
  const { randomness = systemRandomness, log = createLog(config.log_level) } = given;
  const ids = createIds(randomness);
  const clock = given_clock ?? systemClock;
  const store = await openStore({
    data_dir,
    database:
      config.database_url === undefined
        ? undefined
        : {
            url: config.database_url,
            max_connections: config.database_max_connections,
            clock: given_clock,
          },
    master_key: config.master_key,
    clock,
    randomness,
    ids,
    log,
    pause: given.pauseForLock,
  });
  const kept = await claim().catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const egress = {
    ...network,
    egress_allow_cidrs: config.egress_allow_cidrs,
    allow_http_webhooks: config.webhook_allow_http,
    user_agent,
  };
  const { min_free_bytes } = given;
  const disk = given.disk ?? createDiskCheck(data_dir, min_free_bytes);
  const blobs = given.blobs ?? kept.blobs;
  const media =
    given.media ??
    createMedia({
      ...egress,
      blobs,
      staging_dir: join(data_dir, 'staging'),
      thumbnail_dir: join(data_dir, 'thumbnails'),
      min_free_bytes,
      getMarketplaceOrigins: () => marketplace.getOrigins(),
      findMarketplaceProxy: (address) => findMarketplaceProxy(config, address),
    });
  const { tokens, app_limits, applications } = store;
  const marketplace = createMarketplace({
    config,
    tokens,
    app_limits,
    applications,
    clock,
    randomness,
    log,
    user_agent,
    timeouts,
    openNetwork: given.openNetwork,
    message_url:
      is_http && config.role !== 'worker' ? `${toLocalUrl(config)}${MARKETPLACE_MESSAGES_PATH}` : undefined,
  });
  const webhook_sender = createWebhookSender({ ...egress, clock, randomness, post: given.post });
  const core = createCore(
    wrapPorts({
      store,
      marketplace: marketplace.client,
      media,
      blobs,
      webhook_sender,
      clock,
      randomness,
      ids,
      log,
    }),
    toCoreSettings(config, given.limits),
  );
  const prepareShops = () => marketplace.prepareShops({ core, store, log });
  const order_listening = createOrderListening({
    orders: core.orders,
    has_polls: config.order_poll_seconds !== undefined,
    prepare: async () => {
      await prepareShops();
      await marketplace.start();
    },
    clock,
    log,
  });
  const listing_looks = createBackgroundLoop({ clock, log }, async (signal) => {
    await prepareShops();
    return core.refreshes.refreshDue(signal);
  });
  const docs_url = is_http ? `${base_url}/docs` : pathToFileURL(join(root, DOCS_FILE)).href;
  const rate_limits = { per_second: config.rate_limit_per_second, per_day: config.rate_limit_per_day };
  const limits = createLimits(store.rates, clock, rate_limits);
  const gate = createInvoke({ core, limits, log, docs_url, is_read_only: config.read_only });
  const invoke: Invoke = (operation, raw, call) => {
    const preparing = TAGS_WITHOUT_SHOPS.has(operation.tag) ? undefined : prepareShops();
    return preparing ? preparing.then(() => gate(operation, raw, call)) : gate(operation, raw, call);
  };

  const delivery_worker = createDeliveryWorker({
    deliveries: store.webhooks,
    outbox: core.outbox,
    clock,
    log,
  });
  let isStopping = false;
  return {
    service: {
      operations,
      tools,
      invoke,
      accounts: core.accounts,
      sessions: core.sessions,
      grants: core.grants,
      uploads: core.uploads,
      sheets: core.sheets,
      connecting: core.connecting,
      continuations: core.continuations,
      window_counts: createWindowCounts(store.window_counts, { clock, log }),
      suggestions: {
        async listShops(account_id, text) {
          await marketplace.prepareShops({ core, store, log });
          return core.suggestions.listShops(account_id, text);
        },
        listCategories: core.suggestions.listCategories,
      },
      receiveMarketplaceMessage: createReceiveMessage({
        getSecrets: async (shop_id) => [
          ...(await marketplace.getWebhookSecrets()),
          ...(shop_id === undefined ? [] : await applications.listWebhookSecrets(shop_id)),
        ],
        isExpecting: async () =>
          (await marketplace.getWebhookSecrets()).length > 0 || applications.hasWebhookSecrets(),
        order_hints: core.orders.hints,
        listing_hints: store.listing_hints,
        onTaken: (about) => {
          if (about === 'order') order_listening.followNow();
          else listing_looks.wake();
        },
        clock,
        log,
      }),
      clock,
      ids,
      log,
      version,
      is_sandbox: config.marketplace === 'sandbox',
      is_read_only: config.read_only,
      base_url,
      docs_url,
      rate_limits,
      mcp_wait_ms: config.mcp_wait_seconds * 1000,
      listTroubles: async () => [
        ...(isStopping ? ['the service is stopping'] : []),
        ...(await store.listTroubles()),
        ...describeUnsavedTokens(marketplace.client.countUnsavedTokens()),
        ...(await disk.listTroubles()),
        ...(await kept.listTroubles()),
      ],
      getFigures: async () => ({
        ...(await store.getFigures()),
        marketplace: marketplace.client.getFigures(),
        ...media.getFigures(),
        free_disk_bytes: await disk.getFreeBytes(),
      }),
    },
    core,
    store,
    config,
    delivery_worker,
    prepareShops,
    order_listening,
    listing_looks,
    warnOfClock: (signal) => marketplace.askForTime(signal),
    stopBeingReady() {
      isStopping = true;
    },
    async close() {
      isStopping = true;
      const stopped = Promise.all([
        core.sweeper.stop(),
        order_listening.stop(),
        listing_looks.stop(),
        core.listings.stop(),
        delivery_worker.stop(),
      ]);
      // Jobs and polls that were told to stop may be waiting inside a call for a limit or another process's
      // refresh.
      marketplace.client.turnAway();
      await stopped;
      await marketplace.close();
      await kept.close();
      await store.close();
    },
    drop: () => store.drop(),
  };

  async function claim(): Promise<OpenedBlobs> {
    await claimMarketplace(config, store);
    return openBlobs(config, { user_agent, clock, randomness, log }, toInstallation(store));
  }
}

/** A number only, since the probe needs no key. */
function describeUnsavedTokens(shops: number): string[] {
  if (shops === 0) return [];
  return [
    `new marketplace tokens of ${shops} ${shops === 1 ? 'shop' : 'shops'} cannot be saved, and only this process has them: check in the log whether the disk is full or the database locked, and do not stop the process before they are saved`,
  ];
}

/** The build generates it from the same operations that GET /docs shows. */
const DOCS_FILE = 'dist/src/docs/index.html';

/** None of these operations needs a shop, so none has to wait for the sandbox to start. */
const TAGS_WITHOUT_SHOPS: ReadonlySet<string> = new Set(['Webhooks', 'Images & Media']);

/** The address at which another process on this computer reaches the server. */
function toLocalUrl({ host, port }: Config): string {
  return toBaseUrl(['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host, port);
}
