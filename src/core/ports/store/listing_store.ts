import type { Progress } from '../../operations/call.js';
import type { ImportResult } from '../../../../schemas/import.js';
import type { JobStatus, ShopResult, Warning } from '../../../../schemas/job.js';
import type { ListingStatus } from '../../../../schemas/listing.js';
import type { ListingRequest, ListingState } from '../../../../schemas/listing_request.js';
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

/** publish: makes listings, and puts them live. update: changes listings that are there. import: takes over what was made elsewhere. */
export type JobKind = 'publish' | 'update' | 'import';

type JobFacts = {
  account_id: string;
  job_id: string;
  error_message: string | null;
  created_at: string;
  completed_at: string | null;
};

/** What a job is to do, and what became of it: `results` are set when it has ended. */
type PublishFacts = {
  kind: 'publish';
  listing_pk: number;
  state: 'publish' | 'active';
  results: ShopResult[] | null;
};
type UpdateFacts = { kind: 'update'; listing_pk: number; results: ShopResult[] | null };
type ImportFacts = { kind: 'import'; listing_pk: null; results: ImportResult[] | null };

type Running<Facts, Plan> = JobFacts & Facts & { status: 'processing'; plan: Plan };
/** `plan`: null once it was swept, where it has left nothing to do. */
type Ended<Facts, Plan> = JobFacts & Facts & { status: Exclude<JobStatus, 'processing'>; plan: Plan | null };

export type PublishJob = Running<PublishFacts, PublishPlan> | Ended<PublishFacts, PublishPlan>;
export type UpdateJob = Running<UpdateFacts, UpdatePlan> | Ended<UpdateFacts, UpdatePlan>;
export type ImportJob = Running<ImportFacts, ImportPlan> | Ended<ImportFacts, ImportPlan>;
/** A job whose results are by shop. */
export type ShopJob = PublishJob | UpdateJob;
export type JobRecord = PublishJob | UpdateJob | ImportJob;
export type RunningJob = Extract<JobRecord, { status: 'processing' }>;

/** What a job has done of one of its parts: of a shop (update), of a listing (import). */
export type JobPart<Progress> = { part_id: number; progress: Progress };

type JobWork =
  | {
      kind: 'publish';
      listing_pk: number;
      state: 'publish' | 'active';
      plan: PublishPlan;
      /** The listing comes to further shops. */
      copied?: Copied;
    }
  | { kind: 'update'; listing_pk: number; plan: UpdatePlan }
  | { kind: 'import'; listing_pk: null; plan: ImportPlan };

/** `spending`: its limit is held in the same transaction; throws SpendingLimitError. */
export type NewJob = JobWork & {
  account_id: string;
  job_id: string;
  /** Held in the same transaction: an equal request that came before is answered with its job. */
  binding?: Binding | undefined;
  /** `updated_at` of the listing that the plan was made of, held in the same transaction: throws ListingChangedError. */
  as_of?: string | undefined;
  spending?: Spending | undefined;
};

/** Our form of a listing with further shops, and what is otherwise in these than it says (see ShopProgress.changes). */
export type Copied = {
  request: ListingRequest;
  shops: readonly { shop_id: number; changes: Record<string, unknown> | undefined }[];
};

/** How a request that came before is recognised. With a caller's key, or without one by the body's digest alone. */
export type Binding = { key: string | null; digest: string };

/** Activations that cost a fee, so many of which a job has before it. */
export type Spending = {
  wanted: number;
  /** How many an account may have in a window that ends now, counted together with those that running jobs still have before them. */
  limit?: { most: number; window_ms: number } | undefined;
};

/** The limit was reached between the look and the creation. */
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
  /** For publish and active: what to do, and where. */
  job?: { job_id: string; plan: PublishPlan; state: 'publish' | 'active' };
  /** Its limit is held in the same transaction: throws SpendingLimitError. */
  spending?: Spending | undefined;
  /** For a draft, held in the same transaction: throws QuotaError. */
  most?: Pick<AccountUsage, 'drafts' | 'draft_bytes'>;
};

