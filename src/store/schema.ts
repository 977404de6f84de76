import type { Generated } from 'kysely';
import type { CategorySchema } from '../../schemas/category.js';
import type { DeliveryStatus } from '../../schemas/delivery.js';
import type { ErrorBody } from '../../schemas/error.js';
import type { OrderEvent, SwitchOffReason } from '../../schemas/endpoint.js';
import type { ImportResult } from '../../schemas/import.js';
import type { JobStatus, ShopResult, Warning } from '../../schemas/job.js';
import type { ListingStatus } from '../../schemas/listing.js';
import type { ListingRequest, ListingState } from '../../schemas/listing_request.js';
import type { ShopDetails, ShopLists } from '../../schemas/shop.js';
import type { UploadType } from '../../schemas/upload.js';
import type { ImportPlan, ImportProgress } from '../core/listings/import/plan.js';
import type { PublishPlan } from '../core/listings/publish/plan.js';
import type { ShopProgress } from '../core/listings/publish/progress.js';
import type { ListingSnapshot } from '../core/listings/snapshot/snapshot.js';
import type { UpdatePlan, UpdateProgress } from '../core/listings/update/plan.js';
import type { Progress } from '../core/operations/call.js';
import type { OrderChange } from '../core/orders/changes.js';
import type {
  Category,
  ConnectOutcome,
  GrantRecord,
  JobKind,
  LeftMessage,
  OrderSummary,
  SeenState,
  SessionRecord,
  ShownFields,
  SignInLink,
  RequestChange,
} from '../core/ports/index.js';
import type { Json } from './json.js';
import type { SearchRow } from './listings/search_text.js';

/** 0 or 1: SQLite has no booleans. */
export type Bit = 0 | 1;

/** For a column that says whether something is so. */
export function toBit(value: boolean): Bit {
  return value ? 1 : 0;
}

/** The tables of service.db as the migrations leave them. Times are ISO 8601 UTC with milliseconds; BLOBs are sealed secrets. */
export type Tables = {
  /** One row, with the id 1. */
  master_key_check: { id: number; sealed: Buffer };
  restores: {
    restore_id: Generated<number>;
    backed_up_at: string;
    restored_at: string;
    last_listing_pk: number;
  };
  accounts: { account_id: string; name: string; is_default: Bit; created_at: string };
  api_keys: ApiKeyTable;
  sessions: SessionRecord & { token_sha256: string };
  sign_in_links: SignInLink & { token_sha256: string };
  /** `facts`: JSON of what the client told at its beginning. */
  conversations: { account_id: string; conversation_id: string; facts: string; used_at: string };
  conversation_messages: LeftMessage;
  /** `error`: null while the instance does the work; `since`: when it began, or was refused. */
  page_tasks: {
    account_id: string;
    listing_pk: number;
    instance: string;
    error: Json<ErrorBody['error']> | null;
    since: string;
  };
  oauth_clients: OAuthClientTable;
  grants: GrantTable;
  shops: ShopTable;
  shop_tokens: ShopTokenTable;
  applications: ApplicationTable;
  /** `owner`: the instance that has the tokens for itself; null: none. */
  refresh_locks: { account_id: string; shop_id: number; owner: string | null; fence: number };
  connect_requests: ConnectRequestTable;
  category_schemas: { category_id: number; schema: Json<CategorySchema>; fetched_at: string };
  category_tree: { id: 1; categories: Json<Category[]>; fetched_at: string };
  uploads: UploadTable;
  upload_links: UploadLinkTable;
  listings: ListingTable;
  /** Bytes that are kept so that a change can be taken back. */
  kept_files: { account_id: string; sha256: string; keep_until: string };
  /** Which uploads the request of a listing names. */
  listing_uploads: { account_id: string; upload_id: string; listing_pk: number };
  jobs: JobTable;
  publications: PublicationTable;
  /** `bytes`: of the requests. */
  listing_totals: { account_id: string; status: ListingStatus; total: number; bytes: number };
  upload_totals: { account_id: string; bytes: number };
  /** Activations that may have cost a fee; they count towards the daily limit even when their listing is forgotten. */
  activations: {
    account_id: string;
    job_id: string;
    shop_id: number;
    listing_pk: number;
    intended_at: string;
  };
  job_parts: JobPartTable;
  snapshots: SnapshotTable;
  listing_looks: ListingLookTable;
  key_bindings: DigestBindingTable & { key: string; bound_at: string };
  /** `bound_at`: null where an earlier release has bound it. */
  digest_bindings: DigestBindingTable & { bound_at: string | null };
  webhook_endpoints: EndpointTable;
  events: EventTable;
  deliveries: DeliveryTable;
  taken_continuations: { account_id: string; continuation_id: string; forget_at: string };
  order_watches: { account_id: string; shop_id: number; since: string; heard_until_s: number | null };
  heard_orders: HeardOrderTable;
  order_polls: OrderPollTable;
  order_hints: OrderHintTable;
  /** What listings are found and sorted by: see listings/search_rows.ts. */
  listing_words: SearchRow & { account_id: string; listing_pk: number };
  listing_terms: { account_id: string; term: string; listing_pk: number };
  listing_term_endings: { account_id: string; ending: string; term: string };
  /** Messages of the marketplace about listings. */
  listing_hints: { webhook_id: string; received_at: string };
  delivery_totals: { account_id: string; status: DeliveryStatus; total: number };
};

