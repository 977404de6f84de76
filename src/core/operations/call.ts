import type { Warning } from '../../../schemas/job.js';
import type { SeenState } from '../ports/records.js';
import type { StagedFile } from '../ports/media.js';

/**
 * The caller. `key`: an API key. `token`: an OAuth access token. `local`: the user of this computer (stdio, CLI).
 * `session`: a person in the dashboard, whose calls count for no limit.
 */
export type Caller = {
  account_id: string;
  credential: 'key' | 'token' | 'local' | 'session';
  /** Identifies the credential within its kind, such as by the id of the key. */
  credential_id: string;
  /** Present when the credential may only read. */
  restriction?: Restriction | undefined;
};

/**
 * `name`: what restricts the call, as part of a sentence, such as the name of its key. `hint`: how changes can be made nevertheless.
 */
export type Restriction = { name: string; hint: string };

export type Progress = { done: number; total: number; message: string };

/** Listing fees that a person is asked about, in USD. `state`: what the listing is in the shop now; `fee_usd`: 0 if it is free there. */
export type FeeQuestion = {
  shops: readonly { shop_id: number; shop_name: string; state: SeenState; fee_usd: number }[];
  total_usd: number;
};

/**
 * Asks the person about fees. `changed`: the person agreed to other fees than these. `dismissed`: it came back as it does from clients
 * that declare questions and answer them without showing them; a person who cancels looks the same. `unanswered`: nobody answered in time.
 */
export type Consent = (
  question: FeeQuestion,
) => Promise<'accepted' | 'declined' | 'changed' | 'dismissed' | 'unanswered'>;

/** A file that came with the call, already on disk. The transport that made it discards it after the call. */
export type ReceivedFile = StagedFile & { filename: string };

/** Everything about one call that is not its input. */
export type Call = {
  caller: Caller;
  face: 'rest' | 'mcp_http' | 'mcp_stdio' | 'cli' | 'dashboard';
  /** Aborted when the caller stops waiting; the work goes on. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Present when the person can be asked. */
  askConsent?: Consent;
  /** The name that an MCP client gave itself. */
  client_name?: string | undefined;
  /** Value of the Idempotency-Key header. */
  idempotency_key?: string | undefined;
  /** The multipart part `file`. */
  file?: ReceivedFile;
  /** Whether the caller gets this answer whole; left out where every answer is. */
  showsWhole?: (answer: object) => boolean;
  /** The `updated_at` of the listing that the input was made from: the call is refused if the listing was changed since. */
  as_of?: string;
  /** How long the call may block; then it answers `processing`. */
  wait_ms?: number;
  /** Warnings of `invoke` about the input, which it adds to the answer itself. */
  warnings?: readonly Warning[];
};

/** JSON Schema keywords that the advertised schema takes from a rules table, by path: `listing.title`, `images[]`. */
export type Bounds = Readonly<Record<string, Readonly<Record<string, number | string | readonly string[]>>>>;
