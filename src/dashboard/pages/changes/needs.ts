import type { OwnVisit } from '../../page.js';
import type { Need } from '../needs.js';
import { toSentence } from './progress.js';
import { listBatches, toBatchPath } from './read.js';
import { toExtent, toResult, toTitle, type Batch } from './words.js';

/** How long the page Today shows a change that failed or was canceled. */
const SHOWN_MS = 24 * 60 * 60_000;
const MOST = 20;

type Listed = { batch: Batch; undone: Batch | undefined };

/** Changes that wait for something or did not end well in the last day, and those that are going on. */
export async function listChangeNeeds(
  visit: Pick<OwnVisit, 'core' | 'account_id'>,
  now: Date,
): Promise<{ needs: Need[]; going: Need[] }> {
  const { batches } = await listBatches(visit, { limit: MOST, offset: 0 });
  return {
    needs: batches.filter(({ batch }) => hasTrouble(batch, now)).map(toNeed),
    going: batches.filter(({ batch }) => batch.status === 'running').map(toNeed),
  };
}

function hasTrouble({ status, counts, completed_at, started_at }: Batch, now: Date): boolean {
  if (status === 'paused') return true;
  if (started_at === null || completed_at === null) return false;
  const isRecent = now.getTime() - Date.parse(completed_at) < SHOWN_MS;
  return isRecent && (counts.error > 0 || counts.canceled > 0 || status === 'failed');
}

function toNeed({ batch, undone }: Listed): Need {
  const isOver = batch.completed_at !== null;
  return {
    what: `${toTitle(batch, undone)}, ${toExtent(batch.counts)}`,
    why: isOver ? `${toResult(batch)}.` : toSentence(batch),
    href: toBatchPath(batch.batch_id),
    way: isOver ? 'See why' : 'Open it',
  };
}
