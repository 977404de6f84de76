import type { Application } from './applications.js';

/** What a consent that was asked for came to. */
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
  /** Of the application that asks; null: the installation's own. */
  keystring: string | null;
  /** The rest of it, sealed, where the seller has brought it just now; null for one that is known. */
  brought: Omit<Application, 'keystring'> | null;
  /** The shop whose tokens are to be replaced; null: the one that the seller owns. */
  shop_id: number | null;
  /** Of the browser that has to bring the answer; null for any. */
  browser_sha256: string | null;
  /** A path of ours that the seller came from. */
  return_path: string | null;
  expires_at: string;
};

/** What is known of one after it was asked for. */
export type ConnectRequestState = Omit<ConnectRequest, 'code_verifier' | 'brought'> & {
  taken_at: string | null;
  outcome: ConnectOutcome | null;
};

export type ConnectRequestStore = {
  /** Also forgets those whose time was over a day ago, and what is sealed of those whose time is over. */
  createConnectRequest(request: ConnectRequest): Promise<void>;
  findConnectRequest(state_sha256: string): Promise<ConnectRequestState | undefined>;
  /** Undefined when unknown, expired or taken: the first taker wins. What is sealed is handed out once and then gone. */
  takeConnectRequest(state_sha256: string): Promise<ConnectRequest | undefined>;
  finishConnectRequest(account_id: string, state_sha256: string, outcome: ConnectOutcome): Promise<void>;
};
