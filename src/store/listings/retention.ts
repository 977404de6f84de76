import { sql } from 'kysely';
import type { RetentionStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { toJson } from '../json.js';
import type { Tables } from '../schema.js';
import { createEditLicenses } from '../jobs/edit_licenses.js';

type ListingRetention = Pick<
  RetentionStore,
  | 'sweepPlans'
  | 'sweepJobParts'
  | 'sweepKeptFiles'
  | 'sweepKeyBindings'
  | 'sweepDigestBindings'
  | 'sweepEditLicenses'
>;

/** Old rows are found by an index or among few, and deleted by their keys. */
export function createListingRetention(engine: Engine<Tables>): ListingRetention {
  const { write } = engine;
  return {
    sweepEditLicenses: createEditLicenses(engine).sweepEditLicenses,
    sweepPlans: (age_ms, limit) =>
      write(async (trx) => {
        const completed_before = shiftTime(await engine.now(trx), -age_ms);
        const { numUpdatedRows } = await trx
          .updateTable('jobs')
          .set({ plan: NO_PLAN })
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('account_id', 'job_id'),
              'in',
              selectFrom('jobs')
                // An import belongs to no listing.
                .leftJoin('listings', (join) =>
                  join
                    .onRef('listings.account_id', '=', 'jobs.account_id')
                    .onRef('listings.listing_pk', '=', 'jobs.listing_pk'),
                )
                .select(['jobs.account_id', 'jobs.job_id'])
                .where('jobs.completed_at', '<', completed_before)
                // In the words of the index of jobs that have a plan.
                .where(sql<boolean>`jobs.plan <> 'null'`)
                .where((old) =>
                  old.or([
                    old('jobs.listing_pk', 'is', null),
                    old('listings.job_id', '<>', old.ref('jobs.job_id')),
                    old('listings.status', '=', 'published'),
                  ]),
                )
                .limit(limit)
                .$asTuple('account_id', 'job_id'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows);
      }),
    sweepJobParts: (age_ms, limit) =>
      write(async (trx) => {
        const saved_before = shiftTime(await engine.now(trx), -age_ms);
        const old = await trx
          .selectFrom('job_parts')
          .innerJoin('jobs', (join) =>
            join
              .onRef('jobs.account_id', '=', 'job_parts.account_id')
              .onRef('jobs.job_id', '=', 'job_parts.job_id'),
          )
          .select(['job_parts.account_id', 'job_parts.job_id', 'job_parts.part_id'])
          .where('job_parts.saved_at', '<', saved_before)
          .where('jobs.completed_at', '<', saved_before)
          .orderBy('job_parts.saved_at')
          .limit(limit)
          .execute();
        for (const { account_id, job_id, part_id } of old) {
          await trx
            .deleteFrom('job_parts')
            .where('account_id', '=', account_id)
            .where('job_id', '=', job_id)
            .where('part_id', '=', part_id)
            .execute();
          await trx
            .updateTable('jobs')
            .set({ request_change: null })
            .where('account_id', '=', account_id)
            .where('job_id', '=', job_id)
            .execute();
        }
        return old.length;
      }),
    sweepKeptFiles: (limit) =>
      write(async (trx) => {
        const now = await engine.now(trx);
        const { numDeletedRows } = await trx
          .deleteFrom('kept_files')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('account_id', 'sha256'),
              'in',
              selectFrom('kept_files')
                .select(['account_id', 'sha256'])
                .where('keep_until', '<=', now)
                .limit(limit)
                .$asTuple('account_id', 'sha256'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
    sweepKeyBindings: (age_ms, limit) =>
      write(async (trx) => {
        const bound_before = shiftTime(await engine.now(trx), -age_ms);
        const { numDeletedRows } = await trx
          .deleteFrom('key_bindings')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('account_id', 'key'),
              'in',
              selectFrom('key_bindings')
                .select(['account_id', 'key'])
                .where('bound_at', '<', bound_before)
                .limit(limit)
                .$asTuple('account_id', 'key'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
    sweepDigestBindings: (age_ms, limit) =>
      write(async (trx) => {
        const ended_before = shiftTime(await engine.now(trx), -age_ms);
        const { numDeletedRows } = await trx
          .deleteFrom('digest_bindings')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('account_id', 'digest'),
              'in',
              selectFrom('digest_bindings as bound')
                .leftJoin('jobs', (join) =>
                  join
                    .onRef('jobs.account_id', '=', 'bound.account_id')
                    .onRef('jobs.job_id', '=', 'bound.job_id'),
                )
                .select(['bound.account_id', 'bound.digest'])
                .where((old) =>
                  old.or([
                    old.and([old('bound.job_id', 'is', null), old('bound.bound_at', '<', ended_before)]),
                    old('jobs.completed_at', '<', ended_before),
                  ]),
                )
                .limit(limit)
                .$asTuple('account_id', 'digest'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}

const NO_PLAN = toJson(null);
