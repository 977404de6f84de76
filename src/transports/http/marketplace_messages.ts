import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MARKETPLACE_MESSAGES_PATH, type Service } from '../service.js';
import { readBody } from './read_body.js';

/** A message names one order; the rest is room for what may come. */
const MAX_BYTES = 64 * 1024;

/** Where the marketplace's own webhooks arrive. Their signature is the credential, and it is over the bytes as they came. */
export function addMarketplaceMessages(
  server: FastifyInstance,
  { receiveMarketplaceMessage }: Service,
): void {
  server.post(MARKETPLACE_MESSAGES_PATH, async (request, reply) => {
    await receiveMarketplaceMessage({
      id: getHeader(request, 'webhook-id'),
      timestamp: getHeader(request, 'webhook-timestamp'),
      signature: getHeader(request, 'webhook-signature'),
      body: await readBody(request.raw, MAX_BYTES),
    });
    return reply.code(204).send();
  });
}

function getHeader({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
