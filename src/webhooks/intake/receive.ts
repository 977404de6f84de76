import { ServiceError } from '../../core/errors.js';
import type { Looks } from '../../core/listings/truth/looks.js';
import type { Hints } from '../../core/orders/hints.js';
import type { SignedMessage } from '../../core/orders/message.js';
import type { Clock, Log } from '../../core/ports/index.js';
import { parseListingMessage, parseMessage } from './message.js';
import { findForgery } from './verify.js';

/**
 * Takes a message that the marketplace sent. When it resolves, the message is kept or of no concern, and is acknowledged.
 * Throws NOT_FOUND where no secret is set, UNAUTHORIZED for a message that is not the marketplace's, INVALID_JSON.
 */
type ReceiveMessage = (message: SignedMessage) => Promise<void>;

export function createReceiveMessage(options: {
  /** Each of them is good: while a secret is replaced, there are two. */
  getSecrets: () => Promise<readonly string[]>;
  hints: Pick<Hints, 'take'>;
  looks: Pick<Looks, 'markChanged'>;
  /** Called after a message was kept. */
  onTaken: () => void;
  clock: Clock;
  log: Log;
}): ReceiveMessage {
  const { hints, looks, clock, log } = options;
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
    const said = parseJson(message.body);
    const changed = parseListingMessage(said);
    if (changed) return looks.markChanged(changed.shop_id, [changed.listing_id]);
    const hint = parseMessage(said);
    const outcome = hint ? await hints.take({ ...hint, webhook_id: message.id ?? '' }) : 'ignored';
    log.debug('a message of the marketplace', { outcome, shop_id: hint?.shop_id, told: hint?.told });
    if (outcome === 'taken') options.onTaken();
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new ServiceError('INVALID_JSON', 'The message is no JSON.', { cause });
  }
}
