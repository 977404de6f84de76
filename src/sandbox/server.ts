import multipart from '@fastify/multipart';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getFolderName, holdAddress, IDENTITY_PATH, type Address } from './address.js';
import { BODY_LIMIT_BYTES, MAX_PARTS, toFailure, UPLOAD_LIMIT_BYTES } from './requests/body_limits.js';
import type { Outcome, Request } from './requests/endpoint.js';
import { createSandboxMarketplace } from './endpoints.js';
import type { SandboxPorts } from './ports.js';
import type { Settings } from './settings.js';
import { openDatabase } from './store/database.js';
import type { TokenPair } from './store/tokens.js';

/* The marketplace has no test environment. Mock servers (Prism, MSW) answer from a document or from scripts;
   this one keeps state: drafts, stock, fees, rotating tokens, rate limits, answers that are lost after the
   work was done. It shares no code with the client. */

export type SandboxOptions = {
  /** ':memory:' serves one process; a file may be shared by several. */
  database_file: string;
  host?: string;
  port?: number;
  /**
   * The port of the folder's own address (see address.ts), if it has none yet; links then lead to that
   * address. If omitted, links lead to the server itself.
   */
  address_port?: number;
  /** Opens the routes under /_sandbox. */
  control?: boolean;
  /** A delay added to every answer of the API. */
  latency_ms?: number;
  rate_per_second?: number;
  rate_per_day?: number;
  /** The destination of its webhook messages from now on; if omitted, the previous one, if any. */
  webhook?: { url: string; secret: string };
};

export type Sandbox = {
  /** The origin, such as http://127.0.0.1:4567. */
  url: string;
  /** The origin of links to listings and photos; differs from `url` if the folder has an address. */
  getLinkOrigin(): string;
  close(): Promise<void>;
  /** Sends the messages that are due before it resolves; `unwanted`: no address for messages is set. */
  sendMessages(): Promise<'sent' | 'waiting' | 'unwanted'>;
  /** Issues tokens as a completed consent does, for the first application unless one is named. */
  issueGrant(user_id: number, scopes: readonly string[], keystring?: string): TokenPair;
};

/** Starts a server on the database; the first start also creates the tables and seeds them. */
export async function startServer(options: SandboxOptions, ports: SandboxPorts): Promise<Sandbox> {
  const db = openDatabase(options.database_file);
  let address: Address | undefined;
  try {
    const app = createApp();
    app.register(multipart, {
      limits: { fileSize: UPLOAD_LIMIT_BYTES, files: 5, fields: 20, parts: MAX_PARTS },
    });
    const marketplace = createSandboxMarketplace({
      db,
      ports,
      settings: toSettings(options),
      control: options.control ?? false,
      webhook: options.webhook,
      toOrigin: (request) => toOrigin(request, app, address),
    });
    app.addHook('onResponse', (_request, _reply, done) => {
      marketplace.messenger.poke();
      done();
    });
    app.register((scope, _options, done) => {
      for (const { method, path, answer } of marketplace.endpoints) {
        scope.route({
          method,
          url: path,
          handler: async (request, reply) => send(request, reply, await answer(request)),
        });
      }
      scope.get(IDENTITY_PATH, (_request, reply) => reply.type('text/plain').send(getFolderName(db, ports)));
      scope.setNotFoundHandler(async (request, reply) =>
        send(request, reply, await marketplace.answerUnknown(request)),
      );
      done();
    });
    await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
    if (options.address_port !== undefined) {
      address = await holdAddress(
        db,
        ports,
        (request, response) => app.routing(request, response),
        options.address_port,
      );
    }
    return {
      url: toListeningOrigin(app),
      getLinkOrigin: () => address?.getOrigin() ?? toListeningOrigin(app),
      close: async () => {
        // Connections are closed first, so that a call that is still waiting is cut off instead of answered.
        await address?.close();
        await app.close();
        await marketplace.close();
        db.close();
      },
      sendMessages: marketplace.messenger.sendNow,
      issueGrant: marketplace.issueGrant,
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function send(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (typeof outcome !== 'string') {
    return reply
      .code(outcome.status)
      .headers({ ...outcome.headers })
      .send(outcome.body);
  }
  reply.hijack();
  // The connection ends without an answer, by a TCP reset instead of a clean close.
  if (outcome === 'reset') request.raw.socket.resetAndDestroy();
  return reply;
}

function createApp(): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 300 },
  });
  // Bodies are not parsed until the call is admitted: a wrong key or scope is reported before a mistake in the body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = toFailure(error);
    return reply
      .code(status)
      .headers({ ...headers })
      .send(body);
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

// The origin of links. If the folder has no address, it is the host that the caller used, so that a browser
// that used a host name can open them.
function toOrigin(request: Request, app: FastifyInstance, address: Address | undefined): string {
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
