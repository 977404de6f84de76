import { ServiceError } from '../../core/errors.js';
import { BURST_MS } from '../../core/listings/truth/looks.js';
import type { Hints } from '../../core/orders/hints.js';
import type { SignedMessage } from '../../core/orders/message.js';
import type { Clock, ListingHintStore, Log } from '../../core/ports/index.js';
import { parseMessage, type Told } from './message.js';
import { findForgery } from './verify.js';

/**
 * Takes a message that the marketplace sent. When it resolves, the message is kept or of no concern, and is acknowledged.
 * Throws NOT_FOUND where no secret is set, UNAUTHORIZED for a message that is not the marketplace's, INVALID_JSON.
 */
type ReceiveMessage = (message: SignedMessage) => Promise<void>;

export function createReceiveMessage(options: {
  /** Each of them is good: while a secret is replaced, there are two. */
  getSecrets: () => Promise<readonly string[]>;
  order_hints: Pick<Hints, 'take'>;
  listing_hints: Pick<ListingHintStore, 'takeHint'>;
  /** Called after a message was kept, which is about an order or a listing. */
  onTaken: (about: 'order' | 'listing') => void;
  clock: Clock;
  log: Log;
}): ReceiveMessage {
  const { order_hints, listing_hints, clock, log } = options;
  return async (message) => {
    const secrets = await options.getSecrets();
    if (secrets.length === 0) {
      throw new ServiceError('NOT_FOUND', 'The marketplace is not expected to send anything here.', {
        hint: 'Set ETSY_WEBHOOK_SECRET to the signing secret from the webhook portal of your Etsy application.',
      });
    }
    const forgery = findForgery(message, secrets, clock.now());
    if (forgery !== undefined) {
      throw new ServiceError('UNAUTHORIZED', `This is no message of the marketplace: ${forgery}.`, {
        hint: 'Compare ETSY_WEBHOOK_SECRET with the webhook portal of your Etsy application, and this computer’s clock with the time.',
      });
    }
    const told = parseMessage(parseJson(message.body));
    const outcome = told ? await take(told, message.id ?? '') : 'ignored';
    log.debug('a message of the marketplace', { outcome, ...told });
  };

  async function take(told: Told, webhook_id: string): Promise<'taken' | 'known' | 'ignored'> {
    const outcome =
      'order' in told
        ? await order_hints.take({ ...told.order, webhook_id })
        : await listing_hints.takeHint({ ...told.listing, webhook_id }, BURST_MS);
    if (outcome === 'taken') options.onTaken('order' in told ? 'order' : 'listing');
    return outcome;
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new ServiceError('INVALID_JSON', 'The message is no JSON.', { cause });
  }
}
