import type { ImportResult } from '../../../../schemas/import.js';
import type { Fact } from '../../../../schemas/issue.js';
import type { JobStatus, ShopResult } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../listing/changes.js';
import type { ChangeAction, ImportPlan, Plan, PublishAction } from '../listing/plan.js';
import type { LicensedCall } from './edit_license.js';

/**
 * publish: creates listings, and activates them. update: changes existing listings. import: imports listings
 * that were created on Etsy. batch: plans or makes changes of many listings, each in a job of its own.
 */
export type JobKind = 'publish' | 'update' | 'import' | 'batch';

/**
 * The caller that started a job or a batch. `id`: of the API key, or of the grant that a person gave an
 * assistant. `client_name`: the name that an MCP client gave itself.
 */
export type Starter = {
  face: 'rest' | 'mcp_http' | 'mcp_stdio' | 'cli' | 'dashboard';
  credential: 'key' | 'token' | 'local' | 'session';
  id?: string;
  client_name?: string;
};

/** A job that belongs to no batch, or a batch; newest first. */
export type ChangeRef = { kind: 'job'; job_id: string } | { kind: 'batch'; batch_id: string };

type JobFacts = {
  account_id: string;
  job_id: string;
  /** In a running job, set only if a person canceled it. */
  error_message: Fact | null;
  created_at: string;
  completed_at: string | null;
  /** Missing if the job belongs to a batch, or an older release created it. */
  started_by?: Starter;
  /** Whether it was in flight in a backup that was restored: it may have continued after the backup. */
  is_restored: boolean;
};

/** A job's work and its outcome: `results` is set once it has ended. */
type PublishFacts = {
  kind: 'publish';
  listing_pk: number;
  state: 'publish' | 'active';
  results: ShopResult[] | null;
};
type UpdateFacts = { kind: 'update'; listing_pk: number; results: ShopResult[] | null };
type ImportFacts = { kind: 'import'; listing_pk: null; results: ImportResult[] | null };

type BatchFacts = { kind: 'batch'; listing_pk: null; results: null };

/** `plan`: computes what each listing would become. `run`: makes the planned changes. */
export type BatchPlan = { batch_id: string; phase: 'plan' | 'run' };

/** How the job of a batch left it; items that it did not reach are canceled. */
export type BatchEnd =
  | { batch_id: string; status: 'planned'; life_ms: number }
  | { batch_id: string; status: 'completed' | 'canceled' | 'failed' };

type Running<Facts, Plan> = JobFacts & Facts & { status: 'processing'; plan: Plan };
/** `plan`: null once it was swept because nothing is left to do. */
type Ended<Facts, Plan> = JobFacts & Facts & { status: Exclude<JobStatus, 'processing'>; plan: Plan | null };

export type PublishJob =
  Running<PublishFacts, Plan<PublishAction>> | Ended<PublishFacts, Plan<PublishAction>>;
export type UpdateJob = Running<UpdateFacts, Plan<ChangeAction>> | Ended<UpdateFacts, Plan<ChangeAction>>;
export type ImportJob = Running<ImportFacts, ImportPlan> | Ended<ImportFacts, ImportPlan>;
export type BatchJob = Running<BatchFacts, BatchPlan> | Ended<BatchFacts, BatchPlan>;
/** A job whose results are by shop. */
export type ShopJob = PublishJob | UpdateJob;
export type JobRecord = PublishJob | UpdateJob | ImportJob | BatchJob;
export type RunningJob = Extract<JobRecord, { status: 'processing' }>;

/** The progress of one part of a job: a shop (update) or a listing (import). */
export type JobPart<Progress> = { part_id: number; progress: Progress };

type JobWork =
  | {
      kind: 'publish';
      listing_pk: number;
      state: 'publish' | 'active';
      plan: Plan<PublishAction>;
      /** The listing is copied to further shops. */
      copied?: Copied;
    }
  | {
      kind: 'update';
      listing_pk: number;
      plan: Plan<ChangeAction>;
      /**
       * The same transaction uses up the licenses that its dry run left; they become `licensed` of the plan.
       */
      license?: LicensedCall;
    }
  | { kind: 'import'; listing_pk: null; plan: ImportPlan }
  | { kind: 'batch'; listing_pk: null; plan: BatchPlan };

/** `spending`: the transaction that creates the job checks its limit; throws SpendingLimitError. */
export type NewJob = JobWork & {
  account_id: string;
  job_id: string;
  /** Checked in the same transaction: an equal earlier request returns its job. */
  binding?: Binding | undefined;
  /**
   * `updated_at` of the listing that the plan is based on, checked in the same transaction: throws
   * ListingChangedError.
   */
  as_of?: string | undefined;
  spending?: Spending | undefined;
  started_by?: Starter | undefined;
};

/**
 * A listing's request with further shops, and for each of them the fields that differ from the request (see
 * PublicationProgress.changes).
 */
export type Copied = {
  request: ListingRequest;
  shops: readonly OwnChanges[];
};

/**
 * Idempotency: recognizes a repeated request by the caller's key, or without one by the digest of its body.
 */
export type Binding = { key: string | null; digest: string };

/** The activations with a fee that a job will make, and the account's limit of them. */
export type Spending = {
  wanted: number;
  /** The most in a window of `window_ms` that ends now; includes those that running jobs will still make. */
  limit?: { most: number; window_ms: number } | undefined;
  /** The job of the batch that has already claimed them. */
  claimed_by?: string | undefined;
};

/** The account's fee limit leaves no room for the job. */
export class SpendingLimitError extends Error {
  override readonly name = 'SpendingLimitError';
}
