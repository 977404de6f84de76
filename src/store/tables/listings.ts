import type { Generated } from 'kysely';
import type { ImportResult } from '../../../schemas/import.js';
import type { JobStatus, ShopResult, Warning } from '../../../schemas/job.js';
import type { ListingStatus } from '../../../schemas/listing.js';
import type { ListingRequest, ListingState } from '../../../schemas/listing_request.js';
import type { UploadType } from '../../../schemas/upload.js';
import type {
  BatchPlan,
  ChangeAction,
  ImportPlan,
  ImportProgress,
  JobKind,
  ListingSnapshot,
  Plan,
  Progress,
  PublishAction,
  RequestChange,
  SeenState,
  PublicationProgress,
  ShownFields,
  Starter,
  ChangeProgress,
} from '../../core/ports/index.js';
import type { Json } from '../json.js';
import type { StoredFact } from '../jobs/stored_facts.js';
import type { Bit } from './bit.js';

export type UploadTable = {
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

export type UploadLinkTable = {
  token_sha256: string;
  account_id: string;
  type: UploadType;
  filename: string | null;
  expires_at: string;
  /** The key or the grant that requested it; it ends with them. */
  key_id: string | null;
  grant_id: string | null;
  /** The file that a download address serves; null: an address to upload to. */
  download: string | null;
};

export type ListingTable = {
  listing_pk: Generated<number>;
  account_id: string;
  title: string;
  status: ListingStatus;
  state: ListingState;
  request: Json<ListingRequest>;
  warnings: Json<Warning[]>;
  job_id: string | null;
  created_at: string;
  updated_at: string;
};

export type JobTable = {
  account_id: string;
  job_id: string;
  kind: Generated<JobKind>;
  /** Null for an import and a batch, which are about many listings. */
  listing_pk: number | null;
  /** The job's number among the listing's jobs, from 1 in the order in which they were created. */
  number: Generated<number>;
  /** Of jobs that publish; null for others. */
  state: 'publish' | 'active' | null;
  status: JobStatus;
  /** The plan for its kind. */
  plan: Json<Plan<PublishAction> | Plan<ChangeAction> | ImportPlan | BatchPlan | null>;
  results: Json<ShopResult[] | ImportResult[]> | null;
  error_message: StoredFact | null;
  created_at: string;
  completed_at: string | null;
  claimed_by: string | null;
  claimed_until: string | null;
  fence: Generated<number>;
  /** Whether it was in flight in a backup that was restored: it may have continued after the backup. */
  is_restored: Generated<Bit>;
  /** Activations with a fee that were consented to when the job was created. */
  fees: Generated<number>;
  /** For a job that changed the listing's request, until it is too old to be undone. */
  request_change: Json<RequestChange> | null;
  /** The progress of the running job, for callers that wait at other instances. */
  progress: Json<Progress> | null;
  started_by: Json<Starter> | null;
  /** The batch whose item the job carries out. */
  batch_id: string | null;
};

export type PublicationTable = {
  account_id: string;
  listing_pk: number;
  shop_id: number;
  listing_id: number | null;
  progress: Json<PublicationProgress>;
  /** When publishing intended the activation; taken from progress, by the engine's clock. */
  activation_intended_at: string | null;
  /** State in the last sighting; null if there was none yet. */
  state: SeenState | null;
  seen_at: string | null;
  /** When its four months end. */
  ends_at: string | null;
  /** Fields of the last sighting; null if the listing was gone. */
  shown: Json<ShownFields> | null;
  /** Since when it may have changed without being seen; null if nothing suggests that. */
  stale_since: string | null;
};

/** The progress of a job's parts: a shop of an update, a listing of an import. */
export type JobPartTable = {
  account_id: string;
  job_id: string;
  /** shop_id of an update, listing_id of an import. */
  part_id: number;
  progress: Json<ChangeProgress | ImportProgress>;
  saved_at: string;
};

/** A manual edit that a dry run showed, and that its repeat may overwrite. */
export type EditLicenseTable = {
  account_id: string;
  credential: string;
  body_digest: string;
  shop_id: number;
  field: string;
  value_digest: string;
  expires_at: string;
};

/** A listing in one shop as it was last written or imported. */
export type SnapshotTable = {
  account_id: string;
  listing_pk: number;
  shop_id: number;
  snapshot: Json<Partial<ListingSnapshot>>;
  taken_at: string;
};

/** When the managed listings of a shop are read again, and which process reads them. */
export type ListingRefreshTable = {
  account_id: string;
  shop_id: number;
  claimed_by: string | null;
  claimed_until: string | null;
  /** Rises with each claim. */
  fence: number;
  /** When the next check is due, of all of them or of those that may have changed; null: at once. */
  next_at: string | null;
  /** When the last check ended. */
  looked_at: string | null;
  /** When all of them are due; null: at once. */
  whole_at: string | null;
};

export type DigestBindingTable = {
  account_id: string;
  digest: string;
  listing_pk: number;
  /** The job of that request; null for a draft. */
  job_id: string | null;
  bound_at: string;
};
