import type { Outbox } from '../core/deliveries/outbox.js';
import type { Endpoints } from '../core/endpoints.js';
import type { ClaimedDelivery, Clock, Log } from '../core/ports/index.js';
import { createLanes } from './lanes.js';

/** Nothing tells of deliveries that another process recorded, so it looks for them this often. */
const LOOK_MS = 1_000;
/** And this often for what an ended process left behind. */
const ABANDONED_MS = 5_000;
/** What is due sooner than this is waited for this long. */
const LEAST_PAUSE_MS = 20;
/** What was at hand for longer goes back: its receiver is slow, and another process may have changed where it is to go. */
const AT_HAND_MS = 1_000;

/** Sends deliveries when their time has come. */
export type DeliveryWorker = {
  start(): void;
  /** Takes no more, and waits for what is being sent: at most the 15 s that a send may take, and its recording. */
  stop(): Promise<void>;
};

export function createDeliveryWorker({
  outbox,
  endpoints,
  clock,
  log,
}: {
  outbox: Pick<Outbox, 'listDueAccounts' | 'claimDue' | 'giveBack' | 'send' | 'endAbandoned' | 'onNew'>;
  endpoints: Pick<Endpoints, 'onChange'>;
  clock: Clock;
  log: Log;
}): DeliveryWorker {
  const lanes = createLanes();
  let under_way = 0;
  let onIdle: (() => void) | undefined;
  /** Claimed, and at hand for when there is room. */
  const waiting = new Map<string, ClaimedDelivery[]>();
  /** Accounts that may have more due than has been claimed. */
  let unfinished = new Set<string>();
  let running: Promise<void> | undefined;
  const stopping = new AbortController();
  let is_woken = false;
  /** While it waits. */
  let pause: AbortController | undefined;
  let abandoned_at_ms = 0;

  function wake(): void {
    if (is_woken) return;
    is_woken = true;
    pause?.abort();
  }

  function follow(work: Promise<void>): void {
    under_way += 1;
    void work.then(noteEnd);
  }

  function noteEnd(): void {
    under_way -= 1;
    if (under_way === 0) onIdle?.();
  }

  /** Never throws. */
  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const { account_id } = delivery;
    let is_on_way = true;
    const leave = (is_success: boolean): void => {
      if (!is_on_way) return;
      is_on_way = false;
      lanes.leave(account_id, is_success);
      goOn(account_id, is_success);
    };
    lanes.enter(account_id);
    try {
      await outbox.send(delivery, leave);
      // There may be a next try now, or the next event of its subject.
      wake();
    } catch (error) {
      log.error('the outcome of a delivery could not be recorded', { error });
    }
    leave(false);
  }

  /** What is at hand goes next. After a failure it goes back, since the receiver may be gone for long. */
  function goOn(account_id: string, is_success: boolean): void {
    if (!is_success || stopping.signal.aborted) giveBack(account_id);
    else sendWaiting(account_id);
    if (unfinished.size > 0 && isLow(account_id)) wake();
  }

  const isLow = (account_id: string): boolean =>
    (waiting.get(account_id)?.length ?? 0) <= lanes.getAhead(account_id) / 2;

  function sendWaiting(account_id: string): void {
    const [oldest] = waiting.get(account_id) ?? [];
    if (!oldest) return;
    if (clock.now().getTime() - Date.parse(oldest.claim.now) > AT_HAND_MS) giveBack(account_id);
    else for (const delivery of takeWaiting(account_id, lanes.getRoom(account_id))) follow(deliver(delivery));
  }

  function giveBack(account_id: string): void {
    const unsent = takeWaiting(account_id, Infinity);
    if (unsent.length > 0) follow(returnAll(account_id, unsent));
  }

  /** Never throws. */
  async function returnAll(account_id: string, unsent: readonly ClaimedDelivery[]): Promise<void> {
    try {
      await outbox.giveBack(unsent);
      unfinished.add(account_id);
      wake();
    } catch (error) {
      log.error('claimed deliveries could not be given back', { error });
    }
  }

  function takeWaiting(account_id: string, count: number): ClaimedDelivery[] {
    const all = waiting.get(account_id) ?? [];
    const taken = all.splice(0, count);
    if (all.length === 0) waiting.delete(account_id);
    return taken;
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
    const due = [...due_ms.keys()].filter(is_due);
    unfinished = new Set(due);
    const rooms = new Map(lanes.share(due).map(({ account_id, room }) => [account_id, room]));
    // Those with room first, in the order of their turns; then those that only want more at hand.
    for (const account_id of new Set([...rooms.keys(), ...due])) {
      if (stopping.signal.aborted) return 0;
      const room = rooms.get(account_id) ?? 0;
      const at_hand = waiting.get(account_id)?.length ?? 0;
      if (!isLow(account_id) || room + lanes.getAhead(account_id) <= at_hand) continue;
      lanes.noteClaim(account_id, now_ms);
      const wanted = room + lanes.getAhead(account_id) - at_hand;
      // Its receiver became slower: so much is at hand for a while.
      if (wanted <= 0) continue;
      const taken = await outbox.claimDue(account_id, wanted);
      if (taken.length < wanted) unfinished.delete(account_id);
      if (taken.length > 0) waiting.set(account_id, [...(waiting.get(account_id) ?? []), ...taken]);
      sendWaiting(account_id);
    }
    // Whose lane is full is waited for by nobody: the end of a delivery wakes.
    const later = [...due_ms].flatMap(([account_id, at_ms]) => (is_due(account_id) ? [] : [at_ms]));
    const rest_ms = Math.min(...later, Infinity) - clock.now().getTime();
    return Math.max(LEAST_PAUSE_MS, Math.min(LOOK_MS, rest_ms));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      is_woken = false;
      const pause_ms = await takeDue().catch((error: unknown) => {
        log.warn('deliveries could not be taken', { error });
        return LOOK_MS;
      });
      if (is_woken) continue;
      pause = new AbortController();
      await clock.sleep(pause_ms, pause.signal).catch(() => undefined);
      pause = undefined;
    }
  }

  async function finish(): Promise<void> {
    stopping.abort();
    wake();
    await running;
    for (const account_id of waiting.keys()) giveBack(account_id);
    if (under_way > 0) await new Promise<void>((resolve) => (onIdle = resolve));
  }

  let stopped: Promise<void> | undefined;
  return {
    start() {
      outbox.onNew(wake);
      endpoints.onChange(giveBack);
      running ??= run();
    },
    stop: () => (stopped ??= finish()),
  };
}
