import { sql } from 'kysely';
import type { StoreFigures } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { Engine } from './engine/engine.js';
import type { Tables } from './schema.js';
import { sumDeliveries } from './webhooks/totals.js';

/** Counts over all accounts: the one place where no account is named, since no account is ever told them. */
export function createFigures(
  { db }: Database,
  engine: Engine<Tables>,
): { getFigures(): Promise<StoreFigures> } {
  return {
    async getFigures() {
      const jobs = await db
        .selectFrom('job_totals')
        .select(['status', (build) => build.fn.sum<number>('total').as('count')])
        .groupBy('status')
        .execute();
      const deliveries = await engine.read((trx) => sumDeliveries(trx));
      const files = db
        .selectFrom('uploads')
        .select(['sha256', (build) => build.fn.max('size_bytes').as('size_bytes')])
        .groupBy('sha256');
      const { bytes } = await db
        .selectFrom(files.as('files'))
        .select(sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'))
        .executeTakeFirstOrThrow();
      const drafts = await db
        .selectFrom('listing_totals')
        .select((build) => [
          build.fn.coalesce(build.fn.sum<number>('total'), build.lit(0)).as('count'),
          build.fn.coalesce(build.fn.sum<number>('bytes'), build.lit(0)).as('bytes'),
        ])
        .where('status', '=', 'draft')
        .executeTakeFirstOrThrow();
      return {
        drafts,
        jobs: { processing: 0, completed: 0, failed: 0, ...toRecord(jobs) },
        deliveries,
        upload_bytes: bytes,
      };
    },
  };
}

function toRecord<Name extends string>(
  rows: readonly { status: Name; count: number }[],
): Partial<Record<Name, number>> {
  return Object.fromEntries(rows.map(({ status, count }) => [status, count])) as Partial<
    Record<Name, number>
  >;
}
