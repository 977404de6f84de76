/** What a consent that was asked for came to. */
export type ConnectOutcome =
  | {
      ok: true;
      shop_id: number;
      shop_name: string;
      currency_code: string;
      /** True when the shop was connected before: its grant was replaced. */
      is_known: boolean;
      /** Older than the connecting when the shop was known and could not be read anew. */
      last_synced_at: string;
    }
  | { ok: false; message: string; hint: string };

/** A seller's consent that was asked for. The state itself is not kept, only its SHA-256; the verifier is sealed. */
export type ConnectRequest = {
  account_id: string;
  state_sha256: string;
  code_verifier: string;
  redirect_uri: string;
  /** The shop whose grant is to be replaced; null for whichever the seller owns. */
  shop_id: number | null;
  /** Of the browser that has to bring the answer; null for any. */
  browser_sha256: string | null;
  /** A path of ours that the seller came from. */
  return_path: string | null;
  expires_at: string;
};

/** What is known of one after it was asked for. */
export type ConnectRequestState = Omit<ConnectRequest, 'code_verifier'> & {
  taken_at: string | null;
  outcome: ConnectOutcome | null;
};

export type ConnectRequestStore = {
  /** Also forgets those whose time was over a day ago. */
  createConnectRequest(request: ConnectRequest): Promise<void>;
  findConnectRequest(state_sha256: string): Promise<ConnectRequestState | undefined>;
  /** Undefined when unknown, expired or taken: the first taker wins. The verifier is handed out once and then gone. */
  takeConnectRequest(state_sha256: string): Promise<ConnectRequest | undefined>;
  finishConnectRequest(account_id: string, state_sha256: string, outcome: ConnectOutcome): Promise<void>;
};
