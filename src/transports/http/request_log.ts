import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../core/operations/call.js';
import type { RecordedCall } from '../recorded_calls.js';
import type { Service } from '../service.js';

/** Facts of a request that HTTP itself does not have. */
type Entry = { request_id: string; calls: RecordedCall[] };

/** Where each request has its entry. */
const ENTRY = Symbol('entry');

/** A caller with the id of its request. */
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

/** Ids that a proxy may give: nothing that could be taken for something else in a log. */
const WELL_FORMED = /^[\w.:-]{1,128}$/;

/** Asked by machines every few seconds, or by a browser for every page: no news unless they fail. */
const QUIET = /^\/(healthz|readyz|metrics|assets\/.*)$/;

type RequestLog = {
  /** The same caller, whose calls belong to this request. */
  admit(request: FastifyRequest, caller: Caller): Caller;
  /** Files a call under the request that it came with. */
  note(call: RecordedCall): void;
};

/**
 * One line for each request, when it has been answered: id, route, status, milliseconds, and the operation and account
 * where one was called. The route, not the path: paths can hold secrets. The id goes back in X-Request-Id; one that a
 * trusted proxy sends is kept.
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
    // Refused before it came this far: its line has an id all the same.
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

/** `ips` has more than one entry only when the peer is a proxy that is trusted. */
function findGivenId({ ips = [], headers }: FastifyRequest): string | undefined {
  const given = headers['x-request-id'];
  return ips.length > 1 && typeof given === 'string' && WELL_FORMED.test(given) ? given : undefined;
}
