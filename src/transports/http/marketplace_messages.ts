import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/errors.js';
import type { SignedMessage } from '../../core/orders/message.js';
import type { Guesses } from '../guesses.js';
import { MARKETPLACE_MESSAGES_PATH, type Service } from '../service.js';
import { readBody } from './read_body.js';

/** A message names one order; the rest is room for what may come. */
const MAX_BYTES = 64 * 1024;

/**
 * Where the marketplace's own webhooks arrive. Their signature is the credential, and it is over the bytes as they came; a
 * wrong one counts by address as everywhere, and a right one always works, also from an address that failed before.
 */
export function addMarketplaceMessages(
  server: FastifyInstance,
  { receiveMarketplaceMessage }: Pick<Service, 'receiveMarketplaceMessage'>,
  guesses: Guesses,
): void {
  server.post(MARKETPLACE_MESSAGES_PATH, async (request, reply) => {
    await receive(await readMessage(request), request.ip);
    return reply.code(204).send();
  });

  async function receive(message: SignedMessage, address: string): Promise<void> {
    try {
      await receiveMarketplaceMessage(message);
    } catch (cause) {
      if (cause instanceof ServiceError && cause.code === 'UNAUTHORIZED') {
        await guesses.count(address);
      }
      throw cause;
    }
  }
}

async function readMessage(request: FastifyRequest): Promise<SignedMessage> {
  return {
    id: getHeader(request, 'webhook-id'),
    timestamp: getHeader(request, 'webhook-timestamp'),
    signature: getHeader(request, 'webhook-signature'),
    body: await readBody(request.raw, MAX_BYTES),
  };
}

function getHeader({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
