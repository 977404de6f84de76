import type { Outbox } from '../core/deliveries/outbox.js';
import type { ClaimedDelivery, Clock, Log } from '../core/ports/index.js';
import { createLanes } from './lanes.js';

/** Nothing tells of deliveries that another process recorded, so it looks for them this often. */
const LOOK_MS = 1_000;
/** And this often for what an ended process left behind. */
const ABANDONED_MS = 5_000;
/** What is due sooner than this is waited for this long. */
const LEAST_PAUSE_MS = 20;

/** Sends deliveries when their time has come. */
export type DeliveryWorker = {
  start(): void;
  /** Takes no more, and waits for what is being sent: at most the 15 s that a send may take, and its recording. */
  stop(): Promise<void>;
};

export function createDeliveryWorker({
  outbox,
  clock,
  log,
}: {
  outbox: Pick<Outbox, 'listDueAccounts' | 'claimDue' | 'send' | 'endAbandoned' | 'onNew'>;
  clock: Clock;
  log: Log;
}): DeliveryWorker {
  const lanes = createLanes();
  const sending = new Set<Promise<void>>();
  let running: Promise<void> | undefined;
  const stopping = new AbortController();
  let is_woken = false;
  let pause = new AbortController();
  let abandoned_at_ms = 0;

  function wake(): void {
    is_woken = true;
    pause.abort();
  }

  async function send(delivery: ClaimedDelivery): Promise<void> {
    const { account_id, id } = delivery;
    let is_success = false;
    try {
      is_success = (await outbox.send(delivery)).success;
    } catch (error) {
      log.error('the outcome of a delivery could not be recorded', { delivery_id: id, error });
    }
    lanes.leave(account_id, is_success);
    wake();
  }

  /** Takes what is due and fits. Answers for how long there will be nothing to do, unless somebody wakes it. */
  async function takeDue(): Promise<number> {
    const now_ms = clock.now().getTime();
    if (now_ms - abandoned_at_ms >= ABANDONED_MS) {
      abandoned_at_ms = now_ms;
      await outbox.endAbandoned();
    }
    const accounts = await outbox.listDueAccounts();
    const due_ms = new Map(accounts.map(({ account_id, due_at }) => [account_id, Date.parse(due_at)]));
    const is_due = (account_id: string) => (due_ms.get(account_id) ?? Infinity) <= clock.now().getTime();
    const shares = lanes.share([...due_ms.keys()].filter(is_due));
    for (const { account_id, room } of shares) {
      if (stopping.signal.aborted) return 0;
      const taken = await outbox.claimDue(account_id, room);
      for (const delivery of taken) {
        lanes.enter(account_id);
        const sent = send(delivery).finally(() => sending.delete(sent));
        sending.add(sent);
      }
      // As many as there was room for: there may be more.
      if (taken.length === room) is_woken = true;
    }
    // Whose lane is full is waited for by nobody: the end of a delivery wakes.
    const later = [...due_ms].flatMap(([account_id, at_ms]) => (is_due(account_id) ? [] : [at_ms]));
    const rest_ms = Math.min(...later, Infinity) - clock.now().getTime();
    return Math.max(LEAST_PAUSE_MS, Math.min(LOOK_MS, rest_ms));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      is_woken = false;
      pause = new AbortController();
      const pause_ms = await takeDue().catch((error: unknown) => {
        log.warn('deliveries could not be taken', { error });
        return LOOK_MS;
      });
      if (is_woken) continue;
      await clock.sleep(pause_ms, pause.signal).catch(() => undefined);
    }
  }

  return {
    start() {
      outbox.onNew(wake);
      running ??= run();
    },
    async stop() {
      stopping.abort();
      wake();
      await running;
      await Promise.all(sending);
    },
  };
}
