import type { Progress } from '../../operations/call.js';
import type { ImportResult } from '../../../../schemas/import.js';
import type { JobStatus, ShopResult, Warning } from '../../../../schemas/job.js';
import type { ListingStatus } from '../../../../schemas/listing.js';
import type { ListingRequest, ListingState } from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../../listings/own_changes.js';
import type { ImportPlan, ImportProgress } from '../../listings/import/plan.js';
import type { PublishPlan } from '../../listings/publish/plan.js';
import type { ShopProgress } from '../../listings/publish/progress.js';
import type { KeptSnapshot } from '../../listings/snapshot/snapshot.js';
import type { UpdatePlan, UpdateProgress } from '../../listings/update/plan.js';
import type { DraftListing, MarketplaceListing } from '../marketplace_listing.js';
import type { Page, SeenState, ShopRef } from '../records.js';
import type { AccountUsage } from './usage_store.js';

export type ListingRecord = {
  account_id: string;
  listing_pk: number;
  title: string;
  status: ListingStatus;
  state: ListingState;
  request: ListingRequest;
  warnings: Warning[];
  /** The last job that published it, if there was one. */
  job_id: string | null;
  created_at: string;
  updated_at: string;
};

/** publish: creates listings, and activates them. update: changes existing listings. import: takes over listings that were made by hand. */
export type JobKind = 'publish' | 'update' | 'import';

type JobFacts = {
  account_id: string;
  job_id: string;
  error_message: string | null;
  created_at: string;
  completed_at: string | null;
};

/** A job's work and its outcome: `results` are set when it has ended. */
type PublishFacts = {
  kind: 'publish';
  listing_pk: number;
  state: 'publish' | 'active';
  results: ShopResult[] | null;
};
type UpdateFacts = { kind: 'update'; listing_pk: number; results: ShopResult[] | null };
type ImportFacts = { kind: 'import'; listing_pk: null; results: ImportResult[] | null };

type Running<Facts, Plan> = JobFacts & Facts & { status: 'processing'; plan: Plan };
/** `plan`: null once it was swept, where nothing is left to do. */
type Ended<Facts, Plan> = JobFacts & Facts & { status: Exclude<JobStatus, 'processing'>; plan: Plan | null };

export type PublishJob = Running<PublishFacts, PublishPlan> | Ended<PublishFacts, PublishPlan>;
export type UpdateJob = Running<UpdateFacts, UpdatePlan> | Ended<UpdateFacts, UpdatePlan>;
export type ImportJob = Running<ImportFacts, ImportPlan> | Ended<ImportFacts, ImportPlan>;
/** A job whose results are by shop. */
export type ShopJob = PublishJob | UpdateJob;
export type JobRecord = PublishJob | UpdateJob | ImportJob;
export type RunningJob = Extract<JobRecord, { status: 'processing' }>;

/** The progress of one part of a job: a shop (update) or a listing (import). */
export type JobPart<Progress> = { part_id: number; progress: Progress };

type JobWork =
  | {
      kind: 'publish';
      listing_pk: number;
      state: 'publish' | 'active';
      plan: PublishPlan;
      /** The listing is copied to further shops. */
      copied?: Copied;
    }
  | { kind: 'update'; listing_pk: number; plan: UpdatePlan }
  | { kind: 'import'; listing_pk: null; plan: ImportPlan };

/** `spending`: its limit is checked in the transaction that creates the job; throws SpendingLimitError. */
export type NewJob = JobWork & {
  account_id: string;
  job_id: string;
  /** Checked in the same transaction: an equal request that came before is answered with its job. */
  binding?: Binding | undefined;
  /** `updated_at` of the listing that the plan was made of, checked in the same transaction: throws ListingChangedError. */
  as_of?: string | undefined;
  spending?: Spending | undefined;
};

/** A listing's request with further shops, and for each of them the fields that differ from the request (see ShopProgress.changes). */
export type Copied = {
  request: ListingRequest;
  shops: readonly OwnChanges[];
};

/** Idempotency: recognises a repeated request by the caller's key, or without one by the digest of its body. */
export type Binding = { key: string | null; digest: string };

/** The activations with a fee that a job is going to make, and the account's limit of them. */
export type Spending = {
  wanted: number;
  /** The most in a window of `window_ms` that ends now; those that running jobs are still going to make count too. */
  limit?: { most: number; window_ms: number } | undefined;
};