export type BoundListing = { listing: ListingRecord; job: ShopJob | undefined };

/** Outcome of looking a binding up. `reused`: the key came with another body before. */
export type BindingMatch = ({ match: 'same' } & BoundListing) | { match: 'reused' } | { match: 'none' };

/** Where one listing of ours stands in one shop; survives jobs, so that a later job goes on from there. */
export type Publication = {
  shop_id: number;
  listing_id: number | null;
  progress: ShopProgress;
};

/** `sighting`: what the marketplace said of it; left out where it was seen later than that. */
export type SavedPublication = Publication & { sighting?: AgedSighting | undefined };

/** What the marketplace last said of a listing in one shop; null where it was not asked yet. */
export type Sighting = {
  state: SeenState | null;
  seen_at: string | null;
  ends_at: string | null;
  shown: ShownFields | null;
};

/** Where a listing is to stand, or stands: shops that its request names, in that order, and what was last seen there. */
export type Place = Omit<Sighting, 'shown'> & { shop_id: number; listing_id: number | null };

/** The same with what it showed then. */
export type SeenPlace = Place & Pick<Sighting, 'shown'>;

/** Which listings. `keywords`: each word is in the title or a SKU. `shop_state`: as last seen, in that shop where one is named. */
export type ListingFilter = {
  status?: ListingStatus | undefined;
  keywords?: string | undefined;
  shop_id?: number | undefined;
  shop_state?: SeenState | undefined;
};

/** `changed`: what was changed last first. */
export type ListingSort = 'newest' | 'changed' | 'title';

/** What one read of a listing showed of what our copy says too; price in major units. */
export type ShownFields = Pick<MarketplaceListing, 'title' | 'description' | 'tags' | 'price' | 'quantity'>;

/** A listing as it was just read. */
export type SeenListing = Omit<Sighting, 'seen_at' | 'state'> & { state: SeenState };

/** One that was read a while ago. `getAge_ms`: since before the marketplace was asked; goes on while a save is waited for. */
export type AgedSighting = SeenListing & { getAge_ms: () => number };

/** `draft`: as the last job of that listing sends it. */
export type OpenCreate = {
  account_id: string;
  listing_pk: number;
  progress: ShopProgress;
  draft: DraftListing;
};

/** A listing of a shop, with what an import saves of it. */
export type NewImport = {
  shop_id: number;
  listing_id: number;
  /** The listing of ours that it is, or joins, as it was read; null for a new one. */
  known: Pick<ListingRecord, 'listing_pk' | 'updated_at'> | null;
  request: ListingRequest;
  warnings: Warning[];
  status: ListingStatus;
  progress: ShopProgress;
  snapshot: KeptSnapshot;
  sighting: SavedPublication['sighting'];
  /** Told of it; the listing_pk is added. */
  result: Omit<ImportResult, 'listing_pk'>;
};

/** `changed`: the listing of ours is another one than was read, or has another shop's one meanwhile. `busy`: a job of it runs. */
export type ImportOutcome =
  | { saved: true; result: ImportResult }
  | { saved: false; reason: 'changed' }
  | { saved: false; reason: 'busy'; job_id: string };

/** Proof that this process may write to a job: a higher fence has not been given out. */
export type JobClaim = { account_id: string; job_id: string; fence: number };

/** `is_alone`: the process that had it before has given it back or is gone, so that none of its calls is under way any more. */
export type TakenClaim = JobClaim & { is_alone: boolean };

/** How a job ended, and what is to be saved with it. */
export type JobEnd = {
  status: 'completed' | 'failed';
  results: ShopResult[] | ImportResult[];
  error_message: string | null;
  publications?: readonly SavedPublication[];
  /** Left out: stays as it was before the job, or is that of many. */
  listing_status?: ListingStatus;
  /** Our form of the listing from now on; uploads that it names no longer are kept for 90 days more. */
  request?: ListingRequest;
  snapshots?: readonly Snapshot[];
};

