import type { Config } from '../config.js';
import { getSecretFile, KEPT_SECRETS } from '../config/kept_secret.js';
import {
  MarketplaceError,
  type ApplicationKey,
  type AppLimits,
  type TokenStore,
} from '../core/ports/index.js';
import { createEtsyClient, SCOPES, type EtsyClient } from '../marketplace/index.js';
import {
  getContent,
  inspectFolder,
  type FolderInspection,
  type InspectedApplication,
  type InspectedShop,
} from '../store/index.js';
import { readPackage } from '../version.js';
import { systemClock } from '../world/clock.js';
import { systemRandomness } from '../world/randomness.js';
import { createLog } from '../world/log.js';
import { examineBlobs, type ExaminedBlobs } from './blobs.js';
import { findFolderOwner } from './folder.js';
import { getOwnKey } from './marketplace.js';

/**
 * The findings of `doctor` about an installation. Examining changes nothing, and renews no token; only a
 * bucket receives a few bytes, which are deleted again.
 */
export type Examination = {
  folder: FolderInspection;
  /**
   * Undefined unless the folder or the database was created with another marketplace than the configured one;
   * then shops and tokens are not examined.
   */
  strange_owner: StrangeOwner | undefined;
  /**
   * An examination of each application, the installation's own first; undefined with the sandbox, which each
   * process starts when it needs it.
   */
  marketplace: ApplicationExamination[] | undefined;
  /** The bucket or the folder of BLOB_STORE that stores the files; undefined if they are in the data folder. */
  blobs: ExaminedBlobs | undefined;
  /** OAuth scopes that the tokens of a shop need. */
  wanted_scopes: readonly string[];
};

/** The data that was created with another marketplace, and with which one. */
export type StrangeOwner = { place: 'folder' | 'database'; marketplace: string };

export type ApplicationExamination = {
  keystring: string;
  /** The account that added the application; undefined for the installation's own. */
  account_name: string | undefined;
  application: { id: number } | { error: MarketplaceError };
  /**
   * Milliseconds by which the marketplace's clock is ahead of this computer's; undefined if it did not
   * answer.
   */
  clock_skew_ms: number | undefined;
  limits: AppLimits;
  /**
   * Scopes of each shop's access token, as reported by the marketplace, by `account_id/shop_id`; expired
   * tokens are left out.
   */
  scopes: ReadonlyMap<string, string[] | MarketplaceError>;
};

/** How long a check waits for an answer. */
const TIMEOUT_MS = 10_000;

export async function examine(config: Config): Promise<Examination> {
  // A failure is the finding, not an error of the examination.
  const log = createLog('silent');
  const folder = await inspectFolder({
    ...config,
    database:
      config.database_url === undefined ? undefined : { url: config.database_url, clock: systemClock, log },
    secret_files: KEPT_SECRETS.map((variable) => getSecretFile(config.data_dir, variable)),
  });
  const strange_owner = findStrangeOwner(config, await findFolderOwner(config.data_dir), folder);
  const content = getContent(folder);
  const world = { user_agent: buildUserAgent(), clock: systemClock, randomness: systemRandomness, log };
  const blobs = await examineBlobs(config, world, content);
  const common = { folder, strange_owner, blobs, wanted_scopes: SCOPES };
  if (config.marketplace !== 'etsy') return { ...common, marketplace: undefined };
  const shops = strange_owner === undefined ? (content?.shops ?? []) : [];
  const brought = strange_owner === undefined ? (content?.applications ?? []) : [];
  const own = getOwnKey(config);
  const marketplace: ApplicationExamination[] = [];
  for (const application of [...(own ? [own] : []), ...brought]) {
    marketplace.push(await examineApplication(config, application, shops));
  }
  return { ...common, marketplace };
}

function findStrangeOwner(
  config: Config,
  folder_owner: string | undefined,
  { database }: FolderInspection,
): StrangeOwner | undefined {
  const database_owner = 'marketplace' in database ? database.marketplace : undefined;
  if (folder_owner !== undefined && folder_owner !== config.marketplace)
    return { place: 'folder', marketplace: folder_owner };
  if (database_owner !== undefined && database_owner !== config.marketplace)
    return { place: 'database', marketplace: database_owner };
  return undefined;
}

async function examineApplication(
  config: Config,
  application: ApplicationKey | InspectedApplication,
  shops: readonly InspectedShop[],
): Promise<ApplicationExamination> {
  const isBrought = 'account_id' in application;
  const own_shops = shops.filter(({ account_id, tokens }) =>
    isBrought
      ? account_id === application.account_id && tokens?.keystring === application.keystring
      : tokens?.keystring === undefined,
  );
  const client = createClient(config, application);
  try {
    const examined = await ask(client, own_shops);
    const account_name = isBrought ? application.account_name : undefined;
    return { keystring: application.keystring, account_name, ...examined };
  } finally {
    await client.close();
  }
}

async function ask(
  client: EtsyClient,
  shops: readonly InspectedShop[],
): Promise<Omit<ApplicationExamination, 'keystring' | 'account_name'>> {
  const application = await attempt(client.ping().then((id) => ({ id })));
  const scopes = new Map<string, string[] | MarketplaceError>();
  if ('id' in application) {
    for (const { account_id, shop_id, tokens } of shops) {
      if (!tokens || Date.parse(tokens.access_expires_at) <= Date.now()) continue;
      const granted = await attempt(client.listScopes(tokens.access_token));
      scopes.set(`${account_id}/${shop_id}`, 'error' in granted ? granted.error : granted);
    }
  }
  return {
    application,
    clock_skew_ms:
      'id' in application || application.error.status !== null ? client.getClockSkew() : undefined,
    limits: client.getLimits(),
    scopes,
  };
}

async function attempt<T extends object>(asking: Promise<T>): Promise<T | { error: MarketplaceError }> {
  try {
    return await asking;
  } catch (cause) {
    if (cause instanceof MarketplaceError) return { error: cause };
    throw cause;
  }
}

function buildUserAgent(): string {
  return `marketplace-listing-service/${readPackage().version}`;
}

function createClient(config: Config, { keystring, shared_secret }: ApplicationKey): EtsyClient {
  return createEtsyClient({
    proxy: config.marketplace_proxy,
    getApiUrl: () => Promise.resolve(config.etsy_api_url),
    getConsentUrl: () => Promise.resolve(config.etsy_auth_url),
    keystring,
    shared_secret,
    user_agent: buildUserAgent(),
    tokens: UNTOUCHED,
    clock: systemClock,
    randomness: systemRandomness,
    // A failure is the finding, not an error of the examination.
    log: createLog('silent'),
    call_timeout_ms: TIMEOUT_MS,
    read_attempts: 1,
  });
}

/**
 * A token store that refuses everything: the examination makes no call with a shop's token, so it cannot
 * renew one.
 */
const refuse = () => Promise.reject(new Error('An examination uses no grant.'));
const UNTOUCHED: TokenStore = {
  findTokens: refuse,
  renewTokens: refuse,
  markReconnectRequired: refuse,
  withRefreshLock: refuse,
};
