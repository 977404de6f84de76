import type { Fact } from '../../../../schemas/issue.js';
import type { ImportResult } from '../../../../schemas/import.js';
import type { ShopResult } from '../../../../schemas/job.js';
import type { ListingStatus } from '../../../../schemas/listing.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../listing/changes.js';
import type { ImportProgress, ChangeProgress } from '../listing/progress.js';
import type { Page, ShopRef, Progress } from '../records.js';
import type { EditLicense, LicensedCall } from './edit_license.js';
import type {
  BatchEnd,
  Binding,
  ChangeRef,
  Copied,
  JobPart,
  JobRecord,
  NewJob,
  PublishJob,
  UpdateJob,
} from './job_records.js';
import type {
  BindingMatch,
  BoundListing,
  ImportOutcome,
  ListedPlace,
  ListingFilter,
  ListingRecord,
  ListingSort,
  NewImport,
  NewListing,
  OpenCreate,
  Publication,
  SavedPublication,
  SeenListing,
  Sighting,
  Snapshot,
} from './listing_records.js';
import type { AccountUsage } from './usage_store.js';

/** The claim on a job: its writes are accepted until a claim with a higher fence is given out. */
export type JobClaim = { account_id: string; job_id: string; fence: number };

/** `is_alone`: the process that had the claim before has released it or is gone, so it sends nothing more. */
export type TakenClaim = JobClaim & { is_alone: boolean };

/** How a job ended, and the data to save with it. */
export type JobEnd = {
  status: 'completed' | 'failed';
  /** Null for the job of a batch, whose items have the results. */
  results: ShopResult[] | ImportResult[] | null;
  error_message: Fact | null;
  batch?: BatchEnd;
  publications?: readonly SavedPublication[];
  /** Left out: the status stays unchanged, as for an import, which has many listings. */
  listing_status?: ListingStatus;
  /** The listing's new request; uploads that it no longer names are kept for another 90 days. */
  request?: ListingRequest;
  /** With `request`: the fields in which shops of the listing differ from now on; other shops keep theirs. */
  own?: readonly OwnChanges[];
  snapshots?: readonly Snapshot[];
};

type Own = OwnChanges['changes'];

/** A listing's request before and after a job, and the fields in which its shops differed from it. */
export type RequestChange = {
  before: ListingRequest;
  after: ListingRequest;
  own?: { shop_id: number; before: Own; after: Own }[];
};

export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

/** The listing was changed between the read and this write. */
export class ListingChangedError extends Error {
  override readonly name = 'ListingChangedError';
}

/** The idempotency key was used with another request before. */
export class KeyReusedError extends Error {
  override readonly name = 'KeyReusedError';
}

/** Another of our listings already has this marketplace listing. */
export class ListingTakenError extends Error {
  override readonly name = 'ListingTakenError';
}

