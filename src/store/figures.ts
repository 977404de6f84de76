import type { Transaction } from 'kysely';
import type { StoreFigures } from '../core/ports/index.js';
import type { Engine } from './engine/engine.js';
import { toNumber } from './numbers.js';
import type { Tables } from './schema.js';
import { sumDeliveries } from './webhooks/totals.js';

/** Counts over all accounts, only for the operator: no other queries omit the account. */
export function createFigures({ read }: Engine<Tables>): () => Promise<StoreFigures> {
  return () =>
    read(async (trx) => ({
      drafts: await countDrafts(trx),
      jobs: await countJobs(trx),
      deliveries: await sumDeliveries(trx),
      upload_bytes: await countUploadBytes(trx),
    }));
}

async function countDrafts(trx: Transaction<Tables>): Promise<StoreFigures['drafts']> {
  const { count, bytes } = await trx
    .selectFrom('listing_totals')
    .select(({ fn }) => [fn.sum('total').as('count'), fn.sum('bytes').as('bytes')])
    .where('status', '=', 'draft')
    .executeTakeFirstOrThrow();
  return { count: toNumber(count), bytes: toNumber(bytes) };
}

async function countJobs(trx: Transaction<Tables>): Promise<StoreFigures['jobs']> {
  const rows = await trx
    .selectFrom('jobs')
    .select(['status', ({ fn }) => fn.countAll().as('count')])
    .groupBy('status')
    .execute();
  const counts = { processing: 0, completed: 0, failed: 0 };
  for (const { status, count } of rows) counts[status] = toNumber(count);
  return counts;
}

/** Each file once. */
async function countUploadBytes(trx: Transaction<Tables>): Promise<number> {
  const files = trx
    .selectFrom('uploads')
    .select(['sha256', ({ fn }) => fn.max('size_bytes').as('size_bytes')])
    .groupBy('sha256');
  const { bytes } = await trx
    .selectFrom(files.as('files'))
    .select(({ fn }) => fn.sum('files.size_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return toNumber(bytes);
}
