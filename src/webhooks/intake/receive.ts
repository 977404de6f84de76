import { ServiceError } from '../../core/errors.js';
import type { Hints } from '../../core/orders/hints.js';
import type { SignedMessage } from '../../core/orders/message.js';
import type { Clock, Log } from '../../core/ports/index.js';
import { findShopId, parseMessage } from './message.js';
import { findForgery } from './verify.js';

/**
 * Takes a message that the marketplace sent. When it resolves, the message is kept or of no concern, and is acknowledged.
 * Throws NOT_FOUND where no secret is set, UNAUTHORIZED for a message that is not the marketplace's, INVALID_JSON.
 */
type ReceiveMessage = (message: SignedMessage) => Promise<void>;

export function createReceiveMessage(options: {
  /**
   * Of the installation's application, and of those that this shop is connected with: an application speaks for its own shops. Each
   * of them is good; while a secret is replaced, there are two.
   */
  getSecrets: (shop_id: number | undefined) => Promise<readonly string[]>;
  /** Whether there is a secret at all. */
  isExpecting: () => Promise<boolean>;
  hints: Pick<Hints, 'take'>;
  /** Called after a message was kept. */
  onTaken: () => void;
  clock: Clock;
  log: Log;
}): ReceiveMessage {
  const { hints, clock, log } = options;
  return async (message) => {
    if (!(await options.isExpecting())) {
      throw new ServiceError('NOT_FOUND', 'The marketplace is not expected to send anything here.', {
        hint: 'Set ETSY_WEBHOOK_SECRET to the signing secret from the webhook portal of your Etsy application, or give it when you connect the shop.',
      });
    }
    const said = tryParseJson(message.body);
    // Which secret is right depends on the shop that the message names; what it says counts only with a signature.
    const secrets = await options.getSecrets(said && findShopId(said.value));
    const forgery = findForgery(message, secrets, clock.now());
    if (forgery !== undefined) {
      throw new ServiceError('UNAUTHORIZED', `This is no message of the marketplace: ${forgery}.`, {
        hint: 'Compare ETSY_WEBHOOK_SECRET, or the secret that was given when the shop was connected, with the webhook portal of your Etsy application, and this computer’s clock with the time.',
      });
    }
    if (!said) throw new ServiceError('INVALID_JSON', 'The message is no JSON.');
    const hint = parseMessage(said.value);
    const outcome = hint ? await hints.take({ ...hint, webhook_id: message.id ?? '' }) : 'ignored';
    log.debug('a message of the marketplace', { outcome, shop_id: hint?.shop_id, told: hint?.told });
    if (outcome === 'taken') options.onTaken();
  };
}

function tryParseJson(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString('utf8')) as unknown };
  } catch {
    return undefined;
  }
}
