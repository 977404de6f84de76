import type {
  AgedSighting,
  JobEnd,
  PublishJob,
  SavedPublication,
  ShopJob,
  Store,
  UpdateJob,
} from '../../ports/index.js';
import type { PublicationProgress } from '../../ports/listing/progress.js';
import { buildCopy } from '../decide/build_copy.js';
import { withoutDone } from '../decide/pending.js';
import { getChange, isPublish, type Context } from '../engine/context.js';
import { isPublished } from '../engine/intents.js';
import { takeMedia } from '../engine/media_ids.js';
import { GONE, toAgedSighting } from '../observed/sighting.js';
import { isSameValue } from '../snapshot/difference.js';
import { PIPELINE } from '../steps/table.js';
import { findBaseline, listBaseline, readUnknownParts } from './baseline.js';
import { toSaved } from './context.js';
import { toChangeResult, toListingStatus, toPublishResult } from './results.js';

type Running<Job extends ShopJob> = Extract<Job, { status: 'processing' }>;

/** The fields of a job's end that depend on its kind. */
type Recorded = Omit<JobEnd, 'status' | 'error_message' | 'results'> & {
  results: NonNullable<ShopJob['results']>;
};

/**
 * @param ended `unsaved`: shops that were not saved when they finished. `others`: of shops outside the job. `isFailed`:
 * by an error of the service
 */
export async function recordPublication(
  job: Running<PublishJob>,
  shops: readonly Context[],
  {
    unsaved,
    others,
    isFailed,
  }: { unsaved: readonly Context[]; others: readonly PublicationProgress[]; isFailed: boolean },
): Promise<Recorded> {
  const { plan } = job;
  const hasRead = isFailed ? [] : await Promise.all(shops.map(readUnknownParts));
  const unkept = shops.filter((cx, index) => unsaved.includes(cx) || hasRead[index]);
  return {
    publications: unsaved.map(toSaved),
    snapshots: unkept.flatMap(listBaseline),
    results: shops.flatMap(({ plan: planned, publication, listing_id }) =>
      isPublish(planned) ? [toPublishResult(job, planned, publication, listing_id)] : [],
    ),
    listing_status: isFailed
      ? 'incomplete'
      : toListingStatus(
          plan,
          shops.map(({ publication }) => publication),
          others,
        ),
  };
}

export async function recordChange(
  store: Store,
  job: Running<UpdateJob>,
  shops: readonly Context[],
): Promise<Recorded> {
  const { account_id, job_id, listing_pk, plan } = job;
  const [listing, publications] = await Promise.all([
    store.listings.findListing(account_id, listing_pk),
    store.listings.listPublications(account_id, listing_pk),
  ]);
  if (!listing) throw new Error(`listing ${listing_pk} is missing although its job ${job_id} is running`);
  // A failed shop's fields count as not written; the other shops are unaffected.
  const changes = new Map(
    shops.map(({ plan: { shop_id }, change }) => {
      const isDone = change.ended === 'ok' || change.ended === 'unchanged';
      return [shop_id, isDone ? change : { ...change, after: null }] as const;
    }),
  );
  const { request, own } = buildCopy(plan, listing.request, publications, changes);
  const isChanged = own.length > 0 || !isSameValue(request, listing.request);
  return {
    results: shops.map((cx) => toChangeResult(plan, getChange(cx), cx.change)),
    ...(isChanged && { request, own }),
    // The state after the change becomes the baseline for recognizing later manual edits.
    snapshots: shops.flatMap(({ plan: { shop_id }, change, baseline }) => {
      const snapshot = findBaseline(change, baseline);
      return snapshot ? [{ shop_id, snapshot }] : [];
    }),
    publications: publications.flatMap((publication): SavedPublication[] => {
      const cx = shops.find(({ shop }) => shop.shop_id === publication.shop_id);
      if (!cx) return [];
      const written = takeDone(takeMedia(publication.progress, pickWritten(cx)), cx);
      return [{ ...publication, progress: takePending(written, cx), sighting: cx.sighting }];
    }),
  };
}

/** The listing as last seen in this run; undefined if it was not. */
export function toSighting(cx: Context): AgedSighting | undefined {
  const { plan, seen, fresh, gone_asked_ms: gone, listing_asked_ms, ports } = cx;
  const { clock } = ports;
  if (gone !== undefined && !isPublish(plan)) return { ...GONE, getAge_ms: () => clock.monotonic() - gone };
  const listing = isPublish(plan) ? seen : fresh.listing;
  return listing && toAgedSighting({ listing, inventory: fresh.inventory }, listing_asked_ms, clock);
}

/**
 * Photos, videos and files of the listing, if this or an earlier run finished the change: publishing a draft
 * resumes from there. After a failed change they match neither the saved nor the wanted ones, and publishing must
 * find that out.
 */
function pickWritten({ change: { target, ended, after } }: Context) {
  if (ended !== 'ok') return {};
  return {
    ...(target?.images && after?.images && { images: after.images }),
    ...(target?.videos && after?.videos && { videos: after.videos }),
    ...(target?.files && after?.files && { files: after.files }),
  };
}

/**
 * Marks the publishing steps whose parts the change wrote to a complete listing as done. Otherwise a later publication,
 * if the earlier one had skipped these parts, would overwrite manual edits made since. Leaves out photos, which
 * publishing never skips, and the state, whose step only an activation marks as done.
 */
function takeDone(
  progress: PublicationProgress,
  { change: { target, ended } }: Context,
): PublicationProgress {
  if (ended !== 'ok' || !target || !isPublished(progress)) return progress;
  const { images: _, state: __, ...parts } = target;
  const written = PIPELINE.filter(({ part }) => part !== undefined && part in parts);
  return { ...progress, done: [...new Set([...progress.done, ...written.map(({ name }) => name)])] };
}

/** Fields that are pending from now on; after a failed change, those it did not write. */
function takePending(
  progress: PublicationProgress,
  { change: { ended, pending, after } }: Context,
): PublicationProgress {
  if (ended === 'error') return { ...progress, pending: withoutDone(progress.pending, after?.inventory) };
  if (pending === undefined) return progress;
  return { ...progress, pending: pending ?? undefined };
}
