import type { Application } from './applications.js';
import type { Lasting } from './lasting.js';

/** The outcome of a request for a seller's consent. */
export type ConnectOutcome =
  | {
      ok: true;
      shop_id: number;
      shop_name: string;
      currency_code: string;
      /** True if the shop was connected before: its tokens were replaced. */
      is_known: boolean;
      /** Older than the connecting if the shop was known and could not be read again. */
      last_synced_at: string;
    }
  | { ok: false; message: string; hint: string };

/**
 * A request for a seller's consent. The state is stored only as its SHA-256; the verifier and an
 * application's secrets are encrypted.
 */
export type ConnectRequest = {
  account_id: string;
  state_sha256: string;
  code_verifier: string;
  redirect_uri: string;
  /** The application that requests consent; null: the installation's own. */
  keystring: string | null;
  /** The application's secrets, encrypted, if it is a new one; null for a known application. */
  brought: Omit<Application, 'keystring'> | null;
  /** The shop whose tokens to replace; null: the shop that the seller owns. */
  shop_id: number | null;
  /** Hash of the cookie of the browser that must bring the answer; null for any browser. */
  browser_sha256: string | null;
  /** Path on this service that the seller came from and is sent back to. */
  return_path: string | null;
  expires_at: string;
};

/** A request for consent and its progress, without its secrets. */
export type ConnectRequestState = Omit<ConnectRequest, 'code_verifier' | 'brought'> & {
  is_expired: boolean;
  taken_at: string | null;
  outcome: ConnectOutcome | null;
};

export type ConnectRequestStore = {
  /** Also deletes requests that expired more than a day ago, and the encrypted parts of expired ones. */
  createConnectRequest(request: Lasting<ConnectRequest>): Promise<{ expires_at: string }>;
  findConnectRequest(state_sha256: string): Promise<ConnectRequestState | undefined>;
  /**
   * Undefined if unknown, expired or taken: the first taker wins. The encrypted parts are returned once and
   * then deleted.
   */
  takeConnectRequest(state_sha256: string): Promise<ConnectRequest | undefined>;
  finishConnectRequest(account_id: string, state_sha256: string, outcome: ConnectOutcome): Promise<void>;
};
