import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getFolderName, holdAddress, IDENTITY_PATH, type Address } from './address.js';
import { registerControl } from './control/routes.js';
import { INVENTED, VERBATIM } from './messages.js';
import { registerPages } from './pages/serve.js';
import { createPipeline, describeOwnFault, TOKEN_PATH } from './pipeline.js';
import type { SandboxPorts } from './ports.js';
import { ROUTES } from './routes/index.js';
import { readSettings } from './settings.js';
import type { Settings } from './settings.js';
import { openDatabase } from './store/database.js';
import { seedOnce } from './store/seed.js';
import { saveSubscription } from './store/webhook-messages.js';
import { createMessenger } from './webhooks.js';
import { issueTokens } from './store/tokens.js';
import type { TokenPair } from './store/tokens.js';
import { SANDBOX_APP } from './world/shops.js';

export type SandboxOptions = {
  /** ':memory:' serves one process; a file may be shared by several. */
  database_file: string;
  host?: string;
  port?: number;
  /** Links lead to the folder's own address (see address.ts), at this port when it has none yet; left out, to the server itself. */
  address_port?: number;
  /** Opens the routes under /_sandbox. */
  control?: boolean;
  /** Added to every answer of the API. */
  latency_ms?: number;
  rate_per_second?: number;
  rate_per_day?: number;
  /** Where its webhook messages go from now on; left out, to where they went before, if anywhere. */
  webhook?: { url: string; secret: string };
};

export type Sandbox = {
  /** The origin, as in http://127.0.0.1:4567. */
  url: string;
  /** The origin of links to listings and photos; another one than `url` where the folder has an address. */
  getLinkOrigin(): string;
  close(): Promise<void>;
  /** Sends the messages that are due before it resolves; `unwanted`: nobody has asked for any. */
  sendMessages(): Promise<'sent' | 'waiting' | 'unwanted'>;
  /** What a finished consent would give, to the first application where none is named. */
  issueGrant(user_id: number, scopes: readonly string[], keystring?: string): TokenPair;
};

const BODY_LIMIT_BYTES = 8 * 1024 * 1024;
const UPLOAD_LIMIT_BYTES = 120 * 1024 * 1024;
const API_PREFIX = '/v3/application';

/** Starts a server on the database; the first start also makes the tables and the world. */
export async function startServer(options: SandboxOptions, ports: SandboxPorts): Promise<Sandbox> {
  const db = openDatabase(options.database_file);
  let address: Address | undefined;
  const closing = new AbortController();
  // Every call that waits listens, and any number may wait at once.
  setMaxListeners(0, closing.signal);
  try {
    seedOnce(db);
    const settings = toSettings(options);
    if (options.webhook) saveSubscription(db, options.webhook);
    const messenger = createMessenger(db, ports, settings);
    const app = createApp();
    app.register(multipart, { limits: { fileSize: UPLOAD_LIMIT_BYTES, files: 5, fields: 20, parts: 25 } });
    const pipeline = createPipeline({
      db,
      ports,
      settings,
      pause: async (ms) => {
        await delay(ms, undefined, { signal: closing.signal });
      },
      toOrigin: (request) => toOrigin(request, app, address),
    });
    app.addHook('onResponse', (_request, _reply, done) => {
      messenger.poke();
      done();
    });
    app.register((scope, _options, done) => {
      for (const route of ROUTES) {
        scope.route({
          method: route.method,
          url: API_PREFIX + route.path,
          handler: (request, reply) => pipeline.serve(route, request, reply),
        });
      }
      scope.post(TOKEN_PATH, pipeline.serveToken);
      scope.get(IDENTITY_PATH, (_request, reply) => reply.type('text/plain').send(getFolderName(db)));
      registerPages(scope, db, ports);
      if (options.control) registerControl(scope, db, ports, settings);
      scope.setNotFoundHandler((request, reply) =>
        request.url.startsWith(`${API_PREFIX}/`)
          ? pipeline.serve(undefined, request, reply)
          : reply.code(404).send({ error: VERBATIM.not_found }),
      );
      done();
    });
    await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
    if (options.address_port !== undefined) {
      address = await holdAddress(
        db,
        (request, response) => app.routing(request, response),
        options.address_port,
      );
    }
    return {
      url: toListeningOrigin(app),
      getLinkOrigin: () => address?.getOrigin() ?? toListeningOrigin(app),
      close: async () => {
        // Connections go first, so that a call which was still waiting is cut off and not answered.
        await address?.close();
        await app.close();
        closing.abort();
        await messenger.close();
        db.close();
      },
      sendMessages: messenger.sendNow,
      issueGrant: (user_id, scopes, keystring = SANDBOX_APP.keystring) =>
        db.write(() => {
          const { access_token_ttl_s } = readSettings(db, settings);
          return issueTokens(db, ports, { user_id, scopes, keystring }, access_token_ttl_s);
        }),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function createApp(): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 300 },
  });
  // Bodies stay bytes until the call is admitted: a refused key or scope is told before a body is judged.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    const isOurs = status >= 500;
    return reply
      .code(isOurs ? 500 : 400)
      .send({ error: isOurs ? describeOwnFault(error) : INVENTED.body_malformed });
  });
  return app;
}

function toSettings(options: SandboxOptions): Partial<Settings> {
  const { latency_ms, rate_per_second, rate_per_day } = options;
  return {
    ...(latency_ms !== undefined && { latency_ms }),
    ...(rate_per_second !== undefined && { rate_per_second }),
    ...(rate_per_day !== undefined && { rate_per_day }),
  };
}

const HOST_AND_PORT = /^[a-z0-9.-]+(:\d{1,5})?$/i;

// Without an address of the folder, answers use the host that the caller used, so a browser that came through a name can open them.
function toOrigin(request: FastifyRequest, app: FastifyInstance, address: Address | undefined): string {
  if (address) return address.getOrigin();
  const host = request.headers.host ?? '';
  return HOST_AND_PORT.test(host) ? `http://${host}` : toListeningOrigin(app);
}

function toListeningOrigin(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the sandbox listens on no port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
