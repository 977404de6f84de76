import type { Orders } from '../../core/orders/orders.js';
import type { Clock, Log } from '../../core/ports/index.js';
import { createBackgroundLoop } from '../../core/background_loop.js';
import { createReceiveMessage, type ReceiveMessage } from './receive.js';

/** So many messages are looked up side by side: a burst of orders comes as a burst of messages. */
const SIDE_BY_SIDE = 4;

export type Intake = {
  receive: ReceiveMessage;
  /** Follows the marketplace's messages, and looks at shops by itself unless it is told not to. */
  start(): void;
  stop(): Promise<void>;
};

/** How orders are heard of while a server runs. */
export function createIntake(options: {
  orders: Orders;
  getSecrets: () => Promise<readonly string[]>;
  /** Whether to look at shops without being told to. */
  has_polls: boolean;
  /** Done before anything else, until it succeeds. */
  prepare: () => Promise<void>;
  clock: Clock;
  log: Log;
}): Intake {
  const { orders, getSecrets, clock, log } = options;
  let isPrepared = false;
  const prepare = async (signal: AbortSignal): Promise<void> => {
    if (isPrepared) return;
    // A server that is stopped as soon as it is up does not wait for this.
    await Promise.race([options.prepare(), whenAborted(signal)]);
    signal.throwIfAborted();
    isPrepared = true;
  };
  const follower = createBackgroundLoop({ clock, log }, async (signal) => {
    await prepare(signal);
    const lane = async (): Promise<void> => {
      while (!signal.aborted && (await orders.hints.followNext(signal)));
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
    return orders.hints.findNextAt();
  });
  const poller = createBackgroundLoop({ clock, log }, async (signal) => {
    await prepare(signal);
    return orders.polls.pollDue(signal);
  });
  return {
    receive: createReceiveMessage({ getSecrets, hints: orders.hints, onTaken: follower.wake, clock, log }),
    start() {
      follower.start();
      if (options.has_polls) poller.start();
    },
    async stop() {
      await Promise.all([follower.stop(), poller.stop()]);
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
