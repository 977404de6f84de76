import { createBackgroundLoop } from '../core/background_loop.js';
import type { HeldDelivery, Outbox } from '../core/webhooks/deliveries/outbox.js';
import type { Clock, Log, WebhookStore } from '../core/ports/index.js';
import { createLanes } from './lanes.js';

/** How often to poll for deliveries that another process recorded, since nothing announces them. */
const POLL_MS = 1_000;
/** How often to poll for deliveries whose process has ended. */
const ABANDONED_MS = 5_000;

/** Sends deliveries when their time has come. */
export type DeliveryWorker = {
  start(): void;
  /**
   * Stops claiming deliveries, and waits for those in flight: at most the 15 s that a send may take, plus the
   * time to record it.
   */
  stop(): Promise<void>;
};

export function createDeliveryWorker({
  deliveries,
  outbox,
  clock,
  log,
}: {
  /** Lists the accounts with something due. */
  deliveries: Pick<WebhookStore, 'listDueAccounts'>;
  outbox: Pick<Outbox, 'claimDue' | 'send' | 'endAbandoned' | 'onNew'>;
  clock: Clock;
  log: Log;
}): DeliveryWorker {
  const lanes = createLanes();
  const on_way = new Set<Promise<void>>();
  let abandoned_at_ms = -Infinity;

  const loop = createBackgroundLoop({ clock, log, longest_sleep_ms: POLL_MS }, async (signal) => {
    if (clock.monotonic() - abandoned_at_ms >= ABANDONED_MS) {
      abandoned_at_ms = clock.monotonic();
      await outbox.endAbandoned();
    }
    const accounts = await deliveries.listDueAccounts();
    const due = accounts.filter(({ due_in_ms }) => due_in_ms === 0);
    for (const { account_id, room } of lanes.share(due.map((one) => one.account_id))) {
      if (signal.aborted) return undefined;
      for (const delivery of await claim(account_id, room)) send(delivery);
    }
    // Deliveries that are due but have no room yet need no timer: the end of another delivery wakes the loop.
    const later = accounts.flatMap(({ due_in_ms }) => (due_in_ms > 0 ? [due_in_ms] : []));
    return later.length === 0 ? undefined : new Date(clock.now().getTime() + Math.min(...later));
  });

  /** Claims due deliveries of an account. Logs errors, so that one account does not hold up the others. */
  async function claim(account_id: string, room: number): Promise<HeldDelivery[]> {
    try {
      return await outbox.claimDue(account_id, room);
    } catch (error) {
      log.error('could not claim deliveries of an account', { account_id, error });
      return [];
    }
  }

  function send(delivery: HeldDelivery): void {
    lanes.enter(delivery.account_id);
    const sending = deliver(delivery).finally(() => on_way.delete(sending));
    on_way.add(sending);
  }

  /** Never throws. */
  async function deliver(delivery: HeldDelivery): Promise<void> {
    let isSuccess = false;
    try {
      isSuccess = (await outbox.send(delivery)).success;
    } catch (error) {
      log.error('could not record the outcome of a delivery', { error });
    }
    if (lanes.leave(delivery.account_id, isSuccess)) loop.wake();
  }

  return {
    start() {
      outbox.onNew(() => loop.wake());
      loop.start();
    },
    async stop() {
      await loop.stop();
      await Promise.all(on_way);
    },
  };
}
