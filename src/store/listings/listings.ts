import { type Transaction, sql, type SqlBool } from 'kysely';
import { type ListingStore, ListingChangedError } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { findRunning, toJob } from '../jobs/rows.js';
import type { Tables } from '../schema.js';
import { createListingCreation } from './create_listing.js';
import { createEditLicenses } from '../jobs/edit_licenses.js';
import { createImports } from './imports.js';
import {
  createPublications,
  listPublications,
  insertMissing,
  removeUnlisted,
  saveOwnChanges,
} from './publications.js';
import { listListings } from './list.js';
import { findListing, getListing, requireUnchanged } from './rows.js';
import { removeSearchRows } from './search_rows.js';
import { createSightings } from './sightings.js';
import { createSnapshots } from './snapshots.js';
import { createSpending } from './spending.js';
import { addToListingTotals, moveListing, requireDraftBytes } from './totals.js';
import { fromJson, toJson } from '../json.js';
import { toPublishPlan } from '../jobs/earlier_plans.js';
import { fromJsonOfFacts } from '../jobs/stored_facts.js';
import { bind, findBound } from './bindings.js';
import { saveRequest } from './save_request.js';

type ListingRepository = Pick<ListingStore, 'findListing' | 'listListings' | 'deleteDraft' | 'giveUp'> &
  ReturnType<typeof createListingCreation> &
  ReturnType<typeof createRequestReplacement> &
  ReturnType<typeof createPublications> &
  ReturnType<typeof createSpending> &
  ReturnType<typeof createOpenCreates> &
  ReturnType<typeof createBackupTimes> &
  ReturnType<typeof createImports> &
  ReturnType<typeof createSnapshots> &
  Pick<ListingStore, 'saveEditLicenses'> &
  ReturnType<typeof createSightings>;

/** Listings, their requests, and their state in each shop. */
export function createListingRepository(engine: Engine<Tables>): ListingRepository {
  const { read, write } = engine;
  return {
    ...createListingCreation(engine),
    ...createRequestReplacement(engine),
    ...createPublications(engine),
    ...createSpending(engine),
    ...createOpenCreates(engine),
    ...createBackupTimes(engine),
    ...createImports(engine),
    ...createSnapshots(engine),
    saveEditLicenses: createEditLicenses(engine).saveEditLicenses,
    ...createSightings(engine),
    findListing: (account_id, listing_pk) => read((trx) => findListing(trx, account_id, listing_pk)),
    listListings: (account_id, { limit, offset, sort, ...filter }) =>
      read((trx) => listListings(trx, account_id, filter, { limit, offset, sort })),
    deleteDraft: (account_id, listing_pk) =>
      write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        if (!(await isDeletable(trx, account_id, listing_pk))) return false;
        await removeSearchRows(trx, { account_id, listing_pk });
        const deleted = await trx
          .deleteFrom('listings')
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .returning(['status', 'request'])
          .executeTakeFirst();
        if (!deleted) return false;
        const bytes = Buffer.byteLength(deleted.request);
        await addToListingTotals(trx, account_id, deleted.status, { total: -1, bytes: -bytes });
        return true;
      }),
    giveUp: (account_id, listing_pk) =>
      write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        if (await findRunning(trx, account_id, listing_pk)) return false;
        const listing = await findListing(trx, account_id, listing_pk);
        if (listing?.status !== 'incomplete') return false;
        const publications = await listPublications(trx, account_id, listing_pk);
        if (publications.some(({ progress }) => progress.intent !== null)) return false;
        const updated_at = await engine.now(trx);
        await moveListing(trx, account_id, listing_pk, { status: 'given_up', updated_at });
        return true;
      }),
  };
}

