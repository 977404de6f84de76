import BetterSqlite3 from 'better-sqlite3';
import { sql, type Kysely, type Selectable, type SqlBool, type Transaction } from 'kysely';
import type { PublishPlan } from '../core/listings/plan.js';
import { buildEmptyProgress, type ShopProgress } from '../core/listings/progress.js';
import {
  ListingTakenError,
  SpendingLimitError,
  type JobLease,
  type ListingStore,
  type Publication,
  type SpendingLimit,
} from '../core/ports/index.js';
import { createBatch } from './batch.js';
import { LATER, type Database } from './database.js';
import { fromJson, toJson, type Json } from './json.js';
import { buildLeaseLost, IS_RUNNING } from './leases.js';
import type { Tables } from './schema.js';

type PublicationTable = Pick<
  ListingStore,
  'listPublications' | 'countPublished' | 'savePublication' | 'listKnownListingIds' | 'countActivations'
>;

export function createPublicationTable(database: Database): PublicationTable {
  const { db } = database;
  const list = database.prepareRows(selectPublications(db, '', 0).compile());
  const save = prepareSave(database);
  const countActivations = prepareCountActivations(database);
  const { ask: saveTogether } = createBatch<Save, Error | null>(
    (saves) => database.commit(() => saves.map(save)),
    setImmediate,
  );
  return {
    listPublications: async (account_id, listing_pk) =>
      (await list(account_id, listing_pk)).map(toPublication),
    async countPublished(account_id, shop_id) {
      const row = await db
        .selectFrom('publications')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('account_id', '=', account_id)
        .where('shop_id', '=', shop_id)
        .where('listing_id', 'is not', null)
        .executeTakeFirstOrThrow();
      return row.total;
    },
    /**
     * Saves of one moment are one commit, of several shops or of one (the end of a step, and what the next begins with); of each
     * the other's refusal is none of its business.
     */
    async savePublication(lease, shop_id, listing_id, progress) {
      const refusal = await saveTogether(toSave(lease, { shop_id, listing_id, progress }));
      if (refusal) throw refusal;
    },
    /** Over all accounts: two of them may have the same shop connected. */
    async listKnownListingIds(shop_id, listing_ids) {
      if (listing_ids.length === 0) return [];
      const rows = await db
        .selectFrom('publications')
        .select('listing_id')
        .where('shop_id', '=', shop_id)
        .where('listing_id', 'in', listing_ids)
        .execute();
      return rows.flatMap((row) => row.listing_id ?? []);
    },
    countActivations: (account_id, since) => database.read(async () => countActivations(account_id, since)),
  };
}

