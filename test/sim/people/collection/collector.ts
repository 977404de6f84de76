import type { PlannedCollection } from '../../plan.js';
import { NEVER_MS } from '../../plan.js';
import type { World } from '../../world/world.js';
import { runBatch } from './batch.js';
import { know, settle } from './following.js';
import { beginCollecting, makePieces, watchCopies, type Collecting } from './collecting.js';

export type Collector = {
  collecting: Collecting;
  live(): Promise<void>;
  /** Once all troubles are over: each batch ends. */
  finish(): Promise<void>;
};

export function createCollector(
  world: World,
  planned: PlannedCollection,
  parts: Pick<Collecting, 'ask' | 'look' | 'chance'>,
): Collector {
  const collecting = beginCollecting(world, planned, parts);
  return { collecting, live: () => live(collecting), finish: () => finish(collecting) };
}

async function live(collecting: Collecting): Promise<void> {
  const { planned, world, who } = collecting;
  const { schedule, journal } = world;
  if (planned.at_ms >= NEVER_MS) return;
  await schedule.pause(planned.at_ms);
  collecting.is_running = true;
  await makePieces(collecting);
  collecting.is_running = false;
  for (const deed of planned.deeds) {
    await schedule.pause(deed.after_ms);
    if (deed.kind === 'none' || collecting.pieces.length === 0) continue;
    collecting.is_running = true;
    journal.note(who, `begins ${deed.edits.join(' ')}`);
    await runBatch(collecting, deed).finally(() => {
      collecting.is_running = false;
    });
    journal.note(who, `has done ${deed.edits.join(' ')}`);
  }
}

/** Plans whose answers were lost exist, too. */
async function finish(collecting: Collecting): Promise<void> {
  const { ask, who, pieces, planned } = collecting;
  if (pieces.length === 0) return;
  const result = await ask(who, 'batches_list', { limit: 100 }, { face: planned.face });
  const { batches = [] } = (result.kind === 'told' ? result.output : {}) as {
    batches?: { batch_id: string }[];
  };
  for (const batch of batches) await settle(collecting, await know(collecting, batch));
  await watchCopies(collecting);
}
