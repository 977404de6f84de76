import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import type { PublishPlan } from '../core/listings/plan.js';
import { buildEmptyProgress } from '../core/listings/progress.js';
import {
  ListingTakenError,
  SpendingLimitError,
  type ListingStore,
  type Publication,
  type SpendingLimit,
} from '../core/ports/index.js';
import type { Database } from './database.js';
import { fromJson, toJson } from './json.js';
import { IS_RUNNING, requireLease } from './leases.js';
import type { Tables } from './schema.js';

type PublicationTable = Pick<
  ListingStore,
  'listPublications' | 'countPublished' | 'savePublication' | 'listKnownListingIds' | 'countActivations'
>;

export function createPublicationTable(database: Database): PublicationTable {
  const { db } = database;
  return {
    listPublications: (account_id, listing_pk) => listPublications(db, account_id, listing_pk),
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
    savePublication: (lease, shop_id, listing_id, progress) =>
      database.write(async (trx) => {
        const { listing_pk } = await requireLease(trx, lease);
        const publication = { account_id: lease.account_id, listing_pk, shop_id, listing_id };
        await requireUnknown(trx, publication);
        const { activation_intended_at } = progress;
        const values = { listing_id, progress: toJson(progress), activation_intended_at };
        await trx
          .insertInto('publications')
          .values({ ...publication, ...values })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'listing_pk', 'shop_id']).doUpdateSet(values),
          )
          .execute();
      }),
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
    countActivations: (account_id, since) => countActivations(db, account_id, since),
  };
}

export async function listPublications(
  db: Kysely<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<Publication[]> {
  const rows = await db
    .selectFrom('publications')
    .select(['shop_id', 'listing_id', 'progress'])
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .orderBy('shop_id')
    .execute();
  return rows.map((row) => ({ ...row, progress: fromJson(row.progress) }));
}

/** One for each shop of the plan; where an earlier job left one, the new job goes on from it. */
export async function insertMissingPublications(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
  plan: PublishPlan,
): Promise<void> {
  if (plan.shops.length === 0) return;
  const progress = toJson(buildEmptyProgress());
  await trx
    .insertInto('publications')
    .values(plan.shops.map(({ shop_id }) => ({ account_id, listing_pk, shop_id, progress })))
    .onConflict((conflict) => conflict.columns(['account_id', 'listing_pk', 'shop_id']).doNothing())
    .execute();
}

/** One listing of the marketplace stands for one of ours: two adopting the same one would edit each other's. */
async function requireUnknown(
  trx: Transaction<Tables>,
  publication: { account_id: string; listing_pk: number; shop_id: number; listing_id: number | null },
): Promise<void> {
  const { account_id, listing_pk, shop_id, listing_id } = publication;
  if (listing_id === null) return;
  const owner = await trx
    .selectFrom('publications')
    .select(['account_id', 'listing_pk'])
    .where('shop_id', '=', shop_id)
    .where('listing_id', '=', listing_id)
    .executeTakeFirst();
  if (!owner || (owner.account_id === account_id && owner.listing_pk === listing_pk)) return;
  throw new ListingTakenError(
    `Listing ${listing_id} of shop ${shop_id} belongs to another listing of this service already.`,
  );
}

async function countActivations(db: Kysely<Tables>, account_id: string, since: string): Promise<number> {
  const intended = await db
    .selectFrom('publications')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('account_id', '=', account_id)
    .where('activation_intended_at', '>=', since)
    .executeTakeFirstOrThrow();
  // A cross join is SQLite's word for this order: from what runs, and not from all that was never put live.
  const planned = await db
    .selectFrom('jobs')
    .crossJoin('publications')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(IS_RUNNING)
    .where('jobs.account_id', '=', account_id)
    .whereRef('publications.account_id', '=', 'jobs.account_id')
    .whereRef('publications.listing_pk', '=', 'jobs.listing_pk')
    .where(sql<SqlBool>`+publications.activation_intended_at IS NULL`)
    .where('jobs.state', '=', 'active')
    .executeTakeFirstOrThrow();
  return intended.total + planned.total;
}

/** In the transaction that makes the job, so that any number of jobs at once stay inside the limit. */
export async function requireSpending(
  trx: Transaction<Tables>,
  account_id: string,
  limit: SpendingLimit | undefined,
): Promise<void> {
  if (!limit) return;
  const spent = await countActivations(trx, account_id, limit.since);
  if (spent + limit.wanted > limit.most)
    throw new SpendingLimitError('the daily limit of activations is reached');
}
