import type { ApplicationKey, ApplicationStore } from '../../core/ports/store/applications.js';
import type { MarketplaceFigures } from '../../core/ports/store/figures.js';
import type { Marketplace } from '../../core/ports/marketplace.js';
import { MarketplaceError } from '../../core/ports/marketplace_call.js';
import type { ShopRef } from '../../core/ports/records.js';
import type { TokenStore } from '../../core/ports/store/store.js';
import { createEtsyClient, type EtsyClient, type EtsyClientOptions } from '../client.js';
import { routeShopCalls } from '../endpoints/shop_calls.js';
import { takeSlot } from '../limits/bucket.js';
import { createClockSkew } from '../time/clock_skew.js';
import { createMarketplaceTime } from '../time/marketplace_time.js';

export type EtsyMarketplaceOptions = Omit<EtsyClientOptions, keyof ApplicationKey | 'skew' | 'time'> & {
  /** The installation's own application; undefined if it has none. */
  own: ApplicationKey | undefined;
  /** The applications that accounts added. */
  applications: Pick<ApplicationStore, 'findShopApplication' | 'listApplications'>;
};

export type EtsyMarketplace = Marketplace & {
  /**
   * Makes one call with the installation's own key, so that a clock far from the marketplace's is reported
   * before the first request. Any answer will do; a failure is only logged.
   */
  askForTime(signal: AbortSignal): Promise<void>;
  /** Figures of the calls with each application's key since the start. */
  getFigures(): MarketplaceFigures[];
  /** Shops whose new tokens are only in this process's memory, since they could not be saved yet. */
  countUnsavedTokens(): number;
  /**
   * Call this when the process is about to stop: calls that wait for a limit or a token, and all new ones,
   * then fail as `unavailable`.
   */
  turnAway(): void;
  /** Refuses new calls, and waits for those in flight. */
  close(): Promise<void>;
};

/** How many characters of a keystring are shown: enough to distinguish it, without giving it away. */
const SHOWN_CHARS = 8;
const OWN_NAME = 'installation';

/**
 * The marketplace over several applications: a client for each, with its own key, pace and memory of limits.
 * A shop's calls go through the client of the application that its tokens were issued to, even if others have
 * more calls left.
 */
