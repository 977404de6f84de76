import { ServiceError } from '../../core/errors.js';
import { BURST_MS } from '../../core/listings/observed/refresh_schedule.js';
import type { Hints } from '../../core/orders/hints.js';
import type { SignedMessage } from '../../core/orders/message.js';
import type { Clock, ListingHintStore, Log } from '../../core/ports/index.js';
import { findShopId, parseMessage, type Subject } from './message.js';
import { findForgery } from './verify.js';

/**
 * Takes a message that the marketplace sent. When it resolves, the message is stored, or concerns no shop
 * here, and can be acknowledged. Throws NOT_FOUND if no secret is set, UNAUTHORIZED for a message that the
 * marketplace did not sign, INVALID_JSON.
 */
type ReceiveMessage = (message: SignedMessage) => Promise<void>;

export function createReceiveMessage(options: {
  /**
   * The signing secrets to accept for a shop: those of the installation's application, and of the
   * applications that the shop is connected with, since an application speaks for its own shops. A message
   * signed with any of them is accepted; during the rotation of a secret, there are two.
   */
  getSecrets: (shop_id: number | undefined) => Promise<readonly string[]>;
  /** Whether any secret is set. */
  isExpecting: () => Promise<boolean>;
  order_hints: Pick<Hints, 'take'>;
  listing_hints: Pick<ListingHintStore, 'takeHint'>;
  /** Called after a message about an order or a listing was stored. */
  onTaken: (about: 'order' | 'listing') => void;
  clock: Clock;
  log: Log;
}): ReceiveMessage {
  const { order_hints, listing_hints, clock, log } = options;
  return async (message) => {
    if (!(await options.isExpecting())) {
      throw new ServiceError(
        'NOT_FOUND',
        { code: 'message_unexpected', params: {} },
        {
          hint: 'Set ETSY_WEBHOOK_SECRET to the signing secret from the webhook portal of your Etsy application, or give it when you connect the shop.',
        },
      );
    }
    const said = tryParseJson(message.body);
    const subject = said && parseMessage(said.value);
    // Which secrets apply depends on the shop that the message names, so the shop is read before the
    // signature is checked; until then, nothing else in the message is used.
    const shop_id = subject ? getShopId(subject) : said && findShopId(said.value);
    const secrets = await options.getSecrets(shop_id);
    const forgery = findForgery(message, secrets, clock.now());
    if (forgery !== undefined) {
      throw new ServiceError(
        'UNAUTHORIZED',
        { code: 'message_forged', params: { because: forgery } },
        {
          hint: 'Compare ETSY_WEBHOOK_SECRET, or the secret that was given when the shop was connected, with the webhook portal of your Etsy application, and this computer’s clock with the time.',
        },
      );
    }
    if (!said) throw new ServiceError('INVALID_JSON', { code: 'message_not_json', params: {} });
    const outcome = subject ? await take(subject, message.id ?? '') : 'ignored';
    log.debug('received a message from the marketplace', { outcome, ...subject });
  };

  async function take(subject: Subject, webhook_id: string): Promise<'taken' | 'known' | 'ignored'> {
    const outcome =
      'order' in subject
        ? await order_hints.take({ ...subject.order, webhook_id })
        : await listing_hints.takeHint({ ...subject.listing, webhook_id }, BURST_MS);
    if (outcome === 'taken') options.onTaken('order' in subject ? 'order' : 'listing');
    return outcome;
  }
}

function getShopId(subject: Subject): number {
  return 'order' in subject ? subject.order.shop_id : subject.listing.shop_id;
}

function tryParseJson(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString('utf8')) as unknown };
  } catch {
    return undefined;
  }
}
