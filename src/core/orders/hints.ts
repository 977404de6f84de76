import type { Ports } from '../ports/index.js';
import {
  MarketplaceError,
  type CallOptions,
  type ClaimedHint,
  type OrderHint,
  type OrderWatch,
} from '../ports/index.js';
import { askAsOne } from './ask_as_one.js';
import { listChanges, type OrderReading } from './changes.js';
import type { RecordChanges } from './record_changes.js';
import { findDelivered } from './pages.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Duration of a claim on a hint, in ms: longer than it takes to follow one. */
const TAKEN_MS = 2 * MINUTE_MS;
/** Pauses after a hint that could not be followed, or whose order does not show the claimed change yet. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
/**
 * A message may arrive before its order can be read: this many attempts, over half a minute, may find no such
 * order.
 */
const READS_FOR_MISSING = 3;
/** A hint is dropped after this time, since a poll of the shop has found the change in the meantime. */
const GIVEN_UP_MS = 24 * 60 * MINUTE_MS;

export type Hints = {
  /**
   * Saves a message as a hint until its order has been read. Drops messages about shops that no account has
   * connected.
   */
  take(hint: OrderHint): Promise<'taken' | 'known' | 'ignored'>;
  /** Follows one hint: reads its order. False when none is due. */
  followNext(signal: AbortSignal): Promise<boolean>;
  findNextAt(): Promise<Date | undefined>;
};

export function createHints({ store, marketplace, clock, log }: Ports, recordChanges: RecordChanges): Hints {
  const { orders } = store;
  return {
    async take(hint) {
      if ((await orders.listWatches(hint.shop_id)).length === 0) return 'ignored';
      const isNew = await orders.saveHint(hint);
      return isNew ? 'taken' : 'known';
    },
    async followNext(signal) {
      const hint = await orders.claimHint(TAKEN_MS);
      if (!hint) return false;
      const { shop_id, receipt_id, attempt, age_ms } = hint;
      const outcome = await follow(hint, { signal });
      if (outcome === 'later' && age_ms <= GIVEN_UP_MS) {
        const pause_ms = PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1] ?? MINUTE_MS;
        await orders.postponeHint(hint, pause_ms);
        return true;
      }
      if (outcome !== 'recorded')
        log.warn('a message of the marketplace was let go', { shop_id, receipt_id, outcome });
      await orders.finishHint(hint);
      return true;
    },
    async findNextAt() {
      const wait_ms = await orders.findNextHint();
      return wait_ms === undefined ? undefined : new Date(clock.now().getTime() + wait_ms);
    },
  };

  /**
   * `later`: the change does not show yet. `nothing`: there is no such order, or no token to read it with.
   */
  async function follow(hint: ClaimedHint, options: CallOptions): Promise<'recorded' | 'later' | 'nothing'> {
    try {
      const read = await askAsOne(
        () => orders.listWatches(hint.shop_id),
        async (shop, watches) => ({ watches, order: await readOrder(shop, hint.receipt_id, options) }),
      );
      if (!read) return 'nothing';
      const { watches, order } = read;
      const reading = { ...order, told: hint.told };
      await recordChanges(watches, [reading]);
      return listChanges(reading).includes(hint.told) ? 'recorded' : 'later';
    } catch (cause) {
      if (!(cause instanceof MarketplaceError) && !options.signal?.aborted) {
        log.error('a message of the marketplace could not be followed', {
          shop_id: hint.shop_id,
          error: cause,
        });
      }
      const isMissing = cause instanceof MarketplaceError && cause.failure === 'not_found';
      return isMissing && hint.attempt >= READS_FOR_MISSING ? 'nothing' : 'later';
    }
  }

  async function readOrder(
    shop: OrderWatch,
    receipt_id: number,
    options: CallOptions,
  ): Promise<OrderReading> {
    const receipt = await marketplace.getReceipt(shop, receipt_id, options);
    if (!receipt.is_shipped) return { receipt, is_delivered: false };
    const moment = { created_from_s: receipt.created_at_s, created_to_s: receipt.created_at_s };
    const delivered = await findDelivered(marketplace, shop, moment, options);
    return { receipt, is_delivered: delivered.has(receipt_id) };
  }
}
