import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { ServiceError, toRefused, toErrorBody } from '../../core/errors.js';
import { toServiceError } from '../../core/operations/service_error.js';
import { parseUrl } from '../../core/text/parse_url.js';
import { buildNotFound, toFailure } from '../failure.js';
import { buildFailurePage } from '../pages/failure.js';
import type { Service } from '../service.js';
import { createBodyBudget, setShare, type BodyBudget } from './body_budget.js';
import { capConnections } from './connections.js';
import { wantsHtml } from './wants_html.js';
import { hasNul } from './nul.js';
import { isWhole } from './read_body.js';
import { sendPage } from './send_page.js';

/** Set together: any one of them without the others leaves a stalled request open for minutes. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 15 * 60_000;
const TIMEOUT_CHECK_MS = 2_000;
/** How long the rest of a body is still read after its request was answered. */
const LINGER_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Leaves most of the descriptors that a process usually gets to the database and to files. */
const MAX_CONNECTIONS = 1_000;

export type HttpOptions = {
  /** Whose X-Forwarded-For counts: true for every peer, or these addresses and networks. */
  trust_proxy: boolean | string[];
  /** Memory for all request bodies that are being read, in MB. */
  max_bodies_mb?: number;
};

type ServerOptions = HttpOptions & {
  /**
   * Paths for programs only: errors are always JSON, because some HTTP clients (java.net) prefer HTML in their
   * default Accept header.
   */
  program_paths?: readonly string[];
  /** Under these paths, a trailing slash makes a different address. Everywhere else it is ignored. */
  exact_paths?: readonly string[];
};

/**
 * Every failure is the standard error body. Outside of `program_paths`, browsers get an HTML page instead.
 * Input that is not valid HTTP always gets JSON. This server does not read bodies: each route reads its own
 * after authenticating the caller.
 */
export function buildHttpServer(
  service: Service,
  { trust_proxy, program_paths = [], exact_paths = [] }: ServerOptions,
  bodies: BodyBudget = createBodyBudget(),
): FastifyInstance {
  const server = fastify({
    logger: false,
    // Only the last entry of X-Forwarded-For is the proxy's own; earlier entries came with the request.
    trustProxy: trust_proxy === true ? (_address, hop) => hop === 0 : trust_proxy,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) =>
      exact_paths.some((path) => isUnder(path, url)) ? url : stripTrailingSlash(url),
    return503OnClosing: false,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Otherwise Node answers in its own words.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, service),
    frameworkErrors: (error, request, reply) => {
      fail(error, request, reply);
    },
  });

  const isPage = (request: FastifyRequest) =>
    wantsHtml(request.headers) && !program_paths.some((path) => isUnder(path, getPath(request)));
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const known = toServiceError(toKnownError(error, request, isPage(request)));
    const { status, body, headers } = toFailure(known, service);
    reply.code(status).headers(headers);
    return isPage(request)
      ? sendPage(reply, buildFailurePage(toRefused(body, known.issues), service.is_sandbox))
      : reply.type('application/json').send(JSON.stringify(body));
  };
  server.setErrorHandler(fail);
  server.setNotFoundHandler((request, reply) =>
    fail(buildNotFoundError(request, isPage(request)), request, reply),
  );

  server.removeAllContentTypeParsers();
  // Lists JSON explicitly: Fastify resolves any type matched only by `*` again on each request.
  server.addContentTypeParser(['application/json', '*'], (_request, _payload, done) => done(null));

  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    // Counts by IP address until the caller is authenticated.
    setShare(request.raw, bodies.getShare(request.ip));
    done(findHostProblem(request.raw) ?? findNul(request.raw));
  });
  server.addHook('onResponse', (request, _reply, done) => {
    if (!isWhole(request.raw)) setImmediate(lingerThenClose, request.raw);
    done();
  });
  const connections = capConnections(server.server, MAX_CONNECTIONS);
  server.addHook('preClose', (done) => {
    connections.announceEnd();
    done();
  });
  // Node would refuse any other expectation with an empty 417.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  return server;
}

