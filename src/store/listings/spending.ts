import type { Transaction } from 'kysely';
import { SpendingLimitError, type ListingStore, type SpendingLimit } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { IS_RUNNING } from '../jobs/claims.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';

/** Activations that count towards the daily limit: those that were intended within the window, and those that running jobs plan. */
export function createSpending(engine: Engine<Tables>): Pick<ListingStore, 'countActivations'> {
  return {
    countActivations: (account_id, window_ms) =>
      engine.read((trx) => countActivations(engine, trx, account_id, window_ms)),
  };
}

/**
 * For the transaction that makes the job, with the account's row taken, so that any number of jobs at once stay inside the limit.
 * Throws SpendingLimitError.
 */
export async function requireSpending(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  account_id: string,
  limit: SpendingLimit | undefined,
): Promise<void> {
  if (!limit) return;
  const spent = await countActivations(engine, trx, account_id, limit.window_ms);
  if (spent + limit.wanted <= limit.most) return;
  throw new SpendingLimitError('the daily limit of activations is reached');
}

/** In one query: an activation that is planned becomes an intended one at any time, and counts once. */
async function countActivations(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  account_id: string,
  window_ms: number,
): Promise<number> {
  const since = shiftTime(await engine.now(trx), -window_ms);
  const { intended, planned } = await trx
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('publications')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('account_id', '=', account_id)
        .where('activation_intended_at', '>=', since)
        .as('intended'),
      // Those without an intent, found by the jobs that run: of all publications, most have none.
      selectFrom('jobs')
        .innerJoin('publications', (join) =>
          join
            .onRef('publications.account_id', '=', 'jobs.account_id')
            .onRef('publications.listing_pk', '=', 'jobs.listing_pk'),
        )
        .select(({ eb, fn }) =>
          eb(fn.countAll<number>(), '-', fn.count<number>('activation_intended_at')).as('total'),
        )
        .where(IS_RUNNING)
        .where('jobs.account_id', '=', account_id)
        .where('jobs.state', '=', 'active')
        .as('planned'),
    ])
    .executeTakeFirstOrThrow();
  return toNumber(intended) + toNumber(planned);
}