/** The account's limit of fees does not leave room for the job. */
export class SpendingLimitError extends Error {
  override readonly name = 'SpendingLimitError';
}

export type NewListing = {
  account_id: string;
  title: string;
  state: ListingState;
  request: ListingRequest;
  warnings: Warning[];
  binding: Binding;
  /** For publish and active: the job that publishes it. */
  job?: { job_id: string; plan: PublishPlan; state: 'publish' | 'active' };
  /** Its limit is checked in the same transaction: throws SpendingLimitError. */
  spending?: Spending | undefined;
  /** Quotas for a draft, checked in the same transaction: throws QuotaError. */
  most?: Pick<AccountUsage, 'drafts' | 'draft_bytes'>;
};

export type BoundListing = { listing: ListingRecord; job: ShopJob | undefined };

/** `same`: the request came before. `reused`: its key came with another body before. `none`: it is new. */
export type BindingMatch = ({ match: 'same' } & BoundListing) | { match: 'reused' } | { match: 'none' };

/** How far one of our listings is published in one shop. It outlives jobs, so that a later job goes on from there. */
export type Publication = {
  shop_id: number;
  listing_id: number | null;
  progress: ShopProgress;
};

/** `sighting`: the listing's state as the marketplace said it; left out where a newer one was saved. */
export type SavedPublication = Publication & { sighting?: AgedSighting | undefined };

/** The last known state of a listing in one shop, as the marketplace said it; null where it was not read yet. */
export type Sighting = {
  state: SeenState | null;
  seen_at: string | null;
  ends_at: string | null;
  shown: ShownFields | null;
};

/** One of the shops that a listing's request names, in their order, with the last sighting there. */
export type Place = Omit<Sighting, 'shown'> & { shop_id: number; listing_id: number | null };

/** The same with the fields that were read then. */
export type SeenPlace = Place & Pick<Sighting, 'shown'>;

/** `keywords`: each word is in the title or a SKU. `shop_state`: the last sighting has it, in `shop_id` where one is given. */
export type ListingFilter = {
  status?: ListingStatus | undefined;
  keywords?: string | undefined;
  shop_id?: number | undefined;
  shop_state?: SeenState | undefined;
};

/** `changed`: the most recently changed first. */
export type ListingSort = 'newest' | 'changed' | 'title';

/** The fields of a sighting that our own copy has too; price in major units. */
export type ShownFields = Pick<MarketplaceListing, 'title' | 'description' | 'tags' | 'price' | 'quantity'>;

/** A sighting of a listing that was just read. */
export type SeenListing = Omit<Sighting, 'seen_at' | 'state'> & { state: SeenState };

/** A sighting that is saved later. `getAge_ms`: time since before the call was made; it goes on while the save waits. */
export type AgedSighting = SeenListing & { getAge_ms: () => number };

/** A create whose outcome is not known. `draft`: as the listing's last job sends it. */
export type OpenCreate = {
  account_id: string;
  listing_pk: number;
  progress: ShopProgress;
  draft: DraftListing;
};

/** A listing of a shop, as an import saves it. */
export type NewImport = {
  shop_id: number;
  listing_id: number;
  /** Our listing that it belongs to, as it was read when the import decided; null for a new one. */
  known: Pick<ListingRecord, 'listing_pk' | 'updated_at'> | null;
  request: ListingRequest;
  /** Urls of the kept photos and videos that it has found or fetched. */
  media: string[];
  warnings: Warning[];
  status: ListingStatus;
  progress: ShopProgress;
  snapshot: KeptSnapshot;
  sighting: SavedPublication['sighting'];
  /** Answered to the caller, with the listing_pk added. */
  result: Omit<ImportResult, 'listing_pk'>;
};

/**
 * `changed`: our listing was changed, or got another listing of the shop, since the import decided; or one of its kept files is gone,
 * as another import that has fetched it was refused and dropped it. `busy`: a job of it runs.
 */
export type ImportOutcome =
  | { saved: true; result: ImportResult }
  | { saved: false; reason: 'changed' }
  | { saved: false; reason: 'busy'; job_id: string };

/** The claim on a job: writes with it are accepted until a claim with a higher fence was given out. */
export type JobClaim = { account_id: string; job_id: string; fence: number };

/** `is_alone`: the process that had the claim before released it or is gone, so that it sends nothing more. */
export type TakenClaim = JobClaim & { is_alone: boolean };

