import type { Need } from '../needs.js';
import { toSentence } from './progress.js';
import { readBatch, toBatchPath, type Visitor } from './read.js';
import { toExtent, toResult, type Batch } from './words.js';

/** How long the page Today shows a change that failed. */
const SHOWN_MS = 24 * 60 * 60_000;
const MOST = 20;

/** Changes that are waiting, running, or ended with a problem in the last day and were not undone since. */
export async function listChangeNeeds(
  visitor: Visitor,
  now: Date,
): Promise<{ needs: Need[]; going: Need[] }> {
  const { core, account_id } = visitor;
  const { batches } = await core.batches.list(account_id, { limit: MOST, offset: 0 });
  const read = async (found: Batch[]) =>
    (await Promise.all(found.map((batch) => toNeed(visitor, batch)))).flat();
  return {
    needs: await read(batches.filter((batch) => hasTrouble(batch, now))),
    going: await read(batches.filter(({ status }) => status === 'running')),
  };
}

function hasTrouble({ status, counts, completed_at, started_at }: Batch, now: Date): boolean {
  if (status === 'paused') return true;
  if (started_at === null || completed_at === null) return false;
  const isRecent = now.getTime() - Date.parse(completed_at) < SHOWN_MS;
  return isRecent && (counts.error > 0 || status === 'failed');
}

async function toNeed(visitor: Visitor, { batch_id }: Batch): Promise<Need | []> {
  const { batch, title, undone } = await readBatch(visitor, batch_id, { limit: 1 });
  if (undone?.is_whole) return [];
  const isOver = batch.completed_at !== null;
  return {
    what: `${title}, ${toExtent(batch.counts)}`,
    why: isOver ? `${toResult(batch)}.` : toSentence(batch),
    href: toBatchPath(batch_id),
    way: isOver ? 'See why' : 'Open it',
  };
}