export function createEtsyMarketplace({
  own,
  applications,
  ...rest
}: EtsyMarketplaceOptions): EtsyMarketplace {
  // The marketplace has one clock, whichever application asks.
  const skew = createClockSkew(rest.log);
  const time = createMarketplaceTime(rest.log, rest.clock);
  const options = { ...rest, skew, time };
  /**
   * Clients of the applications that accounts added, by key and secret; after a secret is replaced, its old
   * client stays, unused.
   */
  const brought = new Map<string, EtsyClient>();
  const own_client = own && createClient(own, undefined);
  let isStopping = false;

  function createClient(key: ApplicationKey, bound_to: string | undefined): EtsyClient {
    return createEtsyClient({ ...options, ...key, tokens: bindTokens(options.tokens, bound_to) });
  }

  function listClients(): EtsyClient[] {
    return [...(own_client ? [own_client] : []), ...brought.values()];
  }

  /**
   * The client of an application that an account added. It is kept until the process ends, so call this only
   * for a key that the marketplace has accepted.
   */
  function getBrought({ keystring, shared_secret }: ApplicationKey): EtsyClient {
    const name = `${keystring}:${shared_secret}`;
    const known = brought.get(name);
    if (known) return known;
    const client = createClient({ keystring, shared_secret }, keystring);
    if (isStopping) client.turnAway();
    brought.set(name, client);
    return client;
  }

  function getOwn(): EtsyClient {
    if (own_client) return own_client;
    throw new MarketplaceError(
      'no_application',
      'the installation has no application of its own: ETSY_KEYSTRING is not set',
    );
  }

  async function pick(shop: ShopRef): Promise<EtsyClient> {
    const application = await applications.findShopApplication(shop);
    return application ? getBrought(application) : getOwn();
  }

  /** Tries the next application if one is refused, but waits for one whose limit is reached. */
  async function askForAccount<T>(account_id: string, ask: (client: EtsyClient) => Promise<T>): Promise<T> {
    if (own_client) return ask(own_client);
    let refused: unknown;
    for (const application of await applications.listApplications(account_id)) {
      try {
        return await ask(getBrought(application));
      } catch (cause) {
        if (!(cause instanceof MarketplaceError) || cause.failure !== 'credentials') throw cause;
        refused = cause;
      }
    }
    throw refused ?? new MarketplaceError('no_application', 'no shop is connected that has brought one');
  }

  function turnAway(): void {
    isStopping = true;
    for (const client of listClients()) client.turnAway();
  }

  const marketplace: EtsyMarketplace = {
    ...routeShopCalls(pick),
    until: (signal) => ({
      ...marketplace,
      ...routeShopCalls(async (shop) => (await pick(shop)).until(signal)),
    }),
    own_keystring: own?.keystring,
    async checkKey(key, call_options) {
      // The check shares no limits with other processes: the key may be wrong, and the keystring another
      // account's.
      const { app_limits, ...unshared } = options;
      const client = createEtsyClient({ ...unshared, ...key });
      try {
        await client.ping(call_options);
      } finally {
        await client.close();
      }
      // The key is valid, so the check counts towards its limits.
      await app_limits?.changeBucket(key.keystring, (bucket, now_ms) => takeSlot(bucket, now_ms, []));
    },
    async askForTime(signal) {
      if (!own) return;
      const quiet = { ...options.log, warn: options.log.debug };
      const client = createEtsyClient({ ...options, ...own, log: quiet, read_attempts: 1 });
      try {
        await client.ping({ signal });
      } catch (error) {
        options.log.debug('could not ask the marketplace for its time', { error });
      } finally {
        await client.close();
      }
    },
    getConsents: (key) => (key ? getBrought(key) : getOwn()),
    listCategories: (account_id, call_options) =>
      askForAccount(account_id, (client) => client.listCategories(call_options)),
    getCategoryProperties: (account_id, category_id, call_options) =>
      askForAccount(account_id, (client) => client.getCategoryProperties(category_id, call_options)),
    searchActiveListings: (account_id, query, call_options) =>
      askForAccount(account_id, (client) => client.searchActiveListings(query, call_options)),
    getDayLimit: async (shop) => (await pick(shop)).getDayLimit(),
    // A shop without an application makes no calls.
    getDayCalls: async (shop) => (await pick(shop).catch(() => undefined))?.getDayCalls(),
    getClockSkew: skew.get,
    findTime: time.find,
    getFigures: () => [
      ...(own_client ? [{ application: OWN_NAME, ...own_client.getFigures() }] : []),
      ...[...brought].map(([name, client]) => ({
        // The first characters of the keystring, and never of the secret after it, however short the
        // keystring is.
        application: name.slice(0, Math.min(SHOWN_CHARS, name.indexOf(':'))),
        ...client.getFigures(),
      })),
    ],
    countUnsavedTokens: () => listClients().reduce((sum, client) => sum + client.countUnsavedTokens(), 0),
    turnAway,
    async close() {
      turnAway();
      await Promise.all(listClients().map((client) => client.close()));
    },
  };
  return marketplace;
}

/**
 * The tokens that this application's client may use. A shop may be connected with another application after
 * its client was chosen and before its tokens are read; then nothing is sent.
 */
function bindTokens(tokens: TokenStore, keystring: string | undefined): TokenStore {
  return {
    ...tokens,
    async findTokens(shop) {
      const found = await tokens.findTokens(shop);
      if (!found || found.keystring === keystring) return found;
      throw new MarketplaceError('unavailable', 'the shop was connected with another application just now');
    },
  };
}