/** Our form of a listing before a job and after it. */
export type RequestChange = { before: ListingRequest; after: ListingRequest };

/** A listing in one shop as it was last written, imported or shown to a caller: what a change by other hands is told by. */
export type Snapshot = { shop_id: number; snapshot: KeptSnapshot };

export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

/** The listing is not any more what it was when it was looked at. */
export class ListingChangedError extends Error {
  override readonly name = 'ListingChangedError';
}

/** A key that names a request came with another one. */
export class KeyReusedError extends Error {
  override readonly name = 'KeyReusedError';
}

/** Another listing of ours has this marketplace listing already. */
export class ListingTakenError extends Error {
  override readonly name = 'ListingTakenError';
}

/** All times are the database's own. */
export type ListingStore = {
  /** Looks a binding up. A key counts for 30 days. Without a key, the same body counts while its job runs and for
   * `replay_ms` after its end (or after its saving, for a draft). */
  findBinding(account_id: string, binding: Binding, replay_ms: number): Promise<BindingMatch>;
  /** In one transaction: looks the binding up, and when there is none creates listing, publications, job and binding. */
  createListing(
    listing: NewListing,
    replay_ms: number,
  ): Promise<BindingMatch | ({ match: 'created' } & BoundListing)>;
  /**
   * Another request in place of a listing's, which no job works on, and what names the change. Throws ListingChangedError where it is
   * not any more as at `as_of` (its updated_at) or a job runs, KeyReusedError, QuotaError.
   */
  replaceRequest(change: {
    account_id: string;
    listing_pk: number;
    as_of: string;
    request: ListingRequest;
    /** Shops that it is saved for besides. */
    copied?: Copied['shops'];
    binding: Binding;
    most: Pick<AccountUsage, 'drafts' | 'draft_bytes'>;
  }): Promise<ListingRecord>;
  findListing(account_id: string, listing_pk: number): Promise<ListingRecord | undefined>;
  /** Newest first, unless they are sorted. Without a status, those that were given up are left out. */
  listListings(
    account_id: string,
    page: ListingFilter & { limit: number; offset: number; sort?: ListingSort | undefined },
  ): Promise<Page<ListingRecord & { places: SeenPlace[] }>>;
  /**
   * Deletes a listing without a running job or an intent, of which nothing is on the marketplace as far as is known: it was never there,
   * or was last seen removed or gone; or which no job of ours put there. False otherwise.
   */
  deleteDraft(account_id: string, listing_pk: number): Promise<boolean>;
  /** Leaves a listing as it is that is incomplete, that no job works on and that has no intent: it would be hidden with a fee that may be paid. False otherwise. */
  giveUp(account_id: string, listing_pk: number): Promise<boolean>;
  /**
   * Saves one listing of an import, all or nothing: the listing, its place in the shop, what the marketplace told of it, and that it is
   * done. Throws ClaimLostError, ListingTakenError.
   */
  saveImport(claim: JobClaim, imported: NewImport): Promise<ImportOutcome>;
  /**
   * A further job. Not created, but returned, is one of the same listing that is running already, or that has this job_id or binding,
   * or an import of the same listings. Throws KeyReusedError.
   */
  createJob(job: NewJob): Promise<{ created: boolean; job: JobRecord }>;
  findJob(account_id: string, job_id: string): Promise<JobRecord | undefined>;
  /** The last job that published a listing, which it names. */
  findPublishJob(listing: Pick<ListingRecord, 'account_id' | 'job_id'>): Promise<PublishJob | undefined>;
  /** What a job has done of each of its parts so far. */
  listJobParts<Progress extends UpdateProgress | ImportProgress>(
    account_id: string,
    job_id: string,
  ): Promise<JobPart<Progress>[]>;
  /** What a job changed of our form of its listing; undefined where it changed nothing, or is too old to be taken back. */
  findRequestChange(account_id: string, job_id: string): Promise<RequestChange | undefined>;
  /** Throws ClaimLostError. */
  saveJobPart(claim: JobClaim, part: JobPart<UpdateProgress | ImportProgress>): Promise<void>;
  listSnapshots(account_id: string, listing_pk: number): Promise<Snapshot[]>;
  /** Puts these parts in place of those that were kept; others stay. */
  saveSnapshot(account_id: string, listing_pk: number, snapshot: Snapshot): Promise<void>;
  /**
   * What was last seen in this shop has been shown to a caller: from now on it is what a change by other hands is told by, as far as
   * it goes. Nothing happens where what is kept is newer, or nothing is.
   */
  saveShown(account_id: string, listing_pk: number, shop_id: number): Promise<void>;
  /** What the marketplace last said of a listing, by shop. */
  listSightings(
    account_id: string,
    listing_pk: number,
  ): Promise<(Sighting & { shop_id: number; listing_id: number | null })[]>;
  /**
   * Keeps what the marketplace said of listings of one shop, so long ago; unknown ones are left out, as are those that were seen later
   * than that.
   * @param age_ms since before the marketplace was asked
   */
  saveSightings(
    shop: ShopRef,
    sightings: readonly (SeenListing & { listing_id: number })[],
    age_ms: number,
  ): Promise<void>;
  /** Of one listing, oldest first. */
  listJobs(account_id: string, listing_pk: number): Promise<JobRecord[]>;
  listPublications(account_id: string, listing_pk: number): Promise<Publication[]>;
  /** The one that runs, of any kind. */
  findRunningJob(account_id: string, listing_pk: number): Promise<JobRecord | undefined>;
  /** Saved listings that are on the marketplace in this shop. */
  countPublished(account_id: string, shop_id: number): Promise<number>;

  /**
   * Claims a job that is not done, for so long, where it has no claim, or one that has expired or is of a process that is gone. Each
   * claim raises the fence.
   */
  claimJob(account_id: string, job_id: string, duration_ms: number): Promise<TakenClaim | undefined>;
  /** For so long from now. Throws ClaimLostError when a higher fence was given out, or the job has ended. */
  renewClaim(claim: JobClaim, duration_ms: number): Promise<void>;
  /** How far the job is, for those who wait for it at other instances. Nothing happens when the claim was lost. */
  saveJobProgress(claim: JobClaim, progress: Progress): Promise<void>;
  /** What was saved last; undefined before that. */
  findJobProgress(account_id: string, job_id: string): Promise<Progress | undefined>;
  /** Nothing happens when the claim was lost, or ended with the job. */
  releaseClaim(claim: JobClaim): Promise<void>;
  /** Jobs that claimJob would give, of all accounts, oldest first. */
  listClaimableJobs(): Promise<{ account_id: string; job_id: string }[]>;
  /** Saves progress, and listing_id once known (unique per shop over all jobs). Throws ClaimLostError, ListingTakenError. */
  savePublication(claim: JobClaim, publication: SavedPublication): Promise<void>;
  /** Which of these marketplace listings some job knows already, over all accounts: two may have the same shop connected. */
  listKnownListingIds(shop_id: number, listing_ids: number[]): Promise<number[]>;
  /** Creations in a shop, of all accounts, whose outcome is not known. */
  listOpenCreates(shop_id: number): Promise<OpenCreate[]>;
  /**
   * When the backup was made that this listing is from, of several the first; undefined for a listing that was made here. What
   * happened to it after that time, up to the restore, is not known.
   */
  findBackupTime(listing_pk: number): Promise<string | undefined>;
  /**
   * Ends the job, saves these of its publications and sets the listing's status, all or nothing. A job that has ended already stays
   * as it ended. Throws as savePublication does.
   */
  finishJob(claim: JobClaim, end: JobEnd): Promise<JobRecord>;
  /** Activations of an account in a window that ends now (counted from their intent), and those that its running jobs have before them. */
  countActivations(account_id: string, window_ms: number): Promise<number>;
};
