import type { Transaction } from 'kysely';
import { SpendingLimitError, type ListingStore, type Spending } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { IS_RUNNING } from '../jobs/claims.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';

/**
 * Activations that count toward the daily limit: those that were intended within the window, and those that running jobs
 * plan.
 */
export function createSpending(engine: Engine<Tables>): Pick<ListingStore, 'countActivations'> {
  return {
    countActivations: (account_id, window_ms) =>
      engine.read((trx) => countActivations(engine, trx, account_id, window_ms)),
  };
}

/**
 * Checks the spending limit in the transaction that creates the job, with the account's row locked, so that any number of
 * jobs at once stay within it. Throws SpendingLimitError.
 */
export async function requireSpending(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  account_id: string,
  spending: Spending | undefined,
): Promise<void> {
  if (spending?.claimed_by !== undefined && spending.wanted > 0) {
    await takeClaimed(trx, account_id, spending.claimed_by, spending.wanted);
    return;
  }
  // Jobs without a fee are created even if more has been spent than the limit now allows.
  if (spending?.limit === undefined || spending.wanted === 0) return;
  const { most, window_ms } = spending.limit;
  const spent = await countActivations(engine, trx, account_id, window_ms);
  if (spent + spending.wanted <= most) return;
  throw new SpendingLimitError('the daily limit of activations is reached');
}

/** Transfers claimed activations from the job of a batch to the job of one of its items. */
async function takeClaimed(
  trx: Transaction<Tables>,
  account_id: string,
  job_id: string,
  wanted: number,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('jobs')
    .set(({ eb }) => ({ fees: eb('fees', '-', wanted) }))
    .where('account_id', '=', account_id)
    .where('job_id', '=', job_id)
    .where('fees', '>=', wanted)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    throw new SpendingLimitError(`job ${job_id} has not claimed ${wanted} activations`);
}

/**
 * Returns the activations that the job of an item claimed and did not make to the job of its batch, where another attempt
 * finds them. Call it in the transaction that ends the job.
 */
export async function returnClaimed(
  trx: Transaction<Tables>,
  { account_id, job_id, fees }: { account_id: string; job_id: string; fees: number },
  batch_id: string,
): Promise<void> {
  if (fees === 0) return;
  const { made } = await trx
    .selectFrom('activations')
    .select((eb) => eb.fn.countAll<number>().as('made'))
    .where('account_id', '=', account_id)
    .where('job_id', '=', job_id)
    .executeTakeFirstOrThrow();
  const unused = fees - toNumber(made);
  if (unused <= 0) return;
  await trx
    .updateTable('jobs')
    .set(({ eb }) => ({ fees: eb('fees', '+', unused) }))
    .where('account_id', '=', account_id)
    .where('job_id', '=', ({ selectFrom }) =>
      selectFrom('batches')
        .select('batches.job_id')
        .where('batches.account_id', '=', account_id)
        .where('batches.batch_id', '=', batch_id),
    )
    .where(IS_RUNNING)
    .execute();
}

/**
 * Counts the activation from now on. One of the same job that already counts stays unchanged.
 * @param intended_at by the engine's clock
 */
export async function addActivation(
  trx: Transaction<Tables>,
  activation: { account_id: string; job_id: string; listing_pk: number; shop_id: number },
  intended_at: string,
): Promise<void> {
  await trx
    .insertInto('activations')
    .values({ ...activation, intended_at })
    .onConflict((conflict) => conflict.columns(['account_id', 'job_id', 'shop_id']).doNothing())
    .execute();
}

/** For an activation that is known not to have been done. */
export async function removeActivation(
  trx: Transaction<Tables>,
  { account_id, job_id, shop_id }: { account_id: string; job_id: string; shop_id: number },
): Promise<void> {
  await trx
    .deleteFrom('activations')
    .where('account_id', '=', account_id)
    .where('job_id', '=', job_id)
    .where('shop_id', '=', shop_id)
    .execute();
}

/** In one query: a planned activation may become an intended one at any time, and must count once. */
async function countActivations(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  account_id: string,
  window_ms: number,
): Promise<number> {
  const since = shiftTime(await engine.now(trx), -window_ms);
  const { intended, planned } = await trx
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('activations')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('account_id', '=', account_id)
        .where('intended_at', '>=', since)
        .as('intended'),
      selectFrom(
        selectFrom('jobs')
          .leftJoin('activations', (join) =>
            join
              .onRef('activations.account_id', '=', 'jobs.account_id')
              .onRef('activations.job_id', '=', 'jobs.job_id'),
          )
          .select(({ eb, fn }) => eb('jobs.fees', '-', fn.count<number>('activations.shop_id')).as('left'))
          .where(IS_RUNNING)
          .where('jobs.account_id', '=', account_id)
          .where('jobs.fees', '>', 0)
          .groupBy(['jobs.job_id', 'jobs.fees'])
          .as('open_jobs'),
      )
        .select(({ fn }) => fn.sum<number>('open_jobs.left').as('total'))
        // A job may have intended an activation again that an earlier job had counted.
        .where('open_jobs.left', '>', 0)
        .as('planned'),
    ])
    .executeTakeFirstOrThrow();
  return toNumber(intended) + toNumber(planned);
}
