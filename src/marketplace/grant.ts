import { MarketplaceError, type CallOptions } from '../core/ports/marketplace.js';
import type { ShopTokens } from '../core/ports/store.js';
import type { Clock, Log } from '../core/ports/world.js';
import { createCall } from './call.js';
import { createClockSkew } from './clock_skew.js';
import { createHttp, type Http } from './http.js';
import { requestCodeTokens, type AppIdentity } from './oauth.js';
import { OPERATIONS } from './operations.js';
import { createPacing } from './pacing.js';
import { parseWire, self } from './wire.js';

export type GrantOptions = AppIdentity & {
  getApiUrl: () => Promise<string>;
  clock: Clock;
  log: Log;
  /** For each of the two calls, default 20 s. */
  call_timeout_ms?: number;
};

/** What a seller's consent came to: whose it is, and the tokens to keep. */
export type ShopGrant = { user_id: number; shop_id: number; tokens: ShopTokens };

/**
 * Trades the code that the consent page sent back for tokens, and asks whose shop they are for. `scopes` are those that were
 * asked for, `shops_r` among them. Throws MarketplaceError: `reconnect` for a code that is wrong, used or too old.
 */
export async function exchangeCode(
  options: GrantOptions,
  consent: { code: string; code_verifier: string; redirect_uri: string; scopes: readonly string[] },
  { signal }: CallOptions = {},
): Promise<ShopGrant> {
  const http = createHttp(() => options.clock.now());
  try {
    const tokens = await trade(http, options, consent, signal);
    return { ...(await getOwner(http, options, tokens.access_token, signal)), tokens };
  } finally {
    await http.close();
  }
}

async function trade(
  http: Http,
  { getApiUrl, call_timeout_ms: timeout_ms = 20_000, ...options }: GrantOptions,
  { scopes, ...grant }: Parameters<typeof exchangeCode>[1],
  signal: AbortSignal | undefined,
): Promise<ShopTokens> {
  const api_url = await getApiUrl();
  const outcome = await requestCodeTokens({ ...options, api_url, http, timeout_ms }, grant, signal);
  if (outcome.outcome !== 'tokens') throw outcome.error;
  return { ...outcome.tokens, scopes: [...scopes] };
}

function getOwner(
  http: Http,
  options: GrantOptions,
  access_token: string,
  signal: AbortSignal | undefined,
): Promise<{ user_id: number; shop_id: number }> {
  const call = createCall({
    ...options,
    http,
    pacing: createPacing({ clock: options.clock, random: () => 0 }),
    skew: createClockSkew(),
    tokens: {
      getAccessToken: () => Promise.resolve(access_token),
      replaceAccessToken: () =>
        Promise.reject(new MarketplaceError('reconnect', 'the new access token was refused')),
      close: () => Promise.resolve(),
    },
    call_timeout_ms: options.call_timeout_ms ?? 20_000,
    upload_timeout_ms: 0,
    read_attempts: 3,
  });
  // No account is known yet; only the token counts.
  const shop = { account_id: '', shop_id: 0 };
  return call(OPERATIONS.getMe, { shop }, (body) => parseWire(self, body), { ...(signal && { signal }) });
}