/**
 * Requests with multiple Host headers can exploit a proxy and a server that disagree on which to use (RFC
 * 9112, 3.2).
 */
function findHostProblem({
  httpVersion,
  headers,
  rawHeaders,
  url = '/',
}: IncomingMessage): ServiceError | undefined {
  if (headers.host === undefined) {
    return httpVersion === '1.1'
      ? new ServiceError('VALIDATION_FAILED', { code: 'host_missing', params: {} })
      : undefined;
  }
  if (rawHeaders.filter(isHostName).length > 1) {
    return new ServiceError('VALIDATION_FAILED', { code: 'host_repeated', params: {} });
  }
  return url.startsWith('/') || url === '*' || isFor(url, headers.host)
    ? undefined
    : new ServiceError('VALIDATION_FAILED', { code: 'host_differs', params: {} });
}

function findNul({ url = '/' }: IncomingMessage): ServiceError | undefined {
  return hasNul(url)
    ? new ServiceError(
        'VALIDATION_FAILED',
        { code: 'address_has_nul', params: {} },
        { hint: 'Remove the NUL character.' },
      )
    : undefined;
}

/** Whether an absolute-form request target (RFC 9112, 3.2.2) matches the Host header. */
function isFor(target: string, host: string): boolean {
  const asked = parseUrl(target);
  return asked !== undefined && asked.host === parseUrl(`http://${host}`)?.host;
}

/** For raw headers: names and values alternate. */
function isHostName(text: string, index: number): boolean {
  return index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
}

/** Translates the framework's own refusals; returns an unknown error unchanged. */
function toKnownError(error: unknown, request: FastifyRequest, isPage: boolean): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  const { code, statusCode } = error as Error & { code?: string; statusCode?: number };
  if (code === 'FST_ERR_BAD_URL') {
    return new ServiceError('VALIDATION_FAILED', { code: 'address_encoding_wrong', params: {} });
  }
  if (code?.startsWith('FST_ERR_CTP')) {
    return new ServiceError('UNSUPPORTED_CONTENT', { code: 'content_headers_malformed', params: {} });
  }
  if (statusCode === 404 || statusCode === 414) return buildNotFoundError(request, isPage);
  return error;
}

/** Browsers get a page-not-found error without the HTTP method. */
function buildNotFoundError(request: FastifyRequest, isPage: boolean): ServiceError {
  const path = getPath(request);
  if (request.method !== 'GET' || !isPage) return buildNotFound(request.method, path);
  return new ServiceError(
    'NOT_FOUND',
    { code: 'page_not_found', params: { path: path.slice(0, 200) } },
    { hint: 'Check the address for typos.' },
  );
}

/** Drops the trailing slash from the path; keeps the query. */
function stripTrailingSlash(url: string): string {
  const [path = '', ...query] = url.split('?');
  return /^\/.+\/$/.test(path) ? [path.slice(0, -1), ...query].join('?') : url;
}

function isUnder(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

export function getPath(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/**
 * A refused caller may still be sending: the server keeps reading for a moment, so that the caller can read
 * the reason.
 */
function lingerThenClose(request: IncomingMessage): void {
  if (request.complete) return;
  request.unpipe();
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, LINGER_MS).unref();
}

/** Answers input that never became a request: a malformed line, too many headers, a line that went silent. */
function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { docs_url }: Pick<Service, 'docs_url'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(toErrorBody(describe(error.code), docs_url));
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}

function describe(code: string | undefined): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError(
      'VALIDATION_FAILED',
      { code: 'headers_too_large', params: { kibibytes: 16 } },
      { hint: 'Send fewer or shorter headers.' },
    );
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError(
      'VALIDATION_FAILED',
      { code: 'request_too_slow', params: {} },
      { hint: 'Send the whole request without long pauses.' },
    );
  }
  return new ServiceError(
    'VALIDATION_FAILED',
    { code: 'request_malformed', params: {} },
    { hint: 'Check the request line, the headers and the length of the body.' },
  );
}

/** Sent with every response; pages replace the policy with their own. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const;
