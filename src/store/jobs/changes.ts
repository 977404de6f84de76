import type { Transaction } from 'kysely';
import type { ChangeRef, Page } from '../../core/ports/index.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';

/** Jobs that belong to no batch, and batches, the newest first. */
export async function listChanges(
  trx: Transaction<Tables>,
  account_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<ChangeRef>> {
  const jobs = trx
    .selectFrom('jobs')
    .where('account_id', '=', account_id)
    .where('batch_id', 'is', null)
    .where('kind', '<>', 'batch');
  const batches = trx.selectFrom('batches').where('account_id', '=', account_id);
  const single = await jobs.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const many = await batches.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await jobs
    .select(['job_id as id', 'created_at', (eb) => eb.val('job').as('kind')])
    .unionAll(batches.select(['batch_id as id', 'created_at', (eb) => eb.val('batch').as('kind')]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return {
    total: toNumber(single.total) + toNumber(many.total),
    items: rows.map(({ id, kind }) =>
      kind === 'batch' ? { kind: 'batch', batch_id: id } : { kind: 'job', job_id: id },
    ),
  };
}
