import type { IncomingHttpHeaders } from 'node:http';
import { createSandboxHandler, type TokenPair } from '../../../src/sandbox/index.js';
import type { Chance } from '../kernel/chance.js';
import type { Schedule } from '../kernel/schedule.js';

export const MARKETPLACE_ORIGIN = 'http://marketplace.example';
/** The secret it signs its messages with. */
export const WEBHOOK_SECRET = 'whsec_c2ltdWxhdGVkLW1hcmtldHBsYWNlLXNlY3JldA==';
const MESSAGES_URL = 'http://service.example/webhooks/marketplace';

/**
 * The longest time between an inventory's read and its write, unless the service waits between them: the same as
 * RECENT_MS in src/core/listings/steps/sale/state.ts.
 */
export const AT_ONCE_MS = 2_000;

export type Arriving = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
  /** It was on its way for longer than its caller waits, or arrives a second time. */
  is_late?: boolean;
};

/**
 * A request that may have changed a listing. `is_blind`: an inventory write within AT_ONCE_MS of its
 * read, with a sale in between that no program could know about.
 */
export type ListingWrite = {
  listing_id: number;
  by: 'service' | 'seller' | 'buyer';
  is_late: boolean;
  is_blind: boolean;
};
export type Arrived = { status: number; headers: IncomingHttpHeaders; text: string; bytes?: Buffer };

/** The handler of incoming requests. */
export type Door = { receive(request: Arriving): Promise<Arrived> };

/** The whole embedded marketplace, without a socket. It survives every crash of the service. */
export type Marketplace = Door & {
  control<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer>;
  issueGrant(user_id: number, scopes: readonly string[]): TokenPair;
  /** Requests so far that may have changed something there. */
  countWrites(): number;
  /**
   * Calls back once the next write of this listing's inventory is done there, until canceled. Returns the
   * cancel function.
   */
  onInventoryWrite(listing_id: number, run: () => void): () => void;
  /** Calls it after each request that may have changed a listing, before the request is answered. */
  onWrite(run: (write: ListingWrite) => Promise<void>): void;
  /**
   * Writes of this listing's inventory so far that were not preceded by a read since something was sold: no
   * program could know of the sale.
   */
  countBlindWrites(listing_id: number): number;
  close(): Promise<void>;
};

export function openMarketplace(
  file: string,
  {
    schedule,
    chance,
    post,
  }: {
    schedule: Schedule;
    chance: Chance;
    /** Delivers its messages to the service. */
    post: (headers: Readonly<Record<string, string>>, body: string) => Promise<number>;
  },
): Marketplace {
  const handler = createSandboxHandler(
    {
      database_file: file,
      origin: MARKETPLACE_ORIGIN,
      control: true,
      webhook: { url: MESSAGES_URL, secret: WEBHOOK_SECRET },
    },
    {
      nowMs: () => schedule.now(),
      randomText: () => chance.bytes(32).toString('base64url'),
      randomUuid: () => chance.bytes(16).toString('hex'),
      chance: () => chance.real(),
      sleep: (duration_ms, signal) =>
        new Promise((resolve, reject) => {
          const cancel = schedule.after(duration_ms, resolve);
          signal.addEventListener('abort', () => {
            cancel();
            reject(signal.reason as Error);
          });
        }),
      post: (_url, { headers, body }) => post(headers, body),
    },
  );

  let writes = 0;
  const listeners = new Map<number, () => void>();
  const unread = new Set<number>();
  const read_ms = new Map<number, number>();
  const blind = new Map<number, number>();
  function noteInventory(listing_id: number, method: string): void {
    if (method === 'GET') {
      unread.delete(listing_id);
      read_ms.set(listing_id, schedule.now());
    } else if (unread.has(listing_id)) blind.set(listing_id, (blind.get(listing_id) ?? 0) + 1);
    const run = method === 'GET' ? undefined : listeners.get(listing_id);
    if (run) listeners.delete(listing_id);
    run?.();
  }

  let watch: ((write: ListingWrite) => Promise<void>) | undefined;
  async function receive({ method, path, headers, body, is_late = false }: Arriving): Promise<Arrived> {
    if (method !== 'GET') writes += 1;
    const sold = /^\/_sandbox\/listings\/(\d+)\/sell$/.exec(path)?.[1];
    if (sold !== undefined) unread.add(Number(sold));
    const written = /\/listings\/(\d+)\/inventory/.exec(path)?.[1];
    const isBlind =
      method !== 'GET' &&
      unread.has(Number(written)) &&
      schedule.now() - (read_ms.get(Number(written)) ?? 0) <= AT_ONCE_MS;
    const outcome = await handler.handle({ method, url: path, headers, body });
    if (typeof outcome === 'string')
      throw new Error(`the marketplace has no faults of its own here: ${outcome}`);
    if (written !== undefined) noteInventory(Number(written), method);
    const changed = method === 'GET' ? undefined : /\/listings\/(\d+)/.exec(path)?.[1];
    if (changed !== undefined)
      await watch?.({
        listing_id: Number(changed),
        by: toWriter(path, sold !== undefined),
        is_late,
        is_blind: isBlind,
      });
    const bytes = Buffer.from(outcome.body ?? '');
    return { status: outcome.status, headers: { ...outcome.headers }, text: bytes.toString('utf8'), bytes };
  }

  return {
    receive,
    async control<Answer>(method: string, path: string, body?: unknown) {
      const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers: Record<string, string> = sent ? { 'content-type': 'application/json' } : {};
      const { status, text } = await receive({ method, path: `/_sandbox${path}`, headers, body: sent });
      if (status >= 300) throw new Error(`control ${path}: ${status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    issueGrant: (user_id, scopes) => handler.issueGrant(user_id, scopes),
    countWrites: () => writes,
    onInventoryWrite(listing_id, run) {
      listeners.set(listing_id, run);
      return () => {
        if (listeners.get(listing_id) === run) listeners.delete(listing_id);
      };
    },
    onWrite(run) {
      watch = run;
    },
    countBlindWrites: (listing_id) => blind.get(listing_id) ?? 0,
    close: () => handler.close(),
  };
}

function toWriter(path: string, isSale: boolean): ListingWrite['by'] {
  if (isSale) return 'buyer';
  return path.startsWith('/_sandbox') ? 'seller' : 'service';
}
