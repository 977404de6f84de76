import type { Application } from './applications.js';
import type { Lasting } from './lasting.js';

/** The outcome of a consent that a seller was asked for. */
export type ConnectOutcome =
  | {
      ok: true;
      shop_id: number;
      shop_name: string;
      currency_code: string;
      /** True when the shop was connected before: its tokens were replaced. */
      is_known: boolean;
      /** Older than the connecting when the shop was known and could not be read anew. */
      last_synced_at: string;
    }
  | { ok: false; message: string; hint: string };

/** A seller's consent that was asked for. The state itself is not kept, only its SHA-256; the verifier and an application's secrets are sealed. */
export type ConnectRequest = {
  account_id: string;
  state_sha256: string;
  code_verifier: string;
  redirect_uri: string;
  /** The application that asks; null: the installation's own. */
  keystring: string | null;
  /** The application's secrets, sealed, when it is a new one; null for a known application. */
  brought: Omit<Application, 'keystring'> | null;
  /** The shop whose tokens are to be replaced; null: the one that the seller owns. */
  shop_id: number | null;
  /** Hash of the cookie of the browser that has to bring the answer; null for any browser. */
  browser_sha256: string | null;
  /** Path on this service that the seller came from and is sent back to. */
  return_path: string | null;
  expires_at: string;
};

/** A request for consent and how far it is; without its secrets. */
export type ConnectRequestState = Omit<ConnectRequest, 'code_verifier' | 'brought'> & {
  is_expired: boolean;
  taken_at: string | null;
  outcome: ConnectOutcome | null;
};

export type ConnectRequestStore = {
  /** Also deletes requests that expired more than a day ago, and the sealed parts of expired ones. */
  createConnectRequest(request: Lasting<ConnectRequest>): Promise<{ expires_at: string }>;
  findConnectRequest(state_sha256: string): Promise<ConnectRequestState | undefined>;
  /** Undefined when unknown, expired or taken: the first taker wins. The sealed parts are handed out once and then deleted. */
  takeConnectRequest(state_sha256: string): Promise<ConnectRequest | undefined>;
  finishConnectRequest(account_id: string, state_sha256: string, outcome: ConnectOutcome): Promise<void>;
};
