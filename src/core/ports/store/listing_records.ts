import type { ImportResult } from '../../../../schemas/import.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingStatus } from '../../../../schemas/listing.js';
import type { FieldsWith } from '../../../../schemas/listing_fields.js';
import type { ListingRequest, ListingState } from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../listing/changes.js';
import type { Plan, PublishAction } from '../listing/plan.js';
import type { PublicationProgress } from '../listing/progress.js';
import type { KeptSnapshot } from '../listing/snapshot.js';
import type { DraftListing, MarketplaceListing } from '../marketplace_listing.js';
import type { SeenState } from '../records.js';
import type { Binding, JobRecord, ShopJob, Spending, Starter } from './job_records.js';
import type { AccountUsage } from './usage_store.js';

export type ListingRecord = {
  account_id: string;
  listing_pk: number;
  title: string;
  status: ListingStatus;
  state: ListingState;
  request: ListingRequest;
  warnings: Warning[];
  /** The last job that published it, if any. */
  job_id: string | null;
  created_at: string;
  updated_at: string;
};

export type NewListing = {
  account_id: string;
  title: string;
  state: ListingState;
  request: ListingRequest;
  /** The fields in which single shops differ from the request. */
  own?: readonly OwnChanges[];
  warnings: Warning[];
  binding: Binding;
  /** For publish and active: the job that publishes it. */
  job?: { job_id: string; plan: Plan<PublishAction>; state: 'publish' | 'active'; started_by?: Starter };
  /** The same transaction checks its limit: throws SpendingLimitError. */
  spending?: Spending | undefined;
  /** Quotas for a draft, checked in the same transaction: throws QuotaError. */
  most?: Pick<AccountUsage, 'drafts' | 'draft_bytes'>;
};

export type BoundListing = { listing: ListingRecord; job: ShopJob | undefined };

/**
 * `same`: the same request arrived before. `reused`: its key arrived before with another body, for this
 * listing. `none`: it is new.
 */
export type BindingMatch =
  ({ match: 'same' } & BoundListing) | { match: 'reused'; listing_pk: number } | { match: 'none' };

/**
 * The progress of publishing one of our listings in one shop. It outlives jobs, so that a later job resumes
 * there.
 */
export type Publication = {
  shop_id: number;
  listing_id: number | null;
  progress: PublicationProgress;
};

/** `sighting`: the listing's state as the marketplace reported it; left out if a newer one was saved. */
export type SavedPublication = Publication & { sighting?: AgedSighting | undefined };

/**
 * The last known state of a listing in one shop, as the marketplace reported it; null if it was not read yet.
 */
export type Sighting = {
  state: SeenState | null;
  seen_at: string | null;
  ends_at: string | null;
  shown: ShownFields | null;
};

/** One of the shops that a listing's request names, in their order, with the last sighting there. */
type Place = Omit<Sighting, 'shown'> & { shop_id: number; listing_id: number | null };

/** The same with the fields that were read then. */
export type SeenPlace = Place & Pick<Sighting, 'shown'>;

/** The same with the shop's own values. */
export type ListedPlace = SeenPlace & { progress: Pick<PublicationProgress, 'changes'> };

/**
 * `keywords`: each word is in the title or a SKU. `shop_state`: the state of the last sighting, in `shop_id`
 * if given.
 */
export type ListingFilter = {
  status?: ListingStatus | undefined;
  keywords?: string | undefined;
  shop_id?: number | undefined;
  shop_state?: SeenState | undefined;
  /** With `shop_state`: the listing ends in the shop before this moment, in ISO 8601. */
  ends_before?: string | undefined;
};

/** `changed`: most recently changed first. */
export type ListingSort = 'newest' | 'changed' | 'title';

/**
 * The fields of a sighting that our own copy has, too; price in major units. `prices`: by the keys of
 * products that are on sale, as toProductKey makes them; left out if the inventory was not read with the
 * listing.
 */
export type ShownFields = Pick<MarketplaceListing, FieldsWith<{ is_sighted: true }>> & {
  prices?: Record<string, number>;
};

/** A sighting of a listing that was just read. */
export type SeenListing = Omit<Sighting, 'seen_at' | 'state'> & { state: SeenState };

/**
 * A sighting that is saved later. `getAge_ms`: the time since before the call was made; it keeps counting
 * while the save waits.
 */
export type AgedSighting = SeenListing & { getAge_ms: () => number };

/** A create whose outcome is not known. `draft`: as the listing's last job sends it. */
export type OpenCreate = {
  account_id: string;
  listing_pk: number;
  progress: PublicationProgress;
  draft: DraftListing;
};

/** A listing of a shop, as an import saves it. */
export type NewImport = {
  shop_id: number;
  listing_id: number;
  /** Our listing that it belongs to, as it was when the import decided; null for a new one. */
  known: Pick<ListingRecord, 'listing_pk' | 'updated_at'> | null;
  request: ListingRequest;
  /** URLs of the kept photos and videos that it found or fetched. */
  media: string[];
  warnings: Warning[];
  status: ListingStatus;
  progress: PublicationProgress;
  snapshot: KeptSnapshot;
  sighting: SavedPublication['sighting'];
  /** Returned to the caller, with the listing_pk added. */
  result: Omit<ImportResult, 'listing_pk'>;
};

/**
 * `changed`: since the import decided, our listing was changed or got another listing of the shop; or one of
 * its kept files is gone, because another import that had fetched it was refused and dropped it. `busy`: a
 * job of the listing runs.
 */
export type ImportOutcome =
  | { saved: true; result: ImportResult }
  | { saved: false; reason: 'changed' }
  | { saved: false; reason: 'busy'; running: JobRecord };

/**
 * The baseline: a listing in one shop as it was last written or imported. Manual edits are detected against
 * it.
 */
export type Snapshot = { shop_id: number; snapshot: KeptSnapshot };
