import { createServer, type AddressInfo, type Server } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Site } from '../../pages/index.js';
import { createAuthenticate } from '../auth.js';
import { createGuesses, type Guesses } from '../guesses.js';
import { addConnectRoutes } from '../connect/routes.js';
import { addMcp, MCP_PATH } from '../mcp/http/routes.js';
import { createMethods } from '../mcp/methods.js';
import { addOAuth } from '../oauth/routes.js';
import { createMetrics } from '../metrics/metrics.js';
import { addMetrics } from '../metrics/routes.js';
import { addPages, addDownloadRoute } from '../pages/routes.js';
import { addUploadRoute } from '../pages/upload_route.js';
import { recordCalls } from '../recorded_calls.js';
import { addRest, API_PREFIX } from '../rest/rest.js';
import { type Service, MARKETPLACE_MESSAGES_PATH } from '../service.js';
import { createBodyBudget, setShare } from './body_budget.js';
import { refuseForeignRequests } from './foreign_requests.js';
import { addFormRoutes } from './multipart.js';
import { addRequestLog } from './request_log.js';
import { buildHttpServer, type HttpOptions } from './server.js';
import { addSite } from './site.js';
import { ServiceError } from '../../core/errors.js';
import type { SignedMessage } from '../../core/orders/message.js';
import { readBody } from './read_body.js';

export type HttpFaceOptions = HttpOptions & {
  host: string;
  port: number;
  /** Pages, if there are any. */
  site?: Site;
  /** `worker`: a process for background work, which serves only probes and metrics. */
  role?: 'both' | 'web' | 'worker';
  /**
   * The token that /metrics requires. If omitted, programs on this computer may read it without one, as long
   * as BASE_URL points to this computer.
   */
  metrics_token?: string | undefined;
};

/** The HTTP server of the service with everything it serves: REST, MCP, pages and probes. */
export type HttpFace = {
  /** The port it listens on. */
  port: number;
  /** Stops accepting, and waits at most `grace_ms` for running requests. */
  close(grace_ms: number): Promise<void>;
};

export async function createHttpFace(given: Service, options: HttpFaceOptions): Promise<HttpFace> {
  const bodies = createBodyBudget(options.max_bodies_mb && options.max_bodies_mb * 1_000_000);
  const server = buildHttpServer(
    given,
    {
      ...options,
      program_paths: [API_PREFIX, MCP_PATH],
      exact_paths: [API_PREFIX],
    },
    bodies,
  );
  const requests = addRequestLog(server, given);
  const metrics = createMetrics(given, bodies);
  const service = recordCalls(given, (call) => {
    requests.note(call);
    metrics.observe(call);
  });
  refuseForeignRequests(server, given, { ...options, own_checks: [MCP_PATH] });
  addMetrics(server, metrics, { ...options, base_url: given.base_url });
  addProbes(server, given);
  if (options.role === 'worker') return listenOn(server, options);
  const guesses = createGuesses(service);
  const identify = createAuthenticate(service, guesses);
  const authenticate: typeof identify = async (request, door) => {
    const caller = await identify(request, door);
    setShare(request.raw, bodies.getShare(caller.account_id));
    return requests.admit(request, caller);
  };
  addRest(server, service, authenticate);
  addOAuth(server, service, { guesses });
  addMcp(server, service, {
    methods: createMethods(service),
    authenticate,
    host: options.host,
  });
  addPages(server, service);
  addFormRoutes(server, (forms) => addUploadRoute(forms, service));
  addDownloadRoute(server, service);
  addConnectRoutes(server, service);
  if (options.site) addSite(server, options.site, service, { guesses });

  addMarketplaceMessages(server, service, guesses);
  return listenOn(server, options);
}

/** A browser uses either address for localhost, so the server listens on both. */
const LOCALHOST = ['localhost', '127.0.0.1', '::1'];

/**
 * Undefined on a computer without this address. The first server handles its connections. Throws if the port
 * is taken there.
 */
async function listenAlso(
  { server }: FastifyInstance,
  at: { host: string; port: number },
): Promise<Server | undefined> {
  const second = createServer((socket) => server.emit('connection', socket));
  try {
    await new Promise<void>((resolve, reject) => {
      second.once('error', reject);
      second.listen(at, resolve);
    });
    return second;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return undefined;
    throw cause;
  }
}

export async function listenOn(
  server: FastifyInstance,
  { host, port }: Pick<HttpFaceOptions, 'host' | 'port'>,
): Promise<HttpFace> {
  const [own = host, other] = LOCALHOST.includes(host)
    ? LOCALHOST.filter((one) => one !== 'localhost')
    : [host];
  await server.listen({ host: own, port });
  const { port: open_port } = server.server.address() as AddressInfo;
  const second =
    other === undefined
      ? undefined
      : await listenAlso(server, { host: other, port: open_port }).catch(async (cause: unknown) => {
          await server.close();
          throw cause;
        });
  return {
    port: open_port,
    async close(grace_ms) {
      second?.close();
      const over = setTimeout(() => server.server.closeAllConnections(), grace_ms);
      await server.close();
      clearTimeout(over);
    },
  };
}

/**
 * Whether the process is alive, and whether it is ready for work. Probes need no key and count against no
 * limit.
 */
function addProbes(server: FastifyInstance, { listTroubles }: Pick<Service, 'listTroubles'>): void {
  server.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const reasons = await listTroubles();
    if (reasons.length > 0) return reply.code(503).send({ status: 'not ready', reasons });
    return reply.send({ status: 'ready' });
  });
}

/** A message names one order; the rest is headroom for future fields. */
const MAX_BYTES = 64 * 1024;

/**
 * Receives the marketplace's own webhooks. Their signature is the credential, and covers the bytes as
 * received. Wrong signatures count by address like any other credential; a right one always works, also from
 * an address that failed before.
 */
function addMarketplaceMessages(
  server: FastifyInstance,
  { receiveMarketplaceMessage }: Pick<Service, 'receiveMarketplaceMessage'>,
  guesses: Guesses,
): void {
  server.post(MARKETPLACE_MESSAGES_PATH, async (request, reply) => {
    await receive(await readMessage(request), request.ip);
    return reply.code(204).send();
  });

  async function receive(message: SignedMessage, address: string): Promise<void> {
    try {
      await receiveMarketplaceMessage(message);
    } catch (cause) {
      if (cause instanceof ServiceError && cause.code === 'UNAUTHORIZED') {
        await guesses.count(address);
      }
      throw cause;
    }
  }
}

async function readMessage(request: FastifyRequest): Promise<SignedMessage> {
  return {
    id: getHeader(request, 'webhook-id'),
    timestamp: getHeader(request, 'webhook-timestamp'),
    signature: getHeader(request, 'webhook-signature'),
    body: await readBody(request.raw, MAX_BYTES),
  };
}

function getHeader({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
