import type { Transaction } from 'kysely';
import type { JobClaim, JobPart, ListingStore, ImportProgress } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { toJson } from '../json.js';
import { readPart } from './labeled_differences.js';
import { addActivation, removeActivation } from '../listings/spending.js';
import type { Tables } from '../schema.js';
import { requireClaim } from './claims.js';
import type { ChangeProgress } from '../../core/ports/listing/progress.js';

/** The progress of a job's parts. Saving locks the job's row, and requires its claim. */
export function createJobParts(engine: Engine<Tables>): Pick<ListingStore, 'listJobParts' | 'saveJobPart'> {
  const { read, write } = engine;
  return {
    async listJobParts<Progress>(account_id: string, job_id: string) {
      const rows = await read((trx) =>
        trx
          .selectFrom('job_parts')
          .select(['part_id', 'progress'])
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .orderBy('part_id')
          .execute(),
      );
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of the job says what its parts are
      return rows.map(
        ({ part_id, progress }) => ({ part_id, progress: readPart(progress) }) as JobPart<Progress>,
      );
    },
    async saveJobPart(claim, part) {
      const isFeeIntended = isIntended(part.progress);
      await write(async (trx) => {
        const { listing_pk } = await requireClaim(engine, trx, claim);
        const { account_id, job_id } = claim;
        const activation = { account_id, job_id, shop_id: part.part_id };
        if (isFeeIntended !== undefined && listing_pk !== null) {
          if (isFeeIntended) await addActivation(trx, { ...activation, listing_pk }, await engine.now(trx));
          else await removeActivation(trx, activation);
        }
        await saveJobPart(engine, trx, claim, part);
      });
    },
  };
}

/** Saves the progress of a part. Call it with the job's row locked. */
export async function saveJobPart(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  { account_id, job_id }: Pick<JobClaim, 'account_id' | 'job_id'>,
  { part_id, progress }: JobPart<ChangeProgress | ImportProgress>,
): Promise<void> {
  const values = { progress: toJson(progress), saved_at: await engine.now(trx) };
  await trx
    .insertInto('job_parts')
    .values({ account_id, job_id, part_id, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'job_id', 'part_id']).doUpdateSet(values))
    .execute();
}

/** Whether an activation that costs a fee was intended; undefined for a job that can have none. */
function isIntended(progress: ChangeProgress | ImportProgress): boolean | undefined {
  if (!('activation_intended_at' in progress)) return undefined;
  return progress.activation_intended_at === undefined ? undefined : progress.activation_intended_at !== null;
}
