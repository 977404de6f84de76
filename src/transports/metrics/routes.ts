import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { buildNotFound } from '../failure.js';
import { isLoopbackUrl } from '../http/allowed_hosts.js';
import type { Metrics } from './metrics.js';

/**
 * GET /metrics, for the operator. With a token, it answers requests that send it as a bearer token. Without
 * one, it answers programs on this computer, as long as BASE_URL is a loopback address: behind a proxy, every
 * request would seem to come from this computer. All other requests get a 404.
 */
export function addMetrics(
  server: FastifyInstance,
  metrics: Metrics,
  { metrics_token, base_url }: { metrics_token?: string | undefined; base_url: string },
): void {
  const isPrivate = isLoopbackUrl(base_url);
  server.get('/metrics', async (request, reply) => {
    const isOperator =
      metrics_token === undefined
        ? isPrivate && isFromHere(request)
        : isSame(readBearer(request), metrics_token);
    if (!isOperator) throw buildNotFound(request.method, '/metrics');
    return reply.type(metrics.content_type).send(await metrics.render());
  });
}

function isFromHere({ headers, raw }: FastifyRequest): boolean {
  const isForwarded = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'].some(
    (name) => headers[name] !== undefined,
  );
  const address = raw.socket.remoteAddress;
  return !isForwarded && address !== undefined && ipaddr.process(address).range() === 'loopback';
}

function readBearer({ headers }: FastifyRequest): string {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** Compares in constant time, so that the duration does not reveal where the two differ. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(toDigest(given), toDigest(token));
}

function toDigest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
