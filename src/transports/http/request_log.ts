import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../core/operations/call.js';
import type { RecordedCall } from '../recorded_calls.js';
import type { Service } from '../service.js';

/** Facts about a request that HTTP itself does not have. */
type Entry = { request_id: string; calls: RecordedCall[] };

/** The key of a request's entry. */
const ENTRY = Symbol('entry');

/** A caller with the id of the current request. */
class RequestCaller implements Caller {
  readonly account_id: Caller['account_id'];
  readonly credential: Caller['credential'];
  readonly credential_id: Caller['credential_id'];
  readonly restriction: Caller['restriction'];
  readonly entry: Entry;

  constructor({ account_id, credential, credential_id, restriction }: Caller, entry: Entry) {
    this.account_id = account_id;
    this.credential = credential;
    this.credential_id = credential_id;
    this.restriction = restriction;
    this.entry = entry;
  }
}

/** Ids that a proxy may set: nothing that could pass for something else in a log. */
const WELL_FORMED = /^[\w.:-]{1,128}$/;

/** Polled by machines every few seconds, or loaded by a browser for every page: logged only on failure. */
const QUIET = /^\/(healthz|readyz|metrics|assets\/.*)$/;

type RequestLog = {
  /** Returns the same caller, with its calls attributed to this request. */
  admit(request: FastifyRequest, caller: Caller): Caller;
  /** Records a call under the request that it came with. */
  note(call: RecordedCall): void;
};

/**
 * Logs one line for each request when its response has been sent: id, route, status, milliseconds, and the
 * operation and account if one was called. It logs the route, not the path, because paths can hold secrets.
 * X-Request-Id returns the id; an id from a trusted proxy is kept.
 */
export function addRequestLog(
  server: FastifyInstance,
  { log, ids }: Pick<Service, 'log' | 'ids'>,
): RequestLog {
  // An AsyncLocalStorage would do the same, but would cost a quarter of the processor time of a small call.
  server.decorateRequest(ENTRY, null);
  server.addHook('onRequest', (request, reply, done) => {
    const request_id = findGivenId(request) ?? ids.build('req_');
    request.setDecorator<Entry>(ENTRY, { request_id, calls: [] });
    reply.header('x-request-id', request_id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    write(request, reply);
    done();
  });

  function write(request: FastifyRequest, reply: FastifyReply): void {
    // A request that was refused before this hook still gets an id in its line.
    const { request_id, calls } = request.getDecorator<Entry | null>(ENTRY) ?? {
      request_id: ids.build('req_'),
      calls: [],
    };
    const route = request.routeOptions.url ?? 'none';
    const [call] = calls;
    const status = reply.statusCode;
    const level = QUIET.test(route) && status < 400 ? 'debug' : 'info';
    log[level]('request', {
      request_id,
      method: request.method,
      route,
      ...(call && {
        operation: calls.map(({ operation }) => operation).join(','),
        account_id: call.caller.account_id,
        ...(call.code && { code: call.code }),
      }),
      status,
      duration_ms: Math.round(reply.elapsedTime),
      address: request.ip,
    });
  }

  return {
    admit: (request, caller) => new RequestCaller(caller, request.getDecorator<Entry>(ENTRY)),
    note(call) {
      if (call.caller instanceof RequestCaller) call.caller.entry.calls.push(call);
    },
  };
}

/** `ips` has more than one entry only if the peer is a trusted proxy. */
function findGivenId({ ips = [], headers }: FastifyRequest): string | undefined {
  const given = headers['x-request-id'];
  return ips.length > 1 && typeof given === 'string' && WELL_FORMED.test(given) ? given : undefined;
}
