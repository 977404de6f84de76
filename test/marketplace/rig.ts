import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Log, LogFields, ShopRef, ShopTokens, TokenStore } from '../../src/core/ports/index.js';
import { createEtsyClient, type EtsyClientOptions } from '../../src/marketplace/index.js';
import { systemRandomness } from '../../src/world/randomness.js';

export const SHOP: ShopRef = { account_id: 'acc_1', shop_id: 501 };
export const NOW = new Date('2026-11-20T10:00:00.000Z');

/** A clock that stands still except during sleeps, which take no real time. */
export function createStillClock(): Clock & {
  slept_ms: number[];
  advance(duration_ms: number): void;
  set(ahead_ms: number): void;
} {
  let passed_ms = 0;
  let ahead_ms = 0;
  const slept_ms: number[] = [];
  return {
    slept_ms,
    now: () => new Date(NOW.getTime() + passed_ms + ahead_ms),
    monotonic: () => passed_ms,
    advance(duration_ms) {
      passed_ms += duration_ms;
    },
    /** Elapsed time is unaffected: how far `now` is off from now on. */
    set(by_ms) {
      ahead_ms = by_ms;
    },
    async sleep(duration_ms, signal) {
      signal?.throwIfAborted();
      slept_ms.push(duration_ms);
      // Work that is ready runs before the time has passed.
      await nextTurn();
      signal?.throwIfAborted();
      passed_ms += duration_ms;
    },
  };
}

export type MemoryTokens = TokenStore & {
  stored: Map<number, ShopTokens>;
  saved: ShopTokens[];
  reconnects: number[];
};

/** The port in memory. Its lock is a queue per shop, like the lock between processes. */
export function createMemoryTokens(first: Partial<ShopTokens> = {}): MemoryTokens {
  const stored = new Map([[SHOP.shop_id, buildTokens(first)]]);
  const saved: ShopTokens[] = [];
  const reconnects: number[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return {
    stored,
    saved,
    reconnects,
    findTokens: async ({ shop_id }) => stored.get(shop_id),
    async renewTokens({ shop_id }, used, fresh) {
      if (stored.get(shop_id)?.refresh_token !== used.refresh_token) return false;
      stored.set(shop_id, fresh);
      saved.push(fresh);
      return true;
    },
    async markReconnectRequired({ shop_id }) {
      reconnects.push(shop_id);
    },
    withRefreshLock(_shop, refresh) {
      const run = last.then(refresh, refresh);
      last = run.catch(() => undefined);
      return run;
    },
  };
}

export function buildTokens(tokens: Partial<ShopTokens> = {}): ShopTokens {
  return {
    access_token: '77.first-access',
    refresh_token: '77.first-refresh',
    access_expires_at: new Date(NOW.getTime() + 3_600_000).toISOString(),
    scopes: ['listings_r', 'listings_w', 'shops_r'],
    ...tokens,
  };
}

type LogLine = { level: string; message: string; fields: LogFields | undefined };

export function createMemoryLog(): Log & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write = (level: string) => (message: string, fields?: LogFields) => {
    lines.push({ level, message, fields });
  };
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

export type Rig = {
  client: ReturnType<typeof createEtsyClient>;
  clock: ReturnType<typeof createStillClock>;
  tokens: MemoryTokens;
  log: ReturnType<typeof createMemoryLog>;
};

/** A client for the server at this address, with a still clock and no randomness. */
export function buildRig(
  url: string,
  options: Partial<EtsyClientOptions> & { tokens?: MemoryTokens } = {},
): Rig {
  const clock = createStillClock();
  const log = createMemoryLog();
  const tokens = options.tokens ?? createMemoryTokens();
  const client = createEtsyClient({
    randomness: systemRandomness,
    getApiUrl: () => Promise.resolve(url),
    getConsentUrl: () => Promise.resolve(`${url}/oauth/connect`),
    keystring: 'key',
    shared_secret: 'shh',
    user_agent: 'test-agent/1',
    clock,
    log,
    ...options,
    tokens,
  });
  return { client, clock, tokens, log };
}