type ApiKeyTable = {
  expires_at: string | null;
  is_read_only: Bit;
  account_id: string;
  key_id: string;
  name: string;
  prefix: string;
  key_sha256: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
};

type OAuthClientTable = {
  client_id: string;
  name: string;
  redirect_uris: Json<string[]>;
  created_at: string;
  expires_at: string;
  /** Whether it was ever allowed something. */
  is_used: Bit;
};

type GrantTable = GrantRecord & {
  key_id: string | null;
  code_sha256: string;
  access_sha256: string | null;
  access_expires_at: string | null;
  family_sha256: string | null;
  refresh_sha256: string | null;
};

type ShopTable = { [List in keyof ShopLists]: Json<ShopLists[List]> } & {
  account_id: string;
  shop_id: number;
  user_id: number;
  details: Json<ShopDetails>;
  last_synced_at: string;
  is_reconnect_required: Bit;
};

type ShopTokenTable = {
  account_id: string;
  shop_id: number;
  access_token: Buffer;
  refresh_token: Buffer;
  access_expires_at: string;
  scopes: Json<string[]>;
  /** The application that the tokens were given to; null: the installation's own. */
  keystring: string | null;
};

type ApplicationTable = {
  account_id: string;
  keystring: string;
  shared_secret: Buffer;
  webhook_secret: Buffer | null;
  created_at: string;
};

type ConnectRequestTable = {
  account_id: string;
  state_sha256: string;
  /** Null once it was handed out. */
  code_verifier: Buffer | null;
  redirect_uri: string;
  shop_id: number | null;
  browser_sha256: string | null;
  return_path: string | null;
  expires_at: string;
  taken_at: string | null;
  outcome: Json<ConnectOutcome> | null;
  keystring: string | null;
  /** This and the next one are null where the application is known, and once they were handed out. */
  shared_secret: Buffer | null;
  webhook_secret: Buffer | null;
};

