import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../core/operation.js';
import type { Credentials } from '../auth.js';
import type { RecordedCall } from '../recorded_calls.js';
import type { Service } from '../service.js';

/** What is known of a request beside what HTTP says. */
type Entry = { request_id: string; calls: RecordedCall[] };

/** Ids that a proxy may give: nothing that could be taken for something else in a log. */
const WELL_FORMED = /^[\w.:-]{1,128}$/;

/** Asked by machines every few seconds, or by a browser for every page: no news unless they fail. */
const QUIET = /^\/(healthz|readyz|metrics|assets\/.*)$/;

export type RequestLog = {
  /** The calls of this caller, an object made for the request alone, belong to the request that these credentials came with. */
  admit(credentials: Credentials, caller: Caller): void;
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
  // By the headers, which each request has of its own, and by the caller. An AsyncLocalStorage would do the same for everybody, at a
  // quarter of the processor time of a small call.
  const byHeaders = new WeakMap<object, Entry>();
  const byCaller = new WeakMap<Caller, Entry>();

  server.addHook('onRequest', (request, reply, done) => {
    const entry: Entry = { request_id: findGivenId(request) ?? ids.build('req_'), calls: [] };
    byHeaders.set(request.headers, entry);
    reply.header('x-request-id', entry.request_id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    write(request, reply);
    done();
  });

  function write(request: FastifyRequest, reply: FastifyReply): void {
    // Refused before it came this far: its line has an id all the same.
    const { request_id, calls } = byHeaders.get(request.headers) ?? {
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
    admit({ headers }, caller) {
      const entry = byHeaders.get(headers);
      if (entry) byCaller.set(caller, entry);
    },
    note: (call) => byCaller.get(call.caller)?.calls.push(call),
  };
}

/** `ips` has more than one entry only when the peer is a proxy that is trusted. */
function findGivenId({ ips = [], headers }: FastifyRequest): string | undefined {
  const given = headers['x-request-id'];
  return ips.length > 1 && typeof given === 'string' && WELL_FORMED.test(given) ? given : undefined;
}
