import type { Transaction } from 'kysely';
import type { ImportProgress } from '../../core/listings/import/plan.js';
import type { UpdateProgress } from '../../core/listings/update/plan.js';
import type { JobClaim, JobPart, ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';
import { requireClaim } from './claims.js';

/** What a job has done of each of its parts. Saving takes the job's row, and needs its claim. */
export function createJobParts({
  read,
  write,
}: Engine<Tables>): Pick<ListingStore, 'listJobParts' | 'saveJobPart'> {
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
        ({ part_id, progress }) => ({ part_id, progress: fromJson(progress) }) as JobPart<Progress>,
      );
    },
    async saveJobPart(claim, part) {
      await write(async (trx) => {
        await requireClaim(trx, claim);
        await saveJobPart(trx, claim, part);
      });
    },
  };
}

/** Call it with the job's row taken. */
export async function saveJobPart(
  trx: Transaction<Tables>,
  { account_id, job_id }: Pick<JobClaim, 'account_id' | 'job_id'>,
  { part_id, progress }: JobPart<UpdateProgress | ImportProgress>,
): Promise<void> {
  const text = toJson(progress);
  await trx
    .insertInto('job_parts')
    .values({ account_id, job_id, part_id, progress: text })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'job_id', 'part_id']).doUpdateSet({ progress: text }),
    )
    .execute();
}
