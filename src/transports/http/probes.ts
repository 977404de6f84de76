import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.js';

/** Whether the process lives, and whether work should be sent to it; they need no key and count for no limit. */
export function addProbes(server: FastifyInstance, { listTroubles }: Pick<Service, 'listTroubles'>): void {
  server.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const reasons = await listTroubles();
    if (reasons.length > 0) return reply.code(503).send({ status: 'not ready', reasons });
    return reply.send({ status: 'ready' });
  });
}
