import type { CategorySchema } from '../../../schemas/category.js';
import type { Delivery, DeliveryDetail, DeliveryStatus } from '../../../schemas/delivery.js';
import type { OrderEvent } from '../../../schemas/endpoint.js';
import type { JobStatus, ShopResult, Warning } from '../../../schemas/job.js';
import type { ListingStatus } from '../../../schemas/listing.js';
import type { ListingRequest, ListingState } from '../../../schemas/listing_request.js';
import type { StoreDetails, StoreLists } from '../../../schemas/store.js';
import type { UploadType } from '../../../schemas/upload.js';
import type { PublishPlan } from '../listings/plan.js';
import type { ShopProgress } from '../listings/progress.js';
import type { Category, ShopRef } from './marketplace.js';

/*
 * What the core needs kept. Times are ISO 8601 UTC strings with milliseconds, so that they sort as text; every call that
 * belongs to an account names it. Each method is one transaction.
 */

export type Page<T> = { total: number; items: T[] };

export type Account = { account_id: string; name: string; created_at: string };
export type ApiKey = {
  key_id: string;
  account_id: string;
  name: string;
  /** First characters of the key, to recognise it by. */
  prefix: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
};

export type AccountStore = {
  /** The account that stdio acts for; made when there is none. */
  getDefaultAccount(): Promise<Account>;
  findAccount(account_id: string): Promise<Account | undefined>;
  listAccounts(): Promise<Account[]>;
  createAccount(name: string): Promise<Account>;
  createKey(key: Omit<ApiKey, 'last_used_at' | 'revoked_at'> & { key_sha256: string }): Promise<void>;
  listKeys(account_id: string): Promise<ApiKey[]>;
  /** Undefined when unknown or revoked. */
  findKeyByHash(key_sha256: string): Promise<ApiKey | undefined>;
  /** False when the account has no such key, or it was revoked before. */
  revokeKey(account_id: string, key_id: string): Promise<boolean>;
  countKeys(): Promise<number>;
};

export type ConnectedShop = ShopRef & {
  user_id: number;
  details: StoreDetails;
  lists: StoreLists;
  last_synced_at: string;
  /** True when the marketplace refused the grant: nothing works until the seller connects the shop again. */
  is_reconnect_required: boolean;
};

export type ShopStore = {
  listShops(account_id: string): Promise<ConnectedShop[]>;
  findShop(shop: ShopRef): Promise<ConnectedShop | undefined>;
  /** Inserts or replaces details and lists; clears is_reconnect_required. */
  saveShop(shop: Omit<ConnectedShop, 'is_reconnect_required'>): Promise<void>;
  /** Replaces some lists only, after a live read. */
  saveLists(shop: ShopRef, lists: Partial<StoreLists>): Promise<void>;
  deleteShop(shop: ShopRef): Promise<boolean>;
};

export type ShopTokens = {
  access_token: string;
  refresh_token: string;
  access_expires_at: string;
  scopes: string[];
};

/** Tokens, encrypted at rest. */
export type TokenStore = {
  findTokens(shop: ShopRef): Promise<ShopTokens | undefined>;
  /** The new pair is committed in one write, before anyone may use it. */
  saveTokens(shop: ShopRef, tokens: ShopTokens): Promise<void>;
  markReconnectRequired(shop: ShopRef): Promise<void>;
  /** Runs one refresh at a time per shop, over all processes on this data directory. */
  withRefreshLock<T>(shop: ShopRef, refresh: () => Promise<T>): Promise<T>;
};

export type CategoryStore = {
  findCategorySchema(
    category_id: number,
  ): Promise<{ schema: CategorySchema; fetched_at: string } | undefined>;
  saveCategorySchema(schema: CategorySchema, fetched_at: string): Promise<void>;
  findCategoryTree(): Promise<{ categories: Category[]; fetched_at: string } | undefined>;
  saveCategoryTree(categories: Category[], fetched_at: string): Promise<void>;
};

export type Upload = {
  account_id: string;
  upload_id: string;
  sha256: string;
  filename: string;
  size_bytes: number;
  content_type: string;
  type: UploadType;
  created_at: string;
  expires_at: string;
};

export type UploadLink = {
  account_id: string;
  type: UploadType;
  filename: string | null;
  expires_at: string;
};

