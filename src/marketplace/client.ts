import type { Clock, Log, Marketplace, TokenStore } from '../core/ports/index.js';
import { createAccessTokens } from './access_tokens.js';
import { createSend } from './call.js';
import { createClockSkew } from './clock_skew.js';
import { createFileCalls } from './files.js';
import { createHttp } from './http.js';
import { createInventoryCalls } from './inventory.js';
import { createListingCalls } from './listings.js';
import { createPacing } from './pacing.js';
import { createResearch } from './research.js';
import { createShopReads } from './shops.js';

export type EtsyClientOptions = {
  /** Origin, such as https://api.etsy.com. A function, because the embedded sandbox starts only when it is first needed. */
  getApiUrl: () => Promise<string>;
  keystring: string;
  shared_secret: string;
  tokens: TokenStore;
  clock: Clock;
  log: Log;
  user_agent: string;
  call_timeout_ms?: number;
  upload_timeout_ms?: number;
  read_attempts?: number;
};

/** Etsy Open API v3 as the core's marketplace. One per process: its pacing is the application's. */
export function createEtsyClient(options: EtsyClientOptions): Marketplace & { close(): Promise<void> } {
  const { getApiUrl, keystring, shared_secret, tokens, clock, log } = options;
  const http = createHttp(options.user_agent);
  const skew = createClockSkew();
  const send = createSend({
    http,
    pacing: createPacing(clock),
    access_tokens: createAccessTokens({ http, getApiUrl, keystring, clock, tokens }),
    getApiUrl,
    // The keystring alone is refused since February 2026.
    api_key: `${keystring}:${shared_secret}`,
    clock,
    log,
    call_timeout_ms: options.call_timeout_ms ?? 20_000,
    upload_timeout_ms: options.upload_timeout_ms ?? 120_000,
    read_attempts: options.read_attempts ?? 3,
    onDate: skew.learn,
  });
  return {
    ...createShopReads(send),
    ...createResearch(send),
    ...createListingCalls(send),
    ...createFileCalls(send),
    ...createInventoryCalls(send),
    getClockSkew: skew.get,
    close: () => http.close(),
  };
}
