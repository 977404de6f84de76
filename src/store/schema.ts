import type { Generated } from 'kysely';
import type { CategorySchema } from '../../schemas/category.js';
import type { DeliveryStatus } from '../../schemas/delivery.js';
import type { ErrorBody } from '../../schemas/error.js';
import type { ListingStatus } from '../../schemas/listing.js';
import type { Category, SavedFilter, SessionRecord, SignInLink } from '../core/ports/index.js';
import type { Json } from './json.js';
import type { SearchRow } from './listings/search_text.js';
import type { Bit } from './tables/bit.js';
import type {
  BatchEditTable,
  BatchItemTable,
  BatchStepTable,
  BatchTable,
  SheetTable,
} from './tables/batches.js';
import type { ApiKeyTable, OAuthClientTable, GrantTable } from './tables/identity.js';
import type { ShopTable, ShopTokenTable, ApplicationTable, ConnectRequestTable } from './tables/shops.js';
import type {
  UploadTable,
  UploadLinkTable,
  ListingTable,
  JobTable,
  PublicationTable,
  JobPartTable,
  SnapshotTable,
  EditLicenseTable,
  ListingRefreshTable,
  DigestBindingTable,
} from './tables/listings.js';
import type {
  EndpointTable,
  EventTable,
  DeliveryTable,
  HeardOrderTable,
  OrderPollTable,
  OrderHintTable,
} from './tables/orders.js';

/**
 * The tables of service.db as the migrations leave them. Times are ISO 8601 UTC with milliseconds; BLOBs are encrypted
 * secrets.
 */
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
  /** `error`: null while the task is running. `since`: when the task started or was refused. */
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
  /** `owner`: the instance that holds the lock on the tokens; null: none. */
  refresh_locks: { account_id: string; shop_id: number; owner: string | null; fence: number };
  connect_requests: ConnectRequestTable;
  category_schemas: { category_id: number; schema: Json<CategorySchema>; fetched_at: string };
  category_tree: { id: 1; categories: Json<Category[]>; fetched_at: string };
  uploads: UploadTable;
  upload_links: UploadLinkTable;
  listings: ListingTable;
  /** Bytes that are kept so that a change can be undone. */
  kept_files: { account_id: string; sha256: string; keep_until: string };
  /** The uploads that a listing's request refers to. */
  listing_uploads: { account_id: string; upload_id: string; listing_pk: number };
  jobs: JobTable;
  batches: BatchTable;
  batch_items: BatchItemTable;
  batch_steps: BatchStepTable;
  batch_edits: BatchEditTable;
  sheets: SheetTable;
  publications: PublicationTable;
  /** `bytes`: total size of these listings' stored requests. */
  listing_totals: { account_id: string; status: ListingStatus; total: number; bytes: number };
  upload_totals: { account_id: string; bytes: number };
  /** Activations that may have cost a fee; they count toward the daily limit even after their listing is deleted. */
  activations: {
    account_id: string;
    job_id: string;
    shop_id: number;
    listing_pk: number;
    intended_at: string;
  };
  job_parts: JobPartTable;
  snapshots: SnapshotTable;
  edit_licenses: EditLicenseTable;
  listing_looks: ListingRefreshTable;
  key_bindings: DigestBindingTable & { key: string };
  digest_bindings: DigestBindingTable;
  webhook_endpoints: EndpointTable;
  events: EventTable;
  deliveries: DeliveryTable;
  taken_continuations: { account_id: string; continuation_id: string; forget_at: string };
  order_watches: { account_id: string; shop_id: number; since: string; heard_until_s: number | null };
  heard_orders: HeardOrderTable;
  order_polls: OrderPollTable;
  order_hints: OrderHintTable;
  /** The columns that listings are found and sorted by: see listings/search_rows.ts. */
  listing_words: SearchRow & { account_id: string; listing_pk: number };
  listing_terms: { account_id: string; term: string; listing_pk: number };
  listing_term_endings: { account_id: string; ending: string; term: string };
  /** Marketplace messages about listings. */
  listing_hints: { webhook_id: string; received_at: string };
  saved_filters: SavedFilter;
  delivery_totals: { account_id: string; status: DeliveryStatus; total: number };
};