export type UploadStore = {
  createUpload(upload: Upload): Promise<void>;
  findUpload(account_id: string, upload_id: string): Promise<Upload | undefined>;
  /** Of all accounts: uploads whose time is over and that no saved listing names. Answers how many went. */
  deleteExpiredUploads(now: string): Promise<number>;
  /** Which of these bytes nobody needs any more: no upload has them, and no job that may still have to send them. */
  listUnusedBlobs(sha256s: readonly string[]): Promise<string[]>;
  /** One-time addresses: only the SHA-256 of the token is kept. */
  createUploadLink(token_sha256: string, link: UploadLink): Promise<void>;
  findUploadLink(token_sha256: string): Promise<UploadLink | undefined>;
  /** Undefined when unknown, expired or taken: the first taker wins. */
  takeUploadLink(token_sha256: string, now: string): Promise<UploadLink | undefined>;
};

export type ListingRecord = {
  account_id: string;
  listing_pk: number;
  title: string;
  status: ListingStatus;
  state: ListingState;
  request: ListingRequest;
  warnings: Warning[];
  /** The last job, if there was one. */
  job_id: string | null;
  created_at: string;
  updated_at: string;
};

export type JobRecord = {
  account_id: string;
  job_id: string;
  listing_pk: number;
  state: 'publish' | 'active';
  status: JobStatus;
  plan: PublishPlan;
  /** Set when the job has ended. */
  results: ShopResult[] | null;
  error_message: string | null;
  created_at: string;
  completed_at: string | null;
};

/** How a request that came before is recognised. With a caller's key, or without one by the body's digest alone. */
export type Binding = { key: string | null; digest: string };

/** How many activations an account may have since a time, counted together with those that running jobs still have before them. */
export type SpendingLimit = { most: number; since: string; wanted: number };

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
  /** Held in the same transaction: throws SpendingLimitError. */
  spending?: SpendingLimit | undefined;
  now: string;
};

export type BoundListing = { listing: ListingRecord; job: JobRecord | undefined };

/** Outcome of looking a binding up. `reused`: the key came with another body before. */
export type BindingMatch = ({ match: 'same' } & BoundListing) | { match: 'reused' } | { match: 'none' };

/** Where one listing of ours stands in one shop; survives jobs, so that a later job goes on from there. */
export type Publication = { shop_id: number; listing_id: number | null; progress: ShopProgress };

/** Proof that this process may write to a job: a higher fence has not been given out. */
export type JobLease = { account_id: string; job_id: string; fence: number };

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** Another listing of ours has this marketplace listing already. */
export class ListingTakenError extends Error {
  override readonly name = 'ListingTakenError';
}

