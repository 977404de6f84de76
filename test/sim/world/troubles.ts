import { SANDBOX_SHOPS } from '../../../src/sandbox/world/shops.js';
import type { PlannedCrash } from '../plan.js';
import { CrashError, type Machine, type Place } from './machine.js';
import type { World } from './world.js';

export type Troubles = {
  /** Stops all troubles, and starts the programs that are down. */
  calm(): Promise<void>;
  countCrashes(): number;
};

type Armed = { crash: PlannedCrash; armed_ms: number; left: number };

/** Stops waiting for a place that is not reached within this time. */
const ARMED_MS = 15 * 60_000;

/** Makes the programs crash, sleep and lose their tokens as planned. */
export function beginTroubles(world: World): Troubles {
  const { plan, schedule, machines, marketplace, bell } = world;
  let isCalm = false;
  let crashes = 0;
  const starting = new Set<Promise<unknown>>();
  /** For each machine, the crashes waiting for their place, in the order they were armed. */
  const armed = new Map<Machine, Armed[]>();

  for (const crash of plan.crashes) schedule.after(crash.at_ms, () => arm(crash));
  for (const { at_ms, machine, lasts_ms } of plan.sleeps) {
    schedule.after(at_ms, () => {
      if (isCalm) return;
      machines[machine]?.sleep(lasts_ms, { is_away: true });
      // As with a restarted one.
      schedule.after(lasts_ms, () => bell.ring());
    });
  }
  for (const at_ms of plan.expiries) {
    schedule.after(at_ms, () => {
      for (const { user_id } of SANDBOX_SHOPS) {
        if (!isCalm) void marketplace.control('POST', '/tokens/expire', { user_id });
      }
    });
  }

  function arm(crash: PlannedCrash): void {
    const machine = machines[crash.machine];
    if (isCalm || !machine?.getLife()) return;
    if (crash.at === 'time') {
      strike(machine, crash);
      return;
    }
    const waiting = armed.get(machine) ?? [];
    waiting.push({ crash, armed_ms: schedule.now(), left: crash.n });
    armed.set(machine, waiting);
    machine.onReached = (place) => reach(machine, waiting, place);
  }

  /** Each counts its own places; one strikes at a time. */
  function reach(machine: Machine, waiting: Armed[], place: Place): void {
    const is_late = ({ armed_ms }: Armed): boolean => isCalm || schedule.now() - armed_ms > ARMED_MS;
    waiting.splice(0, waiting.length, ...waiting.filter((one) => !is_late(one)));
    if (!machine.getLife()) return;
    for (const one of waiting) if (place === one.crash.at) one.left -= 1;
    const due = waiting.find(({ left, crash }) => crash.at === place && left <= 0);
    if (!due) return;
    waiting.splice(waiting.indexOf(due), 1);
    strike(machine, due.crash);
    throw new CrashError(`ended at ${place}`);
  }

  function strike(machine: Machine, { down_ms }: PlannedCrash): void {
    crashes += 1;
    machine.crash();
    schedule.after(down_ms, () => {
      if (isCalm || machine.getLife()) return;
      const started = machine.start().finally(() => {
        starting.delete(started);
        // Otherwise it would be awake on its own until the others have slept enough.
        bell.ring();
      });
      starting.add(started);
    });
  }

  return {
    countCrashes: () => crashes,
    async calm() {
      isCalm = true;
      await Promise.all(starting);
      for (const machine of machines) {
        machine.onReached = undefined;
        if (!machine.getLife()) await machine.start();
      }
    },
  };
}
