import type { Insertable, Transaction } from 'kysely';
import type { ListingRequest } from '../../../schemas/listing_request.js';
import {
  ListingTakenError,
  type JobClaim,
  type ListingStore,
  type Publication,
  type RequestChange,
  type SavedPublication,
  type OwnChanges,
  buildEmptyProgress,
  type PublicationProgress,
} from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { toBatches } from '../engine/lengths.js';
import { lockAccount } from '../identity/lock_account.js';
import { requireClaim } from '../jobs/claims.js';
import { toJson } from '../json.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';
import { readWithRefs } from '../jobs/labeled_differences.js';
import { saveSighting } from './sightings.js';
import { mergeSnapshot } from './snapshots.js';
import { addActivation } from './spending.js';

type PublicationRepository = Pick<
  ListingStore,
  'listPublications' | 'countPublished' | 'savePublication' | 'listKnownListingIds'
>;

/**
 * Publications: a row for each listing in each of its shops, with the progress of publishing it. Saving one locks the job's
 * row and requires the job's claim.
 */
export function createPublications(engine: Engine<Tables>): PublicationRepository {
  const { read, write } = engine;
  return {
    listPublications: (account_id, listing_pk) =>
      read((trx) => listPublications(trx, account_id, listing_pk)),
    async countPublished(account_id, shop_id) {
      const { total } = await read((trx) =>
        trx
          .selectFrom('publications')
          .select((eb) => eb.fn.countAll().as('total'))
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .where('listing_id', 'is not', null)
          .executeTakeFirstOrThrow(),
      );
      return toNumber(total);
    },
    async savePublication(claim, publication, snapshots = []) {
      const row = toPublicationRow(publication);
      await write(async (trx) => {
        const { account_id } = claim;
        if (snapshots.length > 0) await lockAccount(engine, trx, account_id);
        const { listing_pk } = await requireClaim(engine, trx, claim);
        if (listing_pk === null) throw new Error('a job of many listings publishes none');
        await savePublication(engine, trx, claim, listing_pk, row);
        for (const snapshot of snapshots) await mergeSnapshot(engine, trx, account_id, listing_pk, snapshot);
      });
    },
    async listKnownListingIds(shop_id, listing_ids) {
      if (listing_ids.length === 0) return [];
      const rows = await read((trx) =>
        trx
          .selectFrom('publications')
          .select('listing_id')
          .where('shop_id', '=', shop_id)
          .where('listing_id', 'in', listing_ids)
          .execute(),
      );
      return rows.flatMap((row) => row.listing_id ?? []);
    },
  };
}