export type ListingStore = {
  /** Looks a binding up. A key counts for 30 days. Without a key, the same body counts while its job runs and for
   * `replay_ms` after its end (or after its saving, for a draft). */
  findBinding(account_id: string, binding: Binding, now: string, replay_ms: number): Promise<BindingMatch>;
  /** In one transaction: looks the binding up, and when there is none creates listing, publications, job and binding. */
  createListing(
    listing: NewListing,
    replay_ms: number,
  ): Promise<BindingMatch | ({ match: 'created' } & BoundListing)>;
  findListing(account_id: string, listing_pk: number): Promise<ListingRecord | undefined>;
  listListings(
    account_id: string,
    page: { status?: ListingStatus | undefined; limit: number; offset: number },
  ): Promise<Page<ListingRecord & { shop_ids: number[] }>>;
  /** Deletes a listing that has no publication with a listing_id, no intent and no running job. False otherwise. */
  deleteDraft(account_id: string, listing_pk: number): Promise<boolean>;
  /** A further job of a listing. `running`: one is running already, and is returned instead. */
  createJob(job: {
    account_id: string;
    listing_pk: number;
    job_id: string;
    state: 'publish' | 'active';
    plan: PublishPlan;
    spending?: SpendingLimit | undefined;
    now: string;
  }): Promise<{ created: boolean; job: JobRecord }>;
  findJob(account_id: string, job_id: string): Promise<JobRecord | undefined>;
  listPublications(account_id: string, listing_pk: number): Promise<Publication[]>;

  /**
   * Takes the lease of a job that is not done and whose lease is free or has run out; each taking raises the fence.
   * `is_alone`: whoever had it before has given it back or is gone, so that none of their calls is under way any more.
   */
  claimJob(
    account_id: string,
    job_id: string,
    owner: string,
    lease_expires_at: string,
    now: string,
  ): Promise<(JobLease & { is_alone: boolean }) | undefined>;
  /** Throws LeaseLostError when a higher fence was given out. */
  renewLease(lease: JobLease, lease_expires_at: string): Promise<void>;
  releaseLease(lease: JobLease): Promise<void>;
  /** Gives back what processes hold that are not there any more, so that nobody waits for it to run out. */
  releaseDeadLeases(): Promise<void>;
  /** Jobs in processing whose lease is free or has run out, of all accounts, oldest first. */
  listClaimableJobs(now: string): Promise<{ account_id: string; job_id: string }[]>;
  /** Saves progress, and listing_id once known (unique per shop over all jobs). Throws LeaseLostError, ListingTakenError. */
  savePublication(
    lease: JobLease,
    shop_id: number,
    listing_id: number | null,
    progress: ShopProgress,
  ): Promise<void>;
  /** Which of these marketplace listings some job knows already. */
  listKnownListingIds(shop_id: number, listing_ids: number[]): Promise<number[]>;
  /** Ends the job and sets the listing's status with it. Throws LeaseLostError. */
  finishJob(
    lease: JobLease,
    end: {
      status: 'completed' | 'failed';
      results: ShopResult[];
      error_message: string | null;
      listing_status: ListingStatus;
      now: string;
    },
  ): Promise<JobRecord>;
  /** Activations of an account since a time (counted from their intent), and those that its running jobs have before them. */
  countActivations(account_id: string, since: string): Promise<number>;
};

export type EndpointRecord = {
  account_id: string;
  url: string;
  events: OrderEvent[];
  is_enabled: boolean;
  secret: string;
  /** Valid beside `secret` until its time. */
  previous_secret: string | null;
  previous_secret_expires_at: string | null;
};

export type EventRecord = {
  account_id: string;
  event_id: string;
  event_type: string;
  payload: string | null;
  created_at: string;
};

export type NewDelivery = {
  account_id: string;
  event_id: string;
  event_type: string;
  url: string;
  attempt: number;
  created_at: string;
};

export type WebhookStore = {
  findEndpoint(account_id: string): Promise<EndpointRecord | undefined>;
  saveEndpoint(endpoint: EndpointRecord): Promise<void>;
  deleteEndpoint(account_id: string): Promise<boolean>;
  /** Records an event and its first delivery in one transaction. `payload` is the exact body that will be sent. */
  createEvent(event: EventRecord & { payload: string }, delivery: NewDelivery): Promise<Delivery>;
  findEvent(account_id: string, event_id: string): Promise<EventRecord | undefined>;
  /** A further delivery of an event; its attempt is one more than the highest so far. */
  createDelivery(delivery: Omit<NewDelivery, 'attempt'>): Promise<Delivery>;
  finishDelivery(
    account_id: string,
    id: number,
    end: {
      status: 'success' | 'failed';
      response_status_code: number | null;
      error: string | null;
      completed_at: string;
    },
  ): Promise<void>;
  findDelivery(account_id: string, id: number): Promise<DeliveryDetail | undefined>;
  /** Newest first. */
  listDeliveries(
    account_id: string,
    page: { status?: DeliveryStatus | undefined; limit: number; offset: number },
  ): Promise<Page<Delivery>>;
};

/** Calls counted per account over all processes. */
export type RateStore = {
  /** Counts one call if neither window is full; in one step, so that two processes never pass one place twice. */
  take(
    account_id: string,
    now_epoch_ms: number,
    limits: { per_second: number; per_day: number },
  ): Promise<
    | { is_allowed: true; remaining_second: number; remaining_day: number }
    | { is_allowed: false; window: 'second' | 'day'; retry_after_ms: number }
  >;
};

export type Store = {
  accounts: AccountStore;
  shops: ShopStore;
  tokens: TokenStore;
  categories: CategoryStore;
  uploads: UploadStore;
  listings: ListingStore;
  webhooks: WebhookStore;
  rates: RateStore;
  /** True when the database answers. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
};
