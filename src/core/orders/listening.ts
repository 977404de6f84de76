import { createBackgroundLoop } from '../background_loop.js';
import type { Clock, Log } from '../ports/index.js';
import { untilAborted } from '../async/until_aborted.js';
import type { Orders } from './orders.js';

/** Messages followed at the same time: a burst of orders comes as a burst of messages. */
const SIDE_BY_SIDE = 4;

/** Background work for orders: follows the marketplace's messages, and polls shops. */
export type OrderListening = {
  start(): void;
  /** Follows a hint that was just saved. */
  followNow(): void;
  stop(): Promise<void>;
};

export function createOrderListening(options: {
  orders: Orders;
  /** Whether to poll shops regularly, without messages. */
  has_polls: boolean;
  /** Runs before anything else, until it succeeds. */
  prepare: () => Promise<void>;
  clock: Clock;
  log: Log;
}): OrderListening {
  const { orders, clock, log } = options;
  let isPrepared = false;

  async function prepare(signal: AbortSignal): Promise<void> {
    if (isPrepared) return;
    // A server that is stopped right after its start does not wait for this.
    await untilAborted(options.prepare(), signal);
    isPrepared = true;
  }

  const follower = createBackgroundLoop({ clock, log }, async (signal) => {
    await prepare(signal);
    const lane = async (): Promise<void> => {
      while (!signal.aborted && (await orders.hints.followNext(signal)));
    };
    // Claiming writes to the database, so it is only tried when something is due.
    const next = await orders.hints.findNextAt();
    if (!next || next > clock.now()) return next;
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
    return orders.hints.findNextAt();
  });
  const poller = createBackgroundLoop({ clock, log }, async (signal) => {
    await prepare(signal);
    return orders.polls.pollDue(signal);
  });

  return {
    start() {
      follower.start();
      if (options.has_polls) poller.start();
    },
    followNow: () => follower.wake(),
    async stop() {
      await Promise.all([follower.stop(), poller.stop()]);
    },
  };
}