/** The publications of one listing, by shop_id. */
export async function listPublications(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<Publication[]> {
  const rows = await trx
    .selectFrom('publications')
    .select(['shop_id', 'listing_id', 'progress'])
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .orderBy('shop_id')
    .execute();
  return rows.map(({ progress, ...row }) => ({ ...row, progress: readWithRefs(progress) }));
}

/**
 * Inserts a publication for each of the shops that has none; if an earlier job left one, the new job resumes from it.
 * @param shops `changes`: for a shop that the listing was copied to
 */
export async function insertMissing(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
  shops: readonly { shop_id: number; changes?: PublicationProgress['changes'] }[],
): Promise<void> {
  const rows = shops.map(({ shop_id, changes }) => {
    const progress = toJson({ ...buildEmptyProgress(), ...(changes && { changes }) });
    return { account_id, listing_pk, shop_id, progress };
  });
  for (const batch of toBatches(rows)) {
    await trx
      .insertInto('publications')
      .values(batch)
      .onConflict((conflict) => conflict.columns(['account_id', 'listing_pk', 'shop_id']).doNothing())
      .execute();
  }
}

/** Removes the publications of shops that the request no longer lists, if nothing was created there. */
export async function removeUnlisted(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
  { shops }: ListingRequest,
): Promise<void> {
  const listed = new Set(shops.map(({ shop_id }) => shop_id));
  for (const { shop_id, listing_id } of await listPublications(trx, account_id, listing_pk)) {
    if (listing_id !== null || listed.has(shop_id)) continue;
    await trx
      .deleteFrom('publications')
      .where('account_id', '=', account_id)
      .where('listing_pk', '=', listing_pk)
      .where('shop_id', '=', shop_id)
      .execute();
  }
}

/**
 * Replaces the fields in which shops differ from the request, and returns the previous ones. Call it with the account's row
 * locked.
 */
export async function saveOwnChanges(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
  own: readonly OwnChanges[],
): Promise<NonNullable<RequestChange['own']>> {
  const publications = await listPublications(trx, account_id, listing_pk);
  const saved: NonNullable<RequestChange['own']> = [];
  for (const { shop_id, changes: after } of own) {
    const known = publications.find((publication) => publication.shop_id === shop_id);
    const { changes: before, ...progress } = known?.progress ?? buildEmptyProgress();
    const row = { progress: toJson<PublicationProgress>({ ...progress, ...(after && { changes: after }) }) };
    await trx
      .insertInto('publications')
      .values({ account_id, listing_pk, shop_id, ...row })
      .onConflict((conflict) => conflict.columns(['account_id', 'listing_pk', 'shop_id']).doUpdateSet(row))
      .execute();
    saved.push({ shop_id, before, after });
  }
  return saved;
}

/** A publication in the form of its columns. */
export type PublicationRow = Pick<
  Insertable<Tables['publications']>,
  'shop_id' | 'listing_id' | 'progress'
> & {
  is_intended: boolean;
  sighting: SavedPublication['sighting'];
};

/**
 * Serializes the publication before the transaction starts waiting, since publishing may change its progress in the meantime.
 */
export function toPublicationRow({
  shop_id,
  listing_id,
  progress,
  sighting,
}: SavedPublication): PublicationRow {
  return {
    shop_id,
    listing_id,
    progress: toJson(progress),
    is_intended: progress.activation_intended_at !== null,
    sighting,
  };
}

/**
 * Call it with the job's row locked. Throws ListingTakenError if another of our listings already has this marketplace
 * listing: the two would overwrite each other's changes. The transaction must end with that error.
 */
export async function savePublication(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  { account_id, job_id }: Pick<JobClaim, 'account_id' | 'job_id'>,
  listing_pk: number,
  { shop_id, is_intended, sighting, ...values }: PublicationRow,
): Promise<void> {
  const place = { account_id, listing_pk, shop_id };
  const intended_at = await saveIntent(engine, trx, { ...place, job_id }, is_intended);
  const changes = { ...values, activation_intended_at: intended_at };
  try {
    await trx
      .insertInto('publications')
      .values({ ...place, ...changes })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'listing_pk', 'shop_id']).doUpdateSet(changes),
      )
      .execute();
  } catch (cause) {
    if (!engine.isDuplicate(cause)) throw cause;
    throw new ListingTakenError(
      `Listing ${values.listing_id} of shop ${shop_id} belongs to another listing of this service already.`,
    );
  }
  if (sighting) await saveSighting(engine, trx, place, sighting);
}

/**
 * Counts the activation toward the spending limit, from the first save with an intent until the first without one, even if
 * another job makes that save. Returns the time that it counts by, which is the engine's; the time in `progress` is the
 * publishing process's.
 */
async function saveIntent(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  activation: { account_id: string; listing_pk: number; shop_id: number; job_id: string },
  isIntended: boolean,
): Promise<string | null> {
  const { account_id, listing_pk, shop_id } = activation;
  const before = await trx
    .selectFrom('publications')
    .select('activation_intended_at')
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('shop_id', '=', shop_id)
    .executeTakeFirst();
  const intended_at = before?.activation_intended_at ?? null;
  if (isIntended === (intended_at !== null)) return intended_at;
  if (intended_at !== null) {
    // Not by job_id: another job may have counted it.
    await trx
      .deleteFrom('activations')
      .where('account_id', '=', account_id)
      .where('listing_pk', '=', listing_pk)
      .where('shop_id', '=', shop_id)
      .where('intended_at', '=', intended_at)
      .execute();
    return null;
  }
  const now = await engine.now(trx);
  await addActivation(trx, activation, now);
  return now;
}