/** All times are by the database's clock. */
export type ListingStore = {
  /**
   * Looks up a repeated request. A key counts for 30 days. Without a key, the same body counts while its job
   * runs and for `replay_ms` after its end (or, for a draft, after it was saved).
   */
  findBinding(account_id: string, binding: Binding, replay_ms: number): Promise<BindingMatch>;
  /**
   * In one transaction: looks up the binding, and if there is none creates listing, publications, job and
   * binding.
   */
  createListing(
    listing: NewListing,
    replay_ms: number,
  ): Promise<BindingMatch | ({ match: 'created' } & BoundListing)>;
  /**
   * Replaces the request of a listing, and saves the binding of the change. Also deletes the values of shops that
   * `request` does not have and that never got the listing. Throws ListingChangedError if the listing was changed
   * since `as_of` (its updated_at) or a job of it runs, KeyReusedError, QuotaError.
   */
  replaceRequest(change: {
    account_id: string;
    listing_pk: number;
    as_of: string;
    request: ListingRequest;
    /** Further shops that it is saved for. */
    copied?: Copied['shops'];
    /** The fields in which shops of the listing differ from now on; other shops keep theirs. */
    own?: readonly OwnChanges[];
    binding: Binding;
    most: Pick<AccountUsage, 'drafts' | 'draft_bytes'>;
  }): Promise<ListingRecord>;
  findListing(account_id: string, listing_pk: number): Promise<ListingRecord | undefined>;
  /** Newest first, unless `sort` says otherwise. Without a status, leaves out listings that were given up. */
  listListings(
    account_id: string,
    page: ListingFilter & { limit: number; offset: number; sort?: ListingSort | undefined },
  ): Promise<Page<ListingRecord & { places: ListedPlace[] }>>;
  /**
   * Deletes a listing that has no running job and no intent, if nothing of it is known to be on the
   * marketplace (it was never there, or was last seen removed or gone) or no job of ours created it there.
   * False otherwise.
   */
  deleteDraft(account_id: string, listing_pk: number): Promise<boolean>;
  /**
   * Marks an incomplete listing as given up. False if a job of it runs, or if it has an intent (a fee that
   * may have been paid would be hidden).
   */
  giveUp(account_id: string, listing_pk: number): Promise<boolean>;
  /**
   * Saves one listing of an import in one transaction: the listing, its publication, its sighting, and the
   * completion of this part. Throws ClaimLostError, ListingTakenError.
   */
  saveImport(claim: JobClaim, imported: NewImport): Promise<ImportOutcome>;
  /**
   * Creates a further job. If a job of the same listing runs, has this job_id or binding, or is an import of
   * the same listings, `created` is false and `job` is that job. Throws KeyReusedError.
   */
  createJob(job: NewJob): Promise<{ created: boolean; job: JobRecord }>;
  findJob(account_id: string, job_id: string): Promise<JobRecord | undefined>;
  /** The job that the listing's `job_id` names. */
  findPublishJob(listing: Pick<ListingRecord, 'account_id' | 'job_id'>): Promise<PublishJob | undefined>;
  /** The progress of each part of a job so far. */
  listJobParts<Progress extends ChangeProgress | ImportProgress>(
    account_id: string,
    job_id: string,
  ): Promise<JobPart<Progress>[]>;
  /** How a job changed the listing's request; undefined if it changed nothing, or is too old to be undone. */
  findRequestChange(account_id: string, job_id: string): Promise<RequestChange | undefined>;
  /** Throws ClaimLostError. */
  saveJobPart(claim: JobClaim, part: JobPart<ChangeProgress | ImportProgress>): Promise<void>;
  /** `age_ms`: since the snapshot was saved. */
  listSnapshots(account_id: string, listing_pk: number): Promise<(Snapshot & { age_ms: number })[]>;
  /**
   * Saves the manual edits that a dry run showed, for `life_ms`. `createJob` uses them up when the same
   * credential repeats the call. Replaces those of an earlier dry run of the same call.
   */
  saveEditLicenses(
    account_id: string,
    of: LicensedCall,
    licenses: readonly EditLicense[],
    life_ms: number,
  ): Promise<void>;
  /** The last sighting of a listing in each shop. */
  listSightings(
    account_id: string,
    listing_pk: number,
  ): Promise<(Sighting & { shop_id: number; listing_id: number | null })[]>;
  /**
   * Saves sightings of listings of one shop; skips unknown listings and those with a newer sighting.
   * @param age_ms time since before the marketplace was called
   */
  saveSightings(
    shop: ShopRef,
    sightings: readonly (SeenListing & { listing_id: number })[],
    age_ms: number,
  ): Promise<void>;
  /** Of one listing, oldest first. */
  listJobs(account_id: string, listing_pk: number): Promise<JobRecord[]>;
  /** Jobs that belong to no batch, and batches; newest first. */
  listChanges(account_id: string, page: { limit: number; offset: number }): Promise<Page<ChangeRef>>;
  listPublications(account_id: string, listing_pk: number): Promise<Publication[]>;
  /** The listing's running job, of any kind. */
  findRunningJob(account_id: string, listing_pk: number): Promise<JobRecord | undefined>;
  /** The number of saved listings that are on the marketplace in this shop. */
  countPublished(account_id: string, shop_id: number): Promise<number>;

  /**
   * Claims a job that has not ended, for `duration_ms`. Undefined if another running process has a claim that
   * has not expired. Each claim raises the fence.
   */
  claimJob(account_id: string, job_id: string, duration_ms: number): Promise<TakenClaim | undefined>;
  /**
   * Extends the claim to `duration_ms` from now. Throws ClaimLostError if a higher fence was given out, or
   * the job has ended.
   */
  renewClaim(claim: JobClaim, duration_ms: number): Promise<void>;
  /**
   * Saves the job's progress, for those who wait for it at other instances. Does nothing if the claim was
   * lost.
   */
  saveJobProgress(claim: JobClaim, progress: Progress): Promise<void>;
  /** The progress that was saved last; undefined before the first save. */
  findJobProgress(account_id: string, job_id: string): Promise<Progress | undefined>;
  /** Does nothing if the claim was lost, or ended with the job. */
  releaseClaim(claim: JobClaim): Promise<void>;
  /** Jobs of all accounts that can be claimed now, oldest first. */
  listClaimableJobs(): Promise<{ account_id: string; job_id: string }[]>;
  /**
   * Saves progress, and listing_id once known (unique per shop over all jobs). Throws ClaimLostError,
   * ListingTakenError.
   * @param snapshots what is known about the listing there, saved in the same transaction
   */
  savePublication(
    claim: JobClaim,
    publication: SavedPublication,
    snapshots?: readonly Snapshot[],
  ): Promise<void>;
  /**
   * Those of the marketplace's listings that a job of any account already knows: two accounts may have the
   * same shop connected.
   */
  listKnownListingIds(shop_id: number, listing_ids: number[]): Promise<number[]>;
  /** Creates in a shop whose outcome is not known, of all accounts. */
  listOpenCreates(shop_id: number): Promise<OpenCreate[]>;
  /**
   * When the restored backup that this listing is from was made (the first of several backups); undefined for
   * a listing created here. Changes between that time and the restore are unknown.
   */
  findBackupTime(listing_pk: number): Promise<string | undefined>;
  /** Completed updates of this account that were in flight in a restored backup, last completed first. */
  listRestoredUpdates(account_id: string, limit: number): Promise<UpdateJob[]>;
  /**
   * Ends the job, saves these of its publications and sets the listing's status, in one transaction. A job
   * that has already ended stays unchanged. Throws ClaimLostError, ListingTakenError.
   */
  finishJob(claim: JobClaim, end: JobEnd): Promise<JobRecord>;
  /**
   * Marks a running job as canceled: its `error_message` says so, until the job has ended. Does nothing to a job that
   * has ended, or that belongs to a batch.
   */
  cancelJob(account_id: string, job_id: string): Promise<void>;
  /** Whether a running job was canceled. */
  isCanceled(account_id: string, job_id: string): Promise<boolean>;
  /**
   * An account's activations with a fee in a window that ends now (counted from their intent), and those that
   * its running jobs will still make.
   */
  countActivations(account_id: string, window_ms: number): Promise<number>;
};