/** How a job ended, and what is to be saved with it. */
export type JobEnd = {
  status: 'completed' | 'failed';
  results: ShopResult[] | ImportResult[];
  error_message: string | null;
  publications?: readonly SavedPublication[];
  /** Left out: the status stays as it is, as for an import, which has many listings. */
  listing_status?: ListingStatus;
  /** The listing's new request; uploads that it does not name any more are kept for another 90 days. */
  request?: ListingRequest;
  /** With `request`: what shops of the listing have of their own from now on; others keep theirs. */
  own?: readonly OwnChanges[];
  snapshots?: readonly Snapshot[];
};

type Own = OwnChanges['changes'];

/** A listing's request before a job and after it, and what its shops had of their own. */
export type RequestChange = {
  before: ListingRequest;
  after: ListingRequest;
  own?: { shop_id: number; before: Own; after: Own }[];
};

/** A listing in one shop as it was last written, imported or shown to a caller: the base that edits by hand are recognised against. */
export type Snapshot = { shop_id: number; snapshot: KeptSnapshot };

export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

/** The listing was changed between the read and this write. */
export class ListingChangedError extends Error {
  override readonly name = 'ListingChangedError';
}

/** The idempotency key came with another request before. */
export class KeyReusedError extends Error {
  override readonly name = 'KeyReusedError';
}

/** Another listing of ours has this marketplace listing already. */
export class ListingTakenError extends Error {
  override readonly name = 'ListingTakenError';
}

