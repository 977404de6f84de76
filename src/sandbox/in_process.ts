import type { IncomingHttpHeaders } from 'node:http';
import { BODY_LIMIT_BYTES, toFailure } from './requests/body_limits.js';
import type { Endpoint, Outcome } from './requests/endpoint.js';
import { createSandboxMarketplace, type SandboxMarketplace } from './endpoints.js';
import { readParts } from './requests/multipart.js';
import type { SandboxPorts } from './ports.js';
import type { Settings } from './settings.js';
import { openDatabase } from './store/database.js';
import type { Subscription } from './store/webhook_messages.js';

/** `url`: path and query. Header names in lower case. */
type HandledRequest = {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body?: Buffer | undefined;
};

/** The marketplace in this process, without a server. */
export type SandboxHandler = Pick<SandboxMarketplace, 'issueGrant' | 'close'> & {
  /**
   * Answers a request; never rejects. It waits only for the ports, so it waits forever for a port's promise
   * that never settles.
   */
  handle(request: HandledRequest): Promise<Outcome>;
};

/** @param options `origin`: of the addresses in answers, such as https://marketplace.test */
export function createSandboxHandler(
  options: {
    /** ':memory:' or a file, which several may share. */
    database_file: string;
    origin: string;
    settings?: Partial<Settings>;
    /** Opens the routes under /_sandbox. */
    control?: boolean;
    webhook?: Subscription;
  },
  ports: SandboxPorts,
): SandboxHandler {
  const db = openDatabase(options.database_file);
  const marketplace = createSandboxMarketplace({
    db,
    ports,
    settings: options.settings ?? {},
    control: options.control ?? false,
    webhook: options.webhook,
    toOrigin: () => options.origin,
  });
  const routes = marketplace.endpoints.map(compileRoute);

  async function answer({ method, url, headers, body }: HandledRequest): Promise<Outcome> {
    const path = url.split('?', 1)[0] ?? '';
    const content_type = headers['content-type'] ?? '';
    const isMultipart = /^multipart\/form-data\b/i.test(content_type);
    if (!isMultipart && body && body.length > BODY_LIMIT_BYTES) throw new TooLargeError();
    const found = findRoute(routes, method, path);
    const request = {
      method,
      url,
      // The Host header that a caller on this machine would send.
      headers: { host: 'localhost', ...headers },
      params: found?.params ?? {},
      body: isMultipart ? undefined : body,
      async *parts() {
        yield* readParts(content_type, body ?? Buffer.alloc(0));
      },
    };
    return found ? found.endpoint.answer(request) : marketplace.answerUnknown(request);
  }

  return {
    issueGrant: marketplace.issueGrant,
    async handle(request) {
      const outcome = await answer(request).catch(toFailure);
      marketplace.messenger.poke();
      return outcome;
    },
    async close() {
      await marketplace.close();
      db.close();
    },
  };
}

class TooLargeError extends Error {
  readonly statusCode = 413;
}

type CompiledRoute = { endpoint: Endpoint; pattern: RegExp };

function compileRoute(endpoint: Endpoint): CompiledRoute {
  const pattern = endpoint.path
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')
    .replace('*', '.*');
  return { endpoint, pattern: new RegExp(`^${pattern}$`) };
}

/**
 * Finds the route. If several match, the one with the fewest parameters wins, as in a router, where literal
 * parts take precedence.
 */
function findRoute(
  routes: readonly CompiledRoute[],
  method: string,
  path: string,
): { endpoint: Endpoint; params: Record<string, string> } | undefined {
  const [best] = routes
    .flatMap(({ endpoint, pattern }) => {
      const match = endpoint.method === method ? pattern.exec(path) : null;
      return match ? [{ endpoint, named: Object.entries(match.groups ?? {}) }] : [];
    })
    .toSorted((one, other) => one.named.length - other.named.length);
  if (!best) return undefined;
  const params = Object.fromEntries(best.named.map(([name, value]) => [name, decodePart(value)]));
  return { endpoint: best.endpoint, params };
}

/** Decodes a part of a path; one that cannot be decoded is returned unchanged. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
