import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { buildNotFound } from '../failure.js';
import type { Metrics } from './metrics.js';

/**
 * GET /metrics, for whoever runs the service. With a token: whoever sends it as a bearer token. Without one: programs on
 * this computer, unless a proxy stands before the service, to which everyone would be on this computer. To all others the
 * path does not exist.
 */
export function addMetrics(
  server: FastifyInstance,
  metrics: Metrics,
  { metrics_token }: { metrics_token?: string | undefined },
): void {
  server.get('/metrics', async (request, reply) => {
    const isOperator =
      metrics_token === undefined ? isFromHere(request) : isSame(readBearer(request), metrics_token);
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

/** In a time that says nothing about where they differ. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(toDigest(given), toDigest(token));
}

function toDigest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