/** We created nothing of it on the marketplace, and nothing may be on its way there. */
async function isDeletable(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<boolean> {
  if (await findRunning(trx, account_id, listing_pk)) return false;
  const publications = await listPublications(trx, account_id, listing_pk);
  if (publications.some(({ progress }) => progress.intent !== null)) return false;
  const listing = await findListing(trx, account_id, listing_pk);
  // Not published by any job: it was imported, and stays there unchanged.
  if (listing?.job_id === null) return true;
  const standing = await trx
    .selectFrom('publications')
    .select('shop_id')
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('listing_id', 'is not', null)
    .where((eb) => eb.or([eb('state', 'is', null), eb('state', 'not in', ['removed', 'gone'])]))
    .executeTakeFirst();
  return standing === undefined;
}

/** In the text of the query, so that the partial index is used. */
const IS_RESTORED = sql<SqlBool>`jobs.is_restored = 1`;

/** Restored backups: changes made after the backup may be missing here. */
function createBackupTimes({
  read,
}: Engine<Tables>): Pick<ListingStore, 'findBackupTime' | 'listRestoredUpdates'> {
  return {
    /** Of the first backup that contains the listing. */
    async findBackupTime(listing_pk) {
      const row = await read((trx) =>
        trx
          .selectFrom('restores')
          .select('backed_up_at')
          .where('last_listing_pk', '>=', listing_pk)
          .orderBy('restore_id')
          .limit(1)
          .executeTakeFirst(),
      );
      return row?.backed_up_at;
    },
    async listRestoredUpdates(account_id, limit) {
      const rows = await read((trx) =>
        trx
          .selectFrom('jobs')
          .selectAll()
          .where('account_id', '=', account_id)
          .where(IS_RESTORED)
          .where('kind', '=', 'update')
          .where('completed_at', 'is not', null)
          .orderBy('completed_at', 'desc')
          .limit(limit)
          .execute(),
      );
      return rows.map(toJob).filter((job) => job.kind === 'update');
    },
  };
}

/** Creates with unknown outcome, whose listings may be on the marketplace. Only read after a lost answer. */
function createOpenCreates({ read }: Engine<Tables>): Pick<ListingStore, 'listOpenCreates'> {
  return {
    async listOpenCreates(shop_id) {
      const rows = await read((trx) =>
        trx
          .selectFrom('publications as publication')
          .innerJoin('listings as listing', (join) =>
            join
              .onRef('listing.account_id', '=', 'publication.account_id')
              .onRef('listing.listing_pk', '=', 'publication.listing_pk'),
          )
          .innerJoin('jobs as job', (join) =>
            join
              .onRef('job.account_id', '=', 'listing.account_id')
              .onRef('job.job_id', '=', 'listing.job_id'),
          )
          .select(['publication.account_id', 'publication.listing_pk', 'publication.progress', 'job.plan'])
          .where('publication.shop_id', '=', shop_id)
          .where('publication.listing_id', 'is', null)
          .execute(),
      );
      return rows.flatMap(({ account_id, listing_pk, plan, ...row }) => {
        const progress = fromJsonOfFacts(row.progress);
        // Plans are only swept for listings that are complete in their shops.
        if (progress.intent?.step !== 'create') return [];
        // The last job that a listing names is one that publishes.
        const shop_plan = toPublishPlan(fromJson(plan))?.shops.find((shop) => shop.shop_id === shop_id);
        return shop_plan ? [{ account_id, listing_pk, progress, draft: shop_plan.action.draft }] : [];
      });
    },
  };
}

/** Changes to listings without a job, which are changes to drafts. */
function createRequestReplacement(engine: Engine<Tables>): Pick<ListingStore, 'replaceRequest'> {
  return {
    replaceRequest: ({ account_id, listing_pk, as_of, request, copied, own, binding, most }) =>
      engine.write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        const now = await engine.now(trx);
        const bound = await findBound(trx, account_id, binding, now);
        if (bound && !bound.job && binding.key !== null) return bound.listing;
        if (await findRunning(trx, account_id, listing_pk)) throw new ListingChangedError('a job runs');
        await requireUnchanged(trx, account_id, listing_pk, as_of);
        const before = await getListing(trx, account_id, listing_pk);
        const more = Buffer.byteLength(toJson(request)) - Buffer.byteLength(toJson(before.request));
        if (before.status === 'draft' && more > 0) await requireDraftBytes(trx, account_id, more, most);
        if (own) await saveOwnChanges(trx, account_id, listing_pk, own);
        await removeUnlisted(trx, account_id, listing_pk, request);
        if (copied) await insertMissing(trx, account_id, listing_pk, copied);
        await saveRequest(engine, trx, account_id, listing_pk, request);
        if (copied) {
          // With a further shop, a listing that is not a draft is incomplete until it is published there.
          const status = before.status === 'draft' ? 'draft' : 'incomplete';
          await moveListing(trx, account_id, listing_pk, { status, updated_at: now });
        }
        await bind(trx, account_id, binding, { listing_pk, job_id: null }, now);
        return getListing(trx, account_id, listing_pk);
      }),
  };
}
