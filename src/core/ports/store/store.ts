import type { CategorySchema } from '../../../../schemas/category.js';
import type { ShopDetails, ShopLists } from '../../../../schemas/shop.js';
import type { UploadType } from '../../../../schemas/upload.js';
import type { AppLimitStore } from './app_limits.js';
import type { Application, ApplicationStore } from './applications.js';
import type { BatchStore } from './batch_store.js';
import type { ConnectRequestStore } from './connect_requests.js';
import type { StoreFigures } from './figures.js';
import type { ListingHintStore } from './listing_hint_store.js';
import type { ListingStore } from './listing_store.js';
import type { RefreshStore } from './refresh_store.js';
import type { PageTaskStore, SavedFilterStore } from './page_stores.js';
import type { Category } from '../marketplace.js';
import type { OAuthStore } from './oauth_store.js';
import type { OrderStore } from './order_store.js';
import type { Page, ShopRef, ShopTokens, UploadsQuery } from '../records.js';
import type { RetentionStore } from './retention_store.js';
import type { SessionStore } from './session_store.js';
import type { AccountUsage, UsageStore } from './usage_store.js';
import type { Lasting } from './lasting.js';
import type { SheetStore } from './sheet_store.js';
import type { WindowCountStore } from './window_count_store.js';
import type { WebhookStore } from './webhook_store.js';

/*
 * The store, as the core needs it. Times are ISO 8601 UTC strings with milliseconds, so that they sort as
 * text; every call that belongs to an account names it. Each method is one transaction.
 */

export type Account = { account_id: string; name: string; created_at: string };
export type ApiKey = {
  key_id: string;
  account_id: string;
  name: string;
  /** First characters of the key, to recognize it by. */
  prefix: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /** When it expires; null: never. */
  expires_at: string | null;
  is_expired: boolean;
  /** Whether it may only call operations that read. */
  is_read_only: boolean;
};

type NewApiKey = Pick<ApiKey, 'key_id' | 'account_id' | 'name' | 'prefix' | 'is_read_only'>;

export type AccountStore = {
  /** The account that stdio acts for; created if there is none. */
  getDefaultAccount(): Promise<Account>;
  listAccounts(): Promise<Account[]>;
  /** Rejects if an account already has this name, as renameAccount does. */
  createAccount(name: string): Promise<Account>;
  renameAccount(account_id: string, name: string): Promise<void>;
  /**
   * `life_ms`: it expires after this time; null: never. `made_with`: the key of the session that creates it; the new key
   * neither outlives it nor has more rights. Undefined if that key no longer works.
   */
  createKey(
    key: NewApiKey & { key_sha256: string; life_ms: number | null; made_with?: string | null },
  ): Promise<ApiKey | undefined>;
  listKeys(account_id: string): Promise<ApiKey[]>;
  /** Undefined if unknown or revoked; returns an expired key, so that its holder can be informed. */
  findKeyByHash(key_sha256: string): Promise<ApiKey | undefined>;
  /** False if the account has no such key, or it was revoked before. Once it resolves, no process accepts the key. */
  revokeKey(account_id: string, key_id: string): Promise<boolean>;
  countKeys(): Promise<number>;
};

export type ConnectedShop = ShopRef & {
  user_id: number;
  details: ShopDetails;
  lists: ShopLists;
  last_synced_at: string;
  /** True if the marketplace refused its tokens: nothing works until the seller connects the shop again. */
  is_reconnect_required: boolean;
};

export type ShopStore = {
  listShops(account_id: string): Promise<ConnectedShop[]>;
  findShop(shop: ShopRef): Promise<ConnectedShop | undefined>;
  /**
   * Inserts or replaces details and lists; clears is_reconnect_required.
   * @param connected_at by the marketplace's clock, if that is known: orders from before it make no events
   */
  saveShop(shop: Omit<ConnectedShop, 'is_reconnect_required'>, connected_at?: string): Promise<void>;
  /** Replaces details and lists. False if the shop was disconnected in the meantime. */
  updateShop(shop: Omit<ConnectedShop, 'is_reconnect_required'>): Promise<boolean>;
  /** Replaces some lists only, after a live read. */
  saveLists(shop: ShopRef, lists: Partial<ShopLists>): Promise<void>;
  /**
   * Deletes a shop with its tokens, and its application if that has no other shop; its publications stay. Once it resolves,
   * no process finds the shop.
   */
  deleteShop(shop: ShopRef): Promise<boolean>;
};

