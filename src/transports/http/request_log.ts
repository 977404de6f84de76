import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RecordedCall } from '../recorded_calls.js';
import type { Service } from '../service.js';

/** What is known of a request beside what HTTP says. */
type Entry = { request_id: string; calls: RecordedCall[] };

/** Ids that a proxy may give: nothing that could be taken for something else in a log. */
const WELL_FORMED = /^[\w.:-]{1,128}$/;

/** Asked by machines every few seconds, or by a browser for every page: no news unless they fail. */
const QUIET = /^\/(healthz|readyz|metrics|assets\/.*)$/;

export type RequestLog = {
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
  const entries = new AsyncLocalStorage<Entry>();
  const byRequest = new WeakMap<FastifyRequest, Entry>();

  server.addHook('onRequest', (request, reply, done) => {
    const entry: Entry = { request_id: findGivenId(request) ?? ids.build('req_'), calls: [] };
    byRequest.set(request, entry);
    reply.header('x-request-id', entry.request_id);
    entries.run(entry, done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    write(request, reply);
    done();
  });

  function write(request: FastifyRequest, reply: FastifyReply): void {
    // Refused before it came this far: its line has an id all the same.
    const { request_id, calls } = byRequest.get(request) ?? { request_id: ids.build('req_'), calls: [] };
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
        account_id: call.account_id,
        ...(call.code && { code: call.code }),
      }),
      status,
      duration_ms: Math.round(reply.elapsedTime),
      address: request.ip,
    });
  }

  return { note: (call) => entries.getStore()?.calls.push(call) };
}

/** `ips` has more than one entry only when the peer is a proxy that is trusted. */
function findGivenId({ ips = [], headers }: FastifyRequest): string | undefined {
  const given = headers['x-request-id'];
  return ips.length > 1 && typeof given === 'string' && WELL_FORMED.test(given) ? given : undefined;
}
