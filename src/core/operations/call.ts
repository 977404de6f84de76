import type { FieldDifference } from '../../../schemas/field_ref.js';
import type { Restriction } from '../../../schemas/issues/access.js';
import type { Warning } from '../../../schemas/job.js';
import type { SeenState, Progress } from '../ports/records.js';
import type { ListingSnapshot } from '../ports/listing/snapshot.js';
import type { DraftListing } from '../ports/marketplace_listing.js';
import type { StagedFile } from '../ports/media.js';

/**
 * The caller. `key`: an API key. `token`: an OAuth access token. `local`: the user of this computer (stdio, CLI).
 * `session`: a person in the dashboard, whose calls do not count toward any limit.
 */
export type Caller = {
  account_id: string;
  credential: 'key' | 'token' | 'local' | 'session';
  /** Identifies the credential within its kind, such as by the id of the key. */
  credential_id: string;
  /** Set if the credential may only read. */
  restriction?: Restriction | undefined;
};

/**
 * Listing fees to ask a person about, in USD. `state`: the listing's current state in the shop; `fee_usd`: 0 if it is free
 * there.
 */
export type FeeQuestion = {
  /** The number of listings; left out for a single one. */
  listings?: number | undefined;
  shops: readonly { shop_id: number; shop_name: string; state: SeenState; fee_usd: number }[];
  total_usd: number;
};

/**
 * Asks the person about fees. `changed`: the person agreed to fees other than these. `dismissed`: the answer looks like that
 * of a client that declares questions and answers them without showing them; a person who cancels looks the same.
 * `unanswered`: nobody answered in time.
 */
export type Consent = (
  question: FeeQuestion,
) => Promise<'accepted' | 'declined' | 'changed' | 'dismissed' | 'unanswered'>;

/** A file that came with the call, already on disk. The transport that received it discards it after the call. */
export type ReceivedFile = StagedFile & { filename: string };

/** The part that a batch passes to a single change that it plans or makes. Maps are by shop id. */
export type BatchPart = {
  /** Parts of the listing that were just read, so that a dry run does not read them again. */
  read?: ReadonlyMap<number, Partial<ListingSnapshot>>;
  /** Called with the differences that a dry run shows for a shop. */
  onShown?: (shop_id: number, diff: readonly FieldDifference[]) => void;
  /** Called with the listing that a dry run of a copy would create in a shop. */
  onCopied?: (shop_id: number, draft: DraftListing) => void;
  /** The differences that the plan showed: a field that has changed since is not written. */
  shown?: ReadonlyMap<number, readonly FieldDifference[]>;
  /** Stock sold since the plan counts as changed, because new quantities were computed from it. */
  holds_stock?: boolean;
  /** Jobs that will have been undone before the one that a dry run undoes. */
  undone?: readonly { job_id: string; shop_ids: readonly number[] }[];
  batch_id?: string;
  /** The job that claimed the activations of the whole batch. */
  job_id?: string;
};

type Row = { listing_pk: number; shop_id: number };

/**
 * A plan that batch_create or batch_undo makes again, without some of its rows. The new plan replaces it. `overwrites`: the
 * rows whose manual edits it replaces.
 */
export type Replan = { batch_id: string; left_out: readonly Row[]; overwrites: readonly Row[] };

/** Everything about one call except its input. */
export type Call = {
  caller: Caller;
  face: 'rest' | 'mcp_http' | 'mcp_stdio' | 'cli' | 'dashboard';
  /** Aborted when the caller stops waiting; the work continues. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Set if the person can be asked. */
  askConsent?: Consent;
  /**
   * Shows the person a text that the assistant does not see; rejects if it could not be shown. Set if the person can be
   * asked.
   */
  showToPerson?: (text: string) => Promise<void>;
  /** The name that an MCP client gave itself. */
  client_name?: string | undefined;
  /** Value of the Idempotency-Key header. */
  idempotency_key?: string | undefined;
  /** The multipart part `file`. */
  file?: ReceivedFile;
  /** Whom warnings are worded for; default: programs. */
  words?: 'program' | 'seller';
  /** Whether the caller gets the whole of this answer; left out if it gets every answer whole. */
  showsWhole?: (answer: object) => boolean;
  /** The `updated_at` of the listing that the input is based on: the call is refused if the listing was changed since. */
  as_of?: string;
  /** Makes listing_update take a saved draft out of these shops. */
  leaves_shops?: readonly number[];
  /** Makes batch_cancel leave a batch alone that was started in the meantime. */
  spares_started?: boolean;
  replan?: Replan;
  /** Set for a single change of a batch. */
  batch?: BatchPart;
  /** How long the call may block; after that it answers `processing`. */
  wait_ms?: number;
  /** Warnings of `invoke` about the input; `invoke` adds them to the answer itself. */
  warnings?: readonly Warning[];
};

/** JSON Schema keywords that the advertised schema takes from a rules table, by path: `listing.title`, `images[]`. */
export type Bounds = Readonly<Record<string, Readonly<Record<string, number | string | readonly string[]>>>>;

/** A success over REST or in the dashboard that is a file. `filename`: ASCII, without quotation marks. */
export type AnswerFile = { bytes: Buffer; content_type: string; filename: string };