export type KeptTokens = ShopTokens & {
  /** The application that they were issued to; absent: the installation's own. */
  keystring?: string;
};

/** Tokens, encrypted at rest. */
export type TokenStore = {
  findTokens(shop: ShopRef): Promise<KeptTokens | undefined>;
  /**
   * Replaces the tokens that were used for a refresh with the new ones, in one write, and clears is_reconnect_required. False
   * if other tokens, or none, are saved: then the new ones are of no use.
   */
  renewTokens(shop: ShopRef, used: ShopTokens, fresh: ShopTokens): Promise<boolean>;
  markReconnectRequired(shop: ShopRef): Promise<void>;
  /**
   * A mutex: runs one refresh at a time per shop, over all processes of this installation; a process that is gone does not
   * block it. Rejects with TokensHeldError after a minute of waiting, or with the signal's reason if aborted.
   * @param signal ends only the waiting, not a refresh that has begun
   */
  withRefreshLock<T>(shop: ShopRef, refresh: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

/** Another process holds the refresh lock of the shop, or the database cannot be written to. */
export class TokensHeldError extends Error {
  override readonly name = 'TokensHeldError';

  /** @param options `cause`: the database's error, if that was the reason */
  constructor(shop_id: number, options: ErrorOptions) {
    const why = options.cause === undefined ? 'are held by another process' : 'cannot be renewed now';
    super(`the tokens of shop ${shop_id} ${why}`, options);
  }
}

/** Tokens from a seller's consent. */
export type GivenTokenStore = {
  /** @param application that the tokens were issued to, stored with them; null: the installation's own */
  saveTokens(shop: ShopRef, tokens: ShopTokens, application?: Application | null): Promise<void>;
  /** Replaces a shop's tokens, and clears is_reconnect_required. An application without tokens of any shop is deleted. */
  replaceTokens(shop: ShopRef, tokens: ShopTokens, application: Application | null): Promise<void>;
  /** Deletes a shop's tokens, and their application if it has no others. */
  deleteTokens(shop: ShopRef): Promise<void>;
};

export type CategoryStore = {
  findCategorySchema(
    category_id: number,
  ): Promise<{ schema: CategorySchema; fetched_at: string } | undefined>;
  saveCategorySchema(schema: CategorySchema, fetched_at: string): Promise<void>;
  findCategoryTree(): Promise<{ categories: Category[]; fetched_at: string } | undefined>;
  /** The `fetched_at` of the stored tree, without reading its thousands of rows. */
  findCategoryTreeTime(): Promise<string | undefined>;
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

/** `is_used`: a saved listing names it. */
export type SeenUpload = Upload & { is_used: boolean };

/** Cursor among expired uploads. */
export type UploadPlace = Pick<Upload, 'expires_at' | 'account_id' | 'upload_id'>;

export type UploadLink = {
  account_id: string;
  type: UploadType;
  filename: string | null;
  expires_at: string;
};

export type UploadStore = {
  /** Replaces an upload with the same id, if there is one; of two at once, the first stays. Throws QuotaError. */
  createUpload(upload: Lasting<Upload>, most?: Pick<AccountUsage, 'upload_bytes'>): Promise<Upload>;
  findUpload(account_id: string, upload_id: string): Promise<(Upload & { is_expired: boolean }) | undefined>;
  /** Those of the uploads that exist, in no order. */
  findUploads(account_id: string, upload_ids: readonly string[]): Promise<Upload[]>;
  /** Deletes an upload that no saved listing names, and no change that can be undone. False otherwise. */
  deleteUnusedUpload(account_id: string, upload_id: string): Promise<boolean>;
  /** Newest first, including expired uploads that are still kept. `is_used`: only those that a saved listing names, or does not. */
  listUploads(account_id: string, page: UploadsQuery): Promise<Page<SeenUpload>>;
  /**
   * Checks up to `limit` expired uploads of all accounts, the oldest first, and deletes those that no saved listing names.
   * Returns the number deleted and the cursor for the next call, which is undefined after the last one.
   */
  deleteExpiredUploads(
    limit: number,
    after?: UploadPlace,
  ): Promise<{ deleted: number; next: UploadPlace | undefined }>;
  /** Keeps bytes without an upload for 90 days from now, so that a change can be undone. */
  keepFile(account_id: string, sha256: string): Promise<void>;
  /**
   * Those of these bytes that are no longer needed: by no upload, no change that can be undone, and no job that may still
   * have to send them.
   */
  listUnusedBlobs(sha256s: readonly string[]): Promise<string[]>;
  /**
   * One-time addresses: the token is stored only as its SHA-256. An address that a key or a grant requested ends with it.
   * `download`: the file that it serves; without it, it is an address to upload to.
   */
  createUploadLink(
    token_sha256: string,
    link: Lasting<UploadLink> & {
      key_id?: string | undefined;
      grant_id?: string | undefined;
      download?: string;
    },
  ): Promise<void>;
  /** Undefined if unknown, expired or taken. */
  findUploadLink(token_sha256: string): Promise<UploadLink | undefined>;
  /** Undefined if unknown, expired or taken: the first taker wins. */
  takeUploadLink(token_sha256: string): Promise<UploadLink | undefined>;
  /** The same for an address to download from. */
  takeDownloadLink(token_sha256: string): Promise<{ account_id: string; download: string } | undefined>;
};

export type RatesLeft = { remaining_second: number; remaining_day: number };

/** `left_ms`: until it expires; 0 or less if it has. */
type UnsealedContinuation = { text: string; expires_at: string; left_ms: number };

/** Encrypts texts that go to a caller and come back, and remembers which of them were used. */
export type ContinuationStore = {
  /** Encrypted and authenticated for this account, under a key that all processes on this data directory have. */
  seal(account_id: string, text: string, life_ms: number): Promise<{ sealed: string; expires_at: string }>;
  /** Undefined if it was encrypted elsewhere or for another account, or was changed. */
  unseal(account_id: string, sealed: string): Promise<UnsealedContinuation | undefined>;
  /** Uses it up: true for the first call over all processes, which is remembered for `kept_ms`. */
  take(account_id: string, continuation_id: string, kept_ms: number): Promise<boolean>;
  /** Whether it was taken and is still remembered. */
  isTaken(account_id: string, continuation_id: string): Promise<boolean>;
};

export type RateTaken =
  | ({ is_allowed: true } & RatesLeft)
  | { is_allowed: false; window: 'second' | 'day'; retry_after_ms: number };

/** The rate limiter of accounts, over all processes. */
export type RateStore = {
  /** Counts one call if neither window is full, in one transaction, so that two processes never take the same slot. */
  take(account_id: string, limits: { per_second: number; per_day: number }): Promise<RateTaken>;
  /** The calls that are left, without counting one. */
  peek(account_id: string, limits: { per_second: number; per_day: number }): Promise<RatesLeft>;
};

export type Store = {
  accounts: AccountStore;
  sessions: SessionStore;
  grants: OAuthStore;
  shops: ShopStore;
  tokens: TokenStore & GivenTokenStore;
  applications: ApplicationStore;
  connect_requests: ConnectRequestStore;
  categories: CategoryStore;
  uploads: UploadStore;
  listings: ListingStore;
  batches: BatchStore;
  sheets: SheetStore;
  webhooks: WebhookStore;
  continuations: ContinuationStore;
  refreshes: RefreshStore;
  page_tasks: PageTaskStore;
  saved_filters: SavedFilterStore;
  orders: OrderStore;
  listing_hints: ListingHintStore;
  retention: RetentionStore;
  usage: UsageStore;
  rates: RateStore;
  app_limits: AppLimitStore;
  window_counts: WindowCountStore;
  getFigures(): Promise<StoreFigures>;
  /**
   * The id of the data folder that has the files of a database that several computers may share: the first that was given.
   * For a database in the folder itself, the given one.
   */
  keepBlobFolder(folder_id: string): Promise<string>;
  /**
   * The marketplace of a database that several computers may share: the first that was given. For a database in the data
   * folder, the given one.
   */
  keepMarketplace(marketplace: string): Promise<string>;
  /** Why the database cannot be used in its current state, one sentence each; empty if it can. */
  listTroubles(): Promise<string[]>;
  close(): Promise<void>;
};

/**
 * The database's server is gone, is starting or stopping, or has no room for another connection. Nothing was done, except
 * possibly a commit whose answer was lost: a retry finds out. It is temporary.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** Like the errors of the operating system and of SQLite, it has a code. */
  readonly code = 'DATABASE_UNAVAILABLE';
}