export async function listPublications(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<Publication[]> {
  return (await selectPublications(trx, account_id, listing_pk).execute()).map(toPublication);
}

function selectPublications(db: Kysely<Tables>, account_id: string, listing_pk: number) {
  return db
    .selectFrom('publications')
    .select(['shop_id', 'listing_id', 'progress'])
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .orderBy('shop_id');
}

type PublicationRow = Pick<Selectable<Tables['publications']>, 'shop_id' | 'listing_id' | 'progress'>;

function toPublication({ shop_id, listing_id, progress }: PublicationRow): Publication {
  return { shop_id, listing_id, progress: fromJson(progress) };
}

/** One for each shop of the plan; where an earlier job left one, the new job goes on from it. */
export function prepareInsertMissing({
  db,
  prepare,
}: Database): (account_id: string, listing_pk: number, plan: PublishPlan) => void {
  const insert = prepare(() =>
    db
      .insertInto('publications')
      .values({ account_id: '', listing_pk: 0, shop_id: 0, progress: LATER })
      .onConflict((conflict) => conflict.columns(['account_id', 'listing_pk', 'shop_id']).doNothing())
      .compile(),
  );
  return (account_id, listing_pk, plan) => {
    const progress = toJson(buildEmptyProgress());
    for (const { shop_id } of plan.shops) insert.run(account_id, listing_pk, shop_id, progress);
  };
}

type Save = {
  lease: JobLease;
  shop_id: number;
  listing_id: number | null;
  progress: Json<ShopProgress>;
  activation_intended_at: string | null;
};

/** As it is at this moment, whatever becomes of the progress until it is saved. */
export function toSave(lease: JobLease, { shop_id, listing_id, progress }: Publication): Save {
  const { activation_intended_at } = progress;
  return { lease, shop_id, listing_id, progress: toJson(progress), activation_intended_at };
}

/**
 * One statement for each that changes anything, so that what it refuses undoes nothing else of the transaction. Answers why it was
 * refused, or null.
 */
export function prepareSave(database: Database): (save: Save) => Error | null {
  const { db } = database;
  // Most saves change no column that an index has; a statement that sets one writes its page anew even so.
  const saveProgress = database.prepare(() =>
    db
      .updateTable('publications')
      .set({ progress: LATER })
      .where('account_id', '=', '')
      .where(({ eb, selectFrom }) =>
        eb(
          'listing_pk',
          '=',
          selectFrom('jobs')
            .select('listing_pk')
            .where('account_id', '=', '')
            .where('job_id', '=', '')
            .where('fence', '=', 0),
        ),
      )
      .where('shop_id', '=', 0)
      .where(sql<SqlBool>`listing_id IS ?`)
      .where(sql<SqlBool>`activation_intended_at IS ?`)
      .compile(),
  );
  const saveAll = database.prepare(() =>
    db
      .insertInto('publications')
      .columns(['account_id', 'listing_pk', 'shop_id', 'listing_id', 'progress', 'activation_intended_at'])
      .expression(
        db
          .selectFrom('jobs')
          .select(({ val }) => [
            'account_id',
            'listing_pk',
            val(0).as('shop_id'),
            val<number | null>(null).as('listing_id'),
            val(toJson(buildEmptyProgress())).as('progress'),
            val<string | null>(null).as('activation_intended_at'),
          ])
          .where('account_id', '=', '')
          .where('job_id', '=', '')
          .where('fence', '=', 0),
      )
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'listing_pk', 'shop_id']).doUpdateSet(({ ref }) => ({
          listing_id: ref('excluded.listing_id'),
          progress: ref('excluded.progress'),
          activation_intended_at: ref('excluded.activation_intended_at'),
        })),
      )
      .compile(),
  );
  return ({ lease, shop_id, listing_id, progress, activation_intended_at }) => {
    const { account_id, job_id, fence } = lease;
    const kept = [shop_id, listing_id, activation_intended_at] as const;
    if (saveProgress.run(progress, account_id, account_id, job_id, fence, ...kept) > 0) return null;
    try {
      const row = [shop_id, listing_id, progress, activation_intended_at] as const;
      return saveAll.run(...row, account_id, job_id, fence) > 0 ? null : buildLeaseLost(lease);
    } catch (cause) {
      if (!isTaken(cause)) throw cause;
      return new ListingTakenError(
        `Listing ${listing_id} of shop ${shop_id} belongs to another listing of this service already.`,
      );
    }
  };
}

/** One listing of the marketplace stands for one of ours: two adopting the same one would edit each other's. */
function isTaken(cause: unknown): boolean {
  return cause instanceof BetterSqlite3.SqliteError && cause.code === 'SQLITE_CONSTRAINT_UNIQUE';
}

function prepareCountActivations({ db, prepare }: Database): (account_id: string, since: string) => number {
  const countIntended = prepare(() =>
    db
      .selectFrom('publications')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('account_id', '=', '')
      .where('activation_intended_at', '>=', '')
      .compile(),
  );
  // A cross join is SQLite's word for this order: from what runs, and not from all that was never put live.
  const countPlanned = prepare(() =>
    db
      .selectFrom('jobs')
      .crossJoin('publications')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where(IS_RUNNING)
      .where('jobs.account_id', '=', '')
      .whereRef('publications.account_id', '=', 'jobs.account_id')
      .whereRef('publications.listing_pk', '=', 'jobs.listing_pk')
      .where(sql<SqlBool>`+publications.activation_intended_at IS NULL`)
      .where('jobs.state', '=', 'active')
      .compile(),
  );
  return (account_id, since) => {
    const intended = countIntended.first(account_id, since);
    const planned = countPlanned.first(account_id, 'active');
    return (intended?.total ?? 0) + (planned?.total ?? 0);
  };
}

/** For the transaction that makes the job, so that any number of jobs at once stay inside the limit. */
export function prepareRequireSpending(
  database: Database,
): (account_id: string, limit: SpendingLimit | undefined) => void {
  const countActivations = prepareCountActivations(database);
  return (account_id, limit) => {
    if (limit && countActivations(account_id, limit.since) + limit.wanted > limit.most)
      throw new SpendingLimitError('the daily limit of activations is reached');
  };
}
