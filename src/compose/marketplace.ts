import type { Config } from '../config.js';
import type { Core } from '../core/core.js';
import type {
  ApplicationKey,
  ApplicationStore,
  AppLimitStore,
  Clock,
  Log,
  Randomness,
  Store,
  TokenStore,
} from '../core/ports/index.js';
import {
  createEtsyMarketplace,
  type EtsyMarketplace,
  type EtsyMarketplaceOptions,
} from '../marketplace/index.js';
import type { Sandbox, SandboxOptions } from '../sandbox/index.js';
// Imports only the data: the sandbox's own index would load its server as well, which many processes never
// need.
import { SANDBOX_APP } from '../sandbox/world/shops.js';
import { getSandboxFile } from './folder.js';
import { createShopConnector } from './sandbox_shops.js';

type ConnectedMarketplace = {
  client: EtsyMarketplace;
  /**
   * Origins of the API and, for the embedded marketplace, of its photos; the real one's photos are at public
   * addresses.
   */
  getOrigins(): Promise<readonly string[]>;
  /** In the sandbox: connects its shops before the first call that could need them. Never throws. */
  prepareShops(world: { core: Core; store: Store; log: Log }): Promise<void> | undefined;
  /**
   * Secrets that sign the marketplace's messages for the installation's own application; empty if none are
   * expected.
   */
  getWebhookSecrets(): Promise<readonly string[]>;
  /**
   * Starts the embedded marketplace, which sends its messages to this process. Does nothing for the real one.
   */
  start(): Promise<void>;
  /** Asks the real one for its time, so that a clock that is far off is reported. Never throws. */
  askForTime(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** How long the client waits for an answer; its own defaults if omitted. */
export type CallTimeouts = Pick<
  EtsyMarketplaceOptions,
  'call_timeout_ms' | 'upload_timeout_ms' | 'token_timeout_ms'
>;

type Options = {
  config: Config;
  tokens: TokenStore;
  app_limits: AppLimitStore;
  applications: ApplicationStore;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  user_agent: string;
  timeouts: CallTimeouts | undefined;
  openNetwork: EtsyMarketplaceOptions['openNetwork'];
  /** Where messages of the embedded marketplace can reach this process; undefined if it does not listen. */
  message_url: string | undefined;
};

/** The marketplace's client, and with MARKETPLACE=sandbox the marketplace itself, started at the first call. */
export function createMarketplace({ config, timeouts, message_url, ...rest }: Options): ConnectedMarketplace {
  if (config.marketplace === 'etsy') {
    const client = createEtsyMarketplace({
      ...rest,
      ...timeouts,
      proxy: config.marketplace_proxy,
      getApiUrl: () => Promise.resolve(config.etsy_api_url),
      getConsentUrl: () => Promise.resolve(`${config.etsy_auth_url}${CONSENT_PATH}`),
      own: getOwnKey(config),
    });
    return {
      client,
      getOrigins: () => Promise.resolve([new URL(config.etsy_api_url).origin]),
      prepareShops: () => undefined,
      getWebhookSecrets: () => Promise.resolve(config.etsy_webhook_secret),
      start: () => Promise.resolve(),
      askForTime: (signal) => client.askForTime(signal),
      close: () => client.close(),
    };
  }

  const [secret = buildSecret(rest.randomness)] = config.etsy_webhook_secret;
  const webhook = message_url === undefined ? undefined : { url: message_url, secret };
  let starting: Promise<Sandbox> | undefined;
  const getSandbox = () => {
    starting ??= startSandbox(config, webhook).catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    return starting;
  };
  const client = createEtsyMarketplace({
    ...rest,
    ...timeouts,
    getApiUrl: async () => (await getSandbox()).url,
    getConsentUrl: async () => `${(await getSandbox()).url}${CONSENT_PATH}`,
    own: { keystring: SANDBOX_APP.keystring, shared_secret: SANDBOX_APP.shared_secret },
  });
  return {
    client,
    async getOrigins() {
      const sandbox = await getSandbox();
      return [sandbox.url, sandbox.getLinkOrigin()];
    },
    prepareShops: createShopConnector({ data_dir: config.data_dir, clock: rest.clock, getSandbox }),
    getWebhookSecrets: () => Promise.resolve([secret, ...config.etsy_webhook_secret.slice(1)]),
    async start() {
      await getSandbox();
    },
    // The embedded one uses this computer's clock.
    askForTime: () => Promise.resolve(),
    async close() {
      await client.close();
      const sandbox = await starting?.catch(() => undefined);
      await sandbox?.close();
    },
  };
}

/** Undefined if each shop brings its own. */
export function getOwnKey({ etsy_keystring, etsy_shared_secret }: Config): ApplicationKey | undefined {
  if (etsy_keystring === undefined || etsy_shared_secret === undefined) return undefined;
  return { keystring: etsy_keystring, shared_secret: etsy_shared_secret };
}

const CONSENT_PATH = '/oauth/connect';

/**
 * The port of links to the sandbox's listings and photos, unless another program has the port when a folder
 * is first used.
 */
const SANDBOX_PORT = 4610;

async function startSandbox(config: Config, webhook: SandboxOptions['webhook']): Promise<Sandbox> {
  const sandbox = await import('../sandbox/index.js');
  return sandbox.startSandbox({
    address_port: SANDBOX_PORT,
    database_file: getSandboxFile(config.data_dir),
    control: config.sandbox_control,
    latency_ms: config.sandbox_latency_ms,
    rate_per_second: config.sandbox_rate,
    ...(webhook && { webhook }),
  });
}

/** The service and its sandbox share this secret within one process; nothing else needs it. */
function buildSecret(randomness: Randomness): string {
  return `whsec_${randomness.bytes(32).toString('base64')}`;
}
