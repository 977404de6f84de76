import { setTimeout as delay } from 'node:timers/promises';

/** Callers that keep sending requests that must be refused, or that cost more than they may. */
export type Callers = {
  /** The number of calls sent, and those that were never answered. */
  stop(): Promise<{ sent: number; unanswered: string[] }>;
};

const PAUSE_MS = 250;
const ANSWER_MS = 20_000;

const buildKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

/** @param url of the service; @param key of an account that no other caller uses */
export function startCallers(url: string, key: string): Callers {
  const headers = {
    'x-service-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (path: string, body: unknown) =>
    fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  const attacks: Record<string, (n: number) => Promise<Response>> = {
    'an initialize that is kept': (id) =>
      post('/mcp', {
        jsonrpc: '2.0',
        id,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: { experimental: { note: { words: 'x'.repeat(50_000) } } },
          clientInfo: { name: 'soak', version: '1' },
        },
      }),
    'unknown keys': () => post('/api/v1/listings/create', { ...buildKeys(900), listing: buildKeys(900) }),
    'too many keys': (id) =>
      post('/mcp', { jsonrpc: '2.0', id, method: 'tools/call', params: buildKeys(20_000) }),
    'an image of another site': () =>
      fetch(`${url}/dashboard`, {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      }),
  };
  const stopping = new AbortController();
  let sent = 0;
  const unanswered: string[] = [];
  const loops = Object.entries(attacks).map(async ([name, attack]) => {
    for (let n = 1; !stopping.signal.aborted; n += 1) {
      sent += 1;
      await attack(n)
        .then((answer) => answer.arrayBuffer())
        .catch(() => unanswered.push(name));
      await delay(PAUSE_MS);
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      return { sent, unanswered };
    },
  };
}
