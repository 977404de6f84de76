import type { AppLimits, AppLimitStore } from '../core/ports/store/app_limits.js';
import type { MarketplaceFigures } from '../core/ports/store/figures.js';
import type { Consents } from '../core/ports/marketplace.js';
import { MarketplaceError } from '../core/ports/marketplace_call.js';
import type { ShopCalls } from '../core/ports/shop_calls.js';
import type { TimeRange } from '../core/ports/records.js';
import type { TokenStore } from '../core/ports/store/store.js';
import type { Clock, Log, Randomness } from '../core/ports/world.js';
import { createApplication, type Application } from './access/application.js';
import { createAttributes } from './endpoints/attributes.js';
import { createCall, type Call, createCallCount } from './http/call.js';
import { createCategories, type CategoryCalls } from './endpoints/categories.js';
import { createConsents } from './access/consents.js';
import { createHttp } from './http/http.js';
import { createInventory } from './endpoints/inventory.js';
import { createListings } from './endpoints/listings.js';
import { createClockSkew, type ClockSkew } from './time/clock_skew.js';
import { createMarketplaceTime, type MarketplaceTime } from './time/marketplace_time.js';
import { createMedia } from './endpoints/media.js';
import { requestFreshTokens, type AppIdentity, type OAuthOptions } from './access/oauth.js';
import { openNetwork, type Network } from './http/network.js';
import { createPacing } from './limits/pacing.js';
import { createPersonalization } from './endpoints/personalization.js';
import { createReceipts } from './endpoints/receipts.js';
import { createSearch, type SearchCalls } from './endpoints/search.js';
import { createShops } from './endpoints/shops.js';
import { createTokens } from './access/tokens.js';

export type EtsyClientOptions = AppIdentity & {
  /**
   * Origin of the API; called before each request, so that an embedded marketplace can start when it is first
   * needed.
   */
  getApiUrl: () => Promise<string>;
  /** The page where sellers give their consent, such as https://www.etsy.com/oauth/connect. */
  getConsentUrl: () => Promise<string>;
  tokens: TokenStore;
  /** How requests are sent; over sockets if omitted. */
  openNetwork?: (() => Network) | undefined;
  /** The HTTP proxy that sockets go through; if omitted, they connect directly. */
  proxy?: string | undefined;
  /** Where processes with the same key share its limits; this process's own if omitted. */
  app_limits?: AppLimitStore;
  clock: Clock;
  /**
   * The estimate of the marketplace's clock, shared by clients of several applications; the client's own if
   * omitted.
   */
  skew?: ClockSkew;
  time?: MarketplaceTime;
  randomness: Randomness;
  log: Log;
  /** Total deadline of a call without a file, default 20 s. */
  call_timeout_ms?: number;
  /** Total deadline of a call with a file, default 120 s. */
  upload_timeout_ms?: number;
  /** Total deadline of a call to the token endpoint, default 60 s: if its answer is lost, so are the tokens. */
  token_timeout_ms?: number;
  /** How many times to try a read before it counts as unavailable, default 3. */
  read_attempts?: number;
};

/** All calls with the key of one application. */
export type EtsyClient = ShopCalls &
  CategoryCalls &
  SearchCalls &
  Consents &
  Application & {
    /** The calls for shops, which reject with the reason of the signal once it aborts. */
    until(signal: AbortSignal): ShopCalls;
    /**
     * The application's daily call limit, from the latest answer's headers; undefined before the first
     * answer.
     */
    getDayLimit(): number | undefined;
    getDayCalls(): { limit: number; remaining: number } | undefined;
    /**
     * Milliseconds that the marketplace's clock is ahead of ours, from its latest answers; 0 before the
     * first.
     */
    getClockSkew(): number;
    /** The marketplace's own time, which dates its listings. Undefined before its first answer. */
    findTime(): TimeRange | undefined;
    /** The limits of the application's key, as reported by the latest answers. */
    getLimits(): AppLimits;
    getFigures(): Omit<MarketplaceFigures, 'application'>;
    /** Shops whose new tokens are only in this process's memory, since they could not be saved yet. */
    countUnsavedTokens(): number;
    /**
     * Call this when the process is about to stop: calls that wait for a limit or a token, and all new ones,
     * fail as `unavailable`.
     */
    turnAway(): void;
    /** Refuses new calls, and waits for those in flight. */
    close(): Promise<void>;
  };

/** Etsy Open API v3, for one application: its calls share the limits of the key. */
export function createEtsyClient(options: EtsyClientOptions): EtsyClient {
  const { clock, log, call_timeout_ms = 20_000, token_timeout_ms = 60_000 } = options;
  const { keystring, shared_secret, user_agent } = options;
  const app = { keystring, shared_secret, user_agent };
  const getApiUrl = (): Promise<string> =>
    options.getApiUrl().catch((cause: unknown) => {
      throw new MarketplaceError('unavailable', 'there is no marketplace to speak to', { cause });
    });
  const http = createHttp(options.openNetwork?.() ?? openNetwork(options.proxy), () => clock.now());
  const getOAuth = async (): Promise<OAuthOptions> => ({
    ...app,
    api_url: await getApiUrl(),
    http,
    clock,
    timeout_ms: token_timeout_ms,
  });
  const pacing = createPacing({ store: options.app_limits, app: keystring, clock, log });
  const { skew = createClockSkew(log), time = createMarketplaceTime(log, clock) } = options;
  const count = createCallCount();
  const tokens = createTokens({
    store: options.tokens,
    clock,
    log,
    refresh: async (stored) => requestFreshTokens(await getOAuth(), stored),
  });
  const call = createCall({
    ...app,
    getApiUrl,
    http,
    pacing,
    tokens,
    skew,
    time,
    count,
    clock,
    log,
    call_timeout_ms,
    upload_timeout_ms: options.upload_timeout_ms ?? 120_000,
    read_attempts: options.read_attempts ?? 3,
  });

  const createShopCalls = (make: Call): ShopCalls => ({
    ...createShops(make),
    ...createListings(make, time),
    ...createMedia(make, options.randomness),
    ...createInventory(make),
    ...createAttributes(make),
    ...createPersonalization(make),
    ...createReceipts(make),
  });

  function turnAway(): void {
    const reason = new MarketplaceError('unavailable', 'the service is stopping');
    pacing.close(reason);
    tokens.turnAway(reason);
  }

  return {
    ...createApplication(call),
    ...createConsents(call, { keystring, getOAuth, getConsentUrl: options.getConsentUrl }),
    ...createCategories(call),
    ...createSearch(call),
    ...createShopCalls(call),
    until: (signal) =>
      createShopCalls((operation, request, parse, given) =>
        call(operation, request, parse, { ...given, signal: join(signal, given?.signal) }),
      ),
    getDayLimit: () => pacing.getLimits().per_day ?? undefined,
    getDayCalls() {
      const { per_day: limit, remaining_today: remaining } = pacing.getLimits();
      return limit === null || remaining === null ? undefined : { limit, remaining };
    },
    getLimits: pacing.getLimits,
    getClockSkew: skew.get,
    findTime: time.find,
    countUnsavedTokens: tokens.countUnsaved,
    getFigures: () => ({ calls: count.list(), left: pacing.getLeft() }),
    turnAway,
    async close() {
      turnAway();
      await tokens.close();
      await http.close();
    },
  };
}

function join(signal: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given ? AbortSignal.any([signal, given]) : signal;
}
