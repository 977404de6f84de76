import { isScarce } from '../asking.js';
import type { Batch, Collecting, Item, KnownBatch } from './collecting.js';

const LEAST_POLL_MS = 2_000;
const MOST_POLL_MS = 10 * 60_000;
const LONG_MS = 6 * 3_600_000;
/** A day with few calls may end before everything is done. */
const LONG_SCARCE_MS = 72 * 3_600_000;
const UNFINISHED: ReadonlySet<string> = new Set(['planning', 'running', 'paused']);

/** Records a batch, with its plan once that is made. */
export async function know(
  collecting: Collecting,
  { batch_id, undoes }: Pick<Batch, 'batch_id' | 'undoes'>,
  created_ms = 0,
): Promise<KnownBatch> {
  const { batches, undo_asks, world } = collecting;
  const asked = undoes === undefined ? undefined : undo_asks.get(undoes);
  const known: KnownBatch = batches.get(batch_id) ?? {
    batch_id,
    created_ms,
    planned_ms: 0,
    plan: [],
    asked_ms: asked?.asked_ms,
    ended_ms: undefined,
    undoes,
    pays: asked?.pays ?? false,
    chosen: undefined,
    edited: undefined,
    status: '',
    items: [],
    canceled: undefined,
  };
  batches.set(batch_id, known);
  if (known.planned_ms > 0) return known;
  const found = await poll(collecting, batch_id, (status) => status !== 'planning');
  known.plan = found?.items ?? [];
  known.planned_ms = world.schedule.now();
  return known;
}

/** Waits until a batch has ended, or is only planned. */
export async function settle(collecting: Collecting, known: KnownBatch): Promise<void> {
  if (known.ended_ms !== undefined) return;
  const found = await poll(collecting, known.batch_id, (status) => !UNFINISHED.has(status));
  if (!found) return;
  Object.assign(known, found);
  if (found.status !== 'planned') known.ended_ms ??= collecting.world.schedule.now();
}

type Polled = { status: string; items: Item[] };

/** Polls a batch until its status is right; undefined if that takes too long. */
export async function poll(
  { ask, who, world, planned, faults }: Collecting,
  batch_id: string,
  isRight: (status: string) => boolean,
): Promise<Polled | undefined> {
  const { schedule, plan: worldPlan } = world;
  const until_ms = schedule.now() + (isScarce(worldPlan) ? LONG_SCARCE_MS : LONG_MS);
  for (let pause_ms = LEAST_POLL_MS; schedule.now() < until_ms; pause_ms *= 1.5) {
    const result = await ask(who, 'batches_list', { batch_id, limit: 100 }, { face: planned.face });
    if (result.kind !== 'told') {
      faults.push(`${who} cannot read ${batch_id}: ${JSON.stringify(result)}`);
      return undefined;
    }
    const { batches, items } = result.output as unknown as { batches: Batch[]; items: Item[] };
    const status = batches[0]?.status ?? '';
    world.journal.note(who, batch_id, `${status} ${items.map(describeItem).join(' ')}`);
    if (isRight(status)) return { status, items };
    await schedule.pause(Math.min(pause_ms, MOST_POLL_MS));
  }
  return undefined;
}

function describeItem({ status, issues: [issue] }: Item): string {
  return issue ? `${status} (${issue.code})` : status;
}
