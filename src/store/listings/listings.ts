import type { Transaction } from 'kysely';
import type { ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { findRunning } from '../jobs/rows.js';
import type { Tables } from '../schema.js';
import { createBackupTimes } from './backup_times.js';
import { createListingCreation } from './create_listing.js';
import { createEditLicenses } from '../jobs/edit_licenses.js';
import { createImports } from './imports.js';
import { createOpenCreates } from './open_creates.js';
import { createPublications, listPublications } from './publications.js';
import { createRequestReplacement } from './replace_request.js';
import { listListings } from './list.js';
import { findListing } from './rows.js';
import { removeSearchRows } from './search_rows.js';
import { createSightings } from './sightings.js';
import { createSnapshots } from './snapshots.js';
import { createSpending } from './spending.js';
import { addToListingTotals, moveListing } from './totals.js';

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

/** Listings, their requests, and where they stand in their shops. */
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

/** Nothing of it is on the marketplace by our doing, and nothing may be on its way there. */
async function isDeletable(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<boolean> {
  if (await findRunning(trx, account_id, listing_pk)) return false;
  const publications = await listPublications(trx, account_id, listing_pk);
  if (publications.some(({ progress }) => progress.intent !== null)) return false;
  const listing = await findListing(trx, account_id, listing_pk);
  // Published by no job: it was imported, and stays there as it is.
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