/** All times are the database's own. */
export type ListingStore = {
  /** Looks a repeated request up. A key counts for 30 days. Without a key, the same body counts while its job runs and for
   * `replay_ms` after its end (or, for a draft, after it was saved). */
  findBinding(account_id: string, binding: Binding, replay_ms: number): Promise<BindingMatch>;
  /** In one transaction: looks the binding up, and when there is none creates listing, publications, job and binding. */
  createListing(
    listing: NewListing,
    replay_ms: number,
  ): Promise<BindingMatch | ({ match: 'created' } & BoundListing)>;
  /**
   * Replaces the request of a listing, and saves the binding of the change. Throws ListingChangedError where the listing was changed
   * since `as_of` (its updated_at) or a job of it runs, KeyReusedError, QuotaError.
   */
  replaceRequest(change: {
    account_id: string;
    listing_pk: number;
    as_of: string;
    request: ListingRequest;
    /** Further shops that it is saved for. */
    copied?: Copied['shops'];
    /** What shops of the listing have of their own from now on; others keep theirs. */
    own?: readonly OwnChanges[];
    binding: Binding;
    most: Pick<AccountUsage, 'drafts' | 'draft_bytes'>;
  }): Promise<ListingRecord>;
  findListing(account_id: string, listing_pk: number): Promise<ListingRecord | undefined>;
  /** Newest first, unless `sort` says otherwise. Without a status, listings that were given up are left out. */
  listListings(
    account_id: string,
    page: ListingFilter & { limit: number; offset: number; sort?: ListingSort | undefined },
  ): Promise<Page<ListingRecord & { places: SeenPlace[] }>>;
  /**
   * Deletes a listing that has no running job and no intent, when nothing of it is on the marketplace as far as is known (it was
   * never there, or was last seen removed or gone) or no job of ours put it there. False otherwise.
   */
  deleteDraft(account_id: string, listing_pk: number): Promise<boolean>;
  /** Marks an incomplete listing as given up. False when a job of it runs, or it has an intent (a fee that may have been paid would be hidden). */
  giveUp(account_id: string, listing_pk: number): Promise<boolean>;
  /**
   * Saves one listing of an import in one transaction: the listing, its publication, its sighting, and that this part is done.
   * Throws ClaimLostError, ListingTakenError.
   */
  saveImport(claim: JobClaim, imported: NewImport): Promise<ImportOutcome>;
  /**
   * Creates a further job. `created` is false, and `job` the existing one, when a job of the same listing runs, has this job_id or
   * binding, or is an import of the same listings. Throws KeyReusedError.
   */
  createJob(job: NewJob): Promise<{ created: boolean; job: JobRecord }>;
  findJob(account_id: string, job_id: string): Promise<JobRecord | undefined>;
  /** The job that the listing's `job_id` names. */
  findPublishJob(listing: Pick<ListingRecord, 'account_id' | 'job_id'>): Promise<PublishJob | undefined>;
  /** The progress of each part of a job so far. */
  listJobParts<Progress extends UpdateProgress | ImportProgress>(
    account_id: string,
    job_id: string,
  ): Promise<JobPart<Progress>[]>;
  /** How a job changed the listing's request; undefined where it changed nothing, or is too old to be undone. */
  findRequestChange(account_id: string, job_id: string): Promise<RequestChange | undefined>;
  /** Throws ClaimLostError. */
  saveJobPart(claim: JobClaim, part: JobPart<UpdateProgress | ImportProgress>): Promise<void>;
  listSnapshots(account_id: string, listing_pk: number): Promise<Snapshot[]>;
  /** Replaces the parts of the snapshot that are given; others stay. */
  saveSnapshot(account_id: string, listing_pk: number, snapshot: Snapshot): Promise<void>;
  /**
   * This sighting has been shown to a caller: its fields become the base that later edits by hand are recognised against. Nothing
   * happens where the snapshot is newer, or there is none.
   */
  saveShown(
    account_id: string,
    listing_pk: number,
    seen: Pick<SeenPlace, 'shop_id' | 'seen_at' | 'shown'>,
  ): Promise<void>;
  /** The last sighting of a listing in each shop. */
  listSightings(
    account_id: string,
    listing_pk: number,
  ): Promise<(Sighting & { shop_id: number; listing_id: number | null })[]>;
  /**
   * Saves sightings of listings of one shop; unknown listings are left out, as are those with a newer sighting.
   * @param age_ms time since before the marketplace was called
   */
  saveSightings(
    shop: ShopRef,
    sightings: readonly (SeenListing & { listing_id: number })[],
    age_ms: number,
  ): Promise<void>;
  /** Of one listing, oldest first. */
  listJobs(account_id: string, listing_pk: number): Promise<JobRecord[]>;
  listPublications(account_id: string, listing_pk: number): Promise<Publication[]>;
  /** The listing's running job, of any kind. */
  findRunningJob(account_id: string, listing_pk: number): Promise<JobRecord | undefined>;
  /** The number of saved listings that are on the marketplace in this shop. */
  countPublished(account_id: string, shop_id: number): Promise<number>;

  /**
   * Claims a job that has not ended, for `duration_ms`. Undefined while another process that runs has a claim that has not expired.
   * Each claim raises the fence.
   */
  claimJob(account_id: string, job_id: string, duration_ms: number): Promise<TakenClaim | undefined>;
  /** Extends the claim to `duration_ms` from now. Throws ClaimLostError when a higher fence was given out, or the job has ended. */
  renewClaim(claim: JobClaim, duration_ms: number): Promise<void>;
  /** How far the job is, for those who wait for it at other instances. Nothing happens when the claim was lost. */
  saveJobProgress(claim: JobClaim, progress: Progress): Promise<void>;
  /** What was saved last; undefined before that. */
  findJobProgress(account_id: string, job_id: string): Promise<Progress | undefined>;
  /** Nothing happens when the claim was lost, or ended with the job. */
  releaseClaim(claim: JobClaim): Promise<void>;
  /** Jobs of all accounts that could be claimed now, oldest first. */
  listClaimableJobs(): Promise<{ account_id: string; job_id: string }[]>;
  /**
   * Saves progress, and listing_id once known (unique per shop over all jobs). Throws ClaimLostError, ListingTakenError.
   * @param snapshots what is known of the listing there, in the same transaction
   */
  savePublication(
    claim: JobClaim,
    publication: SavedPublication,
    snapshots?: readonly Snapshot[],
  ): Promise<void>;
  /** Those of the marketplace's listings that a job of any account knows already: two accounts may have the same shop connected. */
  listKnownListingIds(shop_id: number, listing_ids: number[]): Promise<number[]>;
  /** Creates in a shop, of all accounts, whose outcome is not known. */
  listOpenCreates(shop_id: number): Promise<OpenCreate[]>;
  /**
   * When the restored backup was made that this listing is from, of several the first; undefined for a listing that was made here.
   * Changes between that time and the restore are unknown.
   */
  findBackupTime(listing_pk: number): Promise<string | undefined>;
  /**
   * Ends the job, saves these of its publications and sets the listing's status, in one transaction. A job that has ended already
   * stays as it ended. Throws ClaimLostError, ListingTakenError.
   */
  finishJob(claim: JobClaim, end: JobEnd): Promise<JobRecord>;
  /** An account's activations with a fee in a window that ends now (counted from their intent), and those that its running jobs are going to make. */
  countActivations(account_id: string, window_ms: number): Promise<number>;
};
