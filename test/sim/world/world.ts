/* oxlint-disable unicorn/consistent-function-scoping -- what does nothing yet stands where it is replaced */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createChance, type Chance } from '../kernel/chance.js';
import { createJournal, type Journal } from '../kernel/journal.js';
import { createSchedule, type Schedule } from '../kernel/schedule.js';
import { seal } from '../kernel/seal.js';
import type { Plan } from '../plan.js';
import { createDisk, type Disk } from './disk.js';
import { createFates, type Fates } from './fates.js';
import { createMachine, forgetMachines, type Machine } from './machine.js';
import { openMarketplace, type Marketplace } from './marketplace.js';
import { createMessageWay } from './messages.js';
import { createNetworks, type Sent } from './network.js';
import { createReceivers, type Receivers } from './receivers.js';
import { buildEnvironment, copyTemplate, START_MS, type Template } from './template.js';

/** Everything there is for one seed. */
export type World = {
  plan: Plan;
  template: Template;
  folder: string;
  schedule: Schedule;
  chance: Chance;
  journal: Journal;
  marketplace: Marketplace;
  disk: Disk;
  fates: Fates;
  receivers: Receivers;
  machines: Machine[];
  /** Rung by arriving people. */
  bell: Bell;
  countRequests(): number;
  /** Requests and their outcomes. */
  countTraffic(): number;
  /** When requests arrived at the marketplace that were neither late nor repeated on their way. */
  arrivals: readonly number[];
  /** All sent requests that count towards the marketplace's limits. */
  sent: readonly Sent[];
  /** Shops with a revoked grant, and when each is granted again. */
  revoked: Map<number, number>;
  close(): Promise<void>;
};

export async function openWorld(
  plan: Plan,
  template: Template,
  folder: string,
  isTraced: boolean,
): Promise<World> {
  copyTemplate(template, folder);
  const chance = createChance(plan.seed, 'world');
  const schedule = createSchedule(START_MS, createChance(plan.seed, 'ties'));
  seal({ schedule, chance: createChance(plan.seed, 'libraries') });
  const journal = createJournal(schedule, START_MS, isTraced);
  const marketplace = openMarketplace(join(folder, 'marketplace.db'), {
    schedule,
    chance: createChance(plan.seed, 'marketplace'),
    post: (headers, body) => deliverMessage(headers, body),
  });
  const disk = createDisk({ folder, schedule, chance, door: marketplace, kept: template.blobs });
  const fates = createFates(plan.faults, {
    schedule,
    chance: createChance(plan.seed, 'fates'),
    start_ms: START_MS,
  });
  const networks = createNetworks({
    schedule,
    chance,
    journal,
    door: marketplace,
    fates,
    lag_ms: Math.max(...Object.values(plan.lags)),
  });
  const receivers = createReceivers(plan.outages, {
    schedule,
    chance,
    journal,
    start_ms: START_MS,
    furthest_skew_ms: Math.max(
      ...plan.machines.flatMap(({ skew_ms, step }) => [Math.abs(skew_ms), Math.abs(step?.skew_ms ?? 0)]),
    ),
  });
  const machines = plan.machines.map((planned, index) =>
    createMachine({
      number: index + 1,
      planned,
      folder,
      environment: buildEnvironment(plan),
      start_ms: START_MS,
      schedule,
      chance: createChance(plan.seed, `machine ${index}`),
      journal,
      disk,
      openNetwork: networks.open,
      openPost: receivers.openPost,
    }),
  );
  const bell = createBell();
  const deliverMessage = createMessageWay({
    schedule,
    machines,
    journal,
    bell,
    chance: createChance(plan.seed, 'messages'),
  });
  return {
    plan,
    template,
    folder,
    schedule,
    chance,
    journal,
    marketplace,
    disk,
    fates,
    receivers,
    machines,
    bell,
    countRequests: networks.countRequests,
    countTraffic: networks.countTraffic,
    arrivals: networks.arrivals,
    sent: networks.sent,
    revoked: new Map(),
    async close() {
      for (const machine of machines) if (machine.getLife()) machine.crash();
      await marketplace.close();
      forgetMachines();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Bell = { ring(): void; wait(): Promise<void> };

function createBell(): Bell {
  let ring = (): void => undefined;
  return {
    ring: () => ring(),
    wait: () =>
      new Promise((resolve) => {
        ring = resolve;
      }),
  };
}
