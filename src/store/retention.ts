import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { RetentionStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { Tables } from './schema.js';

/** What is old is found by an index or among few, and removed by its key. */
export function createRetention(
  database: Database,
): Omit<RetentionStore, 'sweepDeliveries' | 'sweepEvents' | 'sweepHeardOrders'> {
  const remove = (statement: RawBuilder<unknown>) => database.write((trx) => countChanged(trx, statement));
  return {
    sweepPlans: (completed_before, limit) =>
      remove(sql`
        UPDATE jobs SET plan = 'null' WHERE rowid IN (
          SELECT jobs.rowid FROM jobs
          JOIN listings ON listings.account_id = jobs.account_id AND listings.listing_pk = jobs.listing_pk
          WHERE jobs.completed_at < ${completed_before} AND jobs.plan <> 'null'
            AND (listings.job_id <> jobs.job_id OR listings.status = 'published')
          LIMIT ${limit}
        )`),
    sweepKeyBindings: (bound_before, limit) =>
      remove(sql`
        DELETE FROM key_bindings WHERE (account_id, key) IN (
          SELECT account_id, key FROM key_bindings WHERE bound_at < ${bound_before} LIMIT ${limit}
        )`),
    sweepDigestBindings: (ended_before, limit) =>
      remove(sql`
        DELETE FROM digest_bindings WHERE (account_id, digest) IN (
          SELECT bound.account_id, bound.digest FROM digest_bindings AS bound
          LEFT JOIN jobs ON jobs.account_id = bound.account_id AND jobs.job_id = bound.job_id
          JOIN listings ON listings.account_id = bound.account_id AND listings.listing_pk = bound.listing_pk
          WHERE CASE WHEN bound.job_id IS NULL THEN listings.created_at ELSE jobs.completed_at END < ${ended_before}
          LIMIT ${limit}
        )`),
    sweepSessions: (now, unused_since, limit) =>
      database.write(async (trx) => {
        const sessions = await countChanged(
          trx,
          sql`
            DELETE FROM sessions WHERE token_sha256 IN (
              SELECT token_sha256 FROM sessions
              WHERE expires_at <= ${now} OR last_used_at <= ${unused_since} LIMIT ${limit}
            )`,
        );
        const links = await countChanged(
          trx,
          sql`
            DELETE FROM sign_in_links WHERE token_sha256 IN (
              SELECT token_sha256 FROM sign_in_links WHERE expires_at <= ${now} LIMIT ${limit - sessions}
            )`,
        );
        return sessions + links;
      }),
  };
}

async function countChanged(trx: Transaction<Tables>, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows = 0n } = await statement.execute(trx);
  return Number(numAffectedRows);
}