type UploadTable = {
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

type UploadLinkTable = {
  token_sha256: string;
  account_id: string;
  type: UploadType;
  filename: string | null;
  expires_at: string;
};

type ListingTable = {
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

type JobTable = {
  account_id: string;
  job_id: string;
  kind: Generated<JobKind>;
  /** Null of an import, which is of many listings. */
  listing_pk: number | null;
  /** Of a listing's jobs, from 1 in the order in which they were made. */
  number: Generated<number>;
  /** Of jobs that publish; null of others. */
  state: 'publish' | 'active' | null;
  status: JobStatus;
  /** As its kind has it. */
  plan: Json<PublishPlan | UpdatePlan | ImportPlan | null>;
  results: Json<ShopResult[] | ImportResult[]> | null;
  error_message: string | null;
  created_at: string;
  completed_at: string | null;
  claimed_by: string | null;
  claimed_until: string | null;
  fence: Generated<number>;
  /** Activations with a fee that were consented to when the job was created. */
  fees: Generated<number>;
  /** For a job that changed the listing's request, until it is too old to be undone. */
  request_change: Json<RequestChange> | null;
  /** The progress of the running job, for callers that wait at other instances. */
  progress: Json<Progress> | null;
};

type PublicationTable = {
  account_id: string;
  listing_pk: number;
  shop_id: number;
  listing_id: number | null;
  progress: Json<ShopProgress>;
  /** When publishing intended the activation; taken from progress, by the engine's clock. */
  activation_intended_at: string | null;
  /** State in the last sighting; null where there was none yet. */
  state: SeenState | null;
  seen_at: string | null;
  /** When its four months end. */
  ends_at: string | null;
  /** Fields of the last sighting; null where the listing was gone. */
  shown: Json<ShownFields> | null;
  /** Since when it may have changed, and was not seen; null where nothing says so. */
  stale_since: string | null;
};

/** The progress of a job's parts: a shop of an update, a listing of an import. */
type JobPartTable = {
  account_id: string;
  job_id: string;
  /** shop_id of an update, listing_id of an import. */
  part_id: number;
  progress: Json<UpdateProgress | ImportProgress>;
  /** Null in rows that were saved before times were kept. */
  saved_at: string | null;
};

/** A listing in one shop as it was last written, imported or shown to a caller. */
type SnapshotTable = {
  account_id: string;
  listing_pk: number;
  shop_id: number;
  snapshot: Json<Partial<ListingSnapshot>>;
  taken_at: string;
};

/** When the managed listings of a shop are read again, and which process reads them. */
type ListingLookTable = {
  account_id: string;
  shop_id: number;
  claimed_by: string | null;
  claimed_until: string | null;
  /** Rises with each claim. */
  fence: number;
  /** When the next look is due, at all of them or at those that may have changed; null: at once. */
  next_at: string | null;
  /** When the last look ended. */
  looked_at: string | null;
  /** When all of them are due; null: at once. */
  whole_at: string | null;
};

type DigestBindingTable = {
  account_id: string;
  digest: string;
  listing_pk: number;
  /** The job of that very request; null for a draft. */
  job_id: string | null;
};

type EndpointTable = {
  account_id: string;
  url: string;
  events: Json<OrderEvent[]>;
  is_enabled: Bit;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_expires_at: string | null;
  switched_off_at: string | null;
  switch_off_reason: SwitchOffReason | null;
  failing_since: string | null;
  last_failed_at: string | null;
};

type EventTable = {
  account_id: string;
  event_id: string;
  event_type: string;
  /** The exact body; not `Json`, since it is sent byte for byte. */
  payload: string | null;
  created_at: string;
  subject: string | null;
  change_key: string | null;
};

type DeliveryTable = {
  id: Generated<number>;
  account_id: string;
  event_id: string;
  event_type: string;
  url: string;
  attempt: number;
  status: DeliveryStatus;
  response_status_code: number | null;
  error: string | null;
  created_at: string;
  completed_at: string | null;
  /** Its event's, so that what waits for what can be found by an index. */
  subject: string | null;
  /** Position in the schedule, from 0; null for a delivery by hand, which is outside of it. */
  step: number | null;
  /** Null while it waits for an earlier event of its subject, and for a delivery that was created claimed. */
  due_at: string | null;
  claimed_by: string | null;
  claimed_until: string | null;
  /** Rises with each claim. */
  fence: number;
};

type HeardOrderTable = { [Change in OrderChange as `is_${Change}`]: Bit } & {
  account_id: string;
  shop_id: number;
  receipt_id: number;
  created_at_s: number;
  /** Null in rows from before summaries were kept. */
  summary: Json<OrderSummary> | null;
};

type OrderPollTable = {
  shop_id: number;
  claimed_by: string | null;
  claimed_until: string | null;
  next_at: string | null;
  interval_ms: number;
  next_transit_at: string | null;
  fence: number;
  /** When the last look ended. */
  looked_at: string | null;
};

type OrderHintTable = {
  webhook_id: string;
  shop_id: number;
  receipt_id: number;
  told: OrderChange;
  received_at: string;
  /** Rises with each claim, and is its fence. */
  attempt: number;
  due_at: string | null;
  finished_at: string | null;
};
