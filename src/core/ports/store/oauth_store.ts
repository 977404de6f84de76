import type { Lasting } from './lasting.js';

/**
 * A person's consent to a client. At any time it has at most one valid code, one access token and one refresh
 * token.
 */
export type GrantRecord = {
  account_id: string;
  grant_id: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  code_challenge: string;
  created_at: string;
  /** When the code was exchanged for tokens; null: the client has not exchanged it yet. */
  activated_at: string | null;
  last_used_at: string | null;
  /** When the code expires; after the exchange, when the refresh token does. */
  expires_at: string;
  scope: GrantScope;
};

/** OAuth scope: read only, or write, too. */
export type GrantScope = 'read' | 'read write';

/**
 * The new tokens of an exchange or a refresh, which replace the old ones. Secrets are stored only as hashes.
 */
export type GrantTokens = {
  access_sha256: string;
  access_life_ms: number;
  refresh_sha256: string;
  /** Of the refresh token, and so of the grant. */
  life_ms: number;
};

/** A client that registered itself. */
export type OAuthClient = {
  client_id: string;
  name: string;
  redirect_uris: string[];
  created_at: string;
  expires_at: string;
};

/**
 * A grant is no longer found or listed once it has expired, or the API key that its person signed in with was
 * revoked.
 */
export type OAuthStore = {
  /**
   * Saves a grant with its code, which expires after `life_ms`, and removes expired grants of all accounts.
   * `key_id`: the API key that the person signed in with; null for a sign-in without a key.
   */
  createGrant(
    grant: Omit<Lasting<GrantRecord>, 'activated_at' | 'last_used_at'> & {
      code_sha256: string;
      key_id: string | null;
    },
  ): Promise<void>;
  /** Grants that have tokens, newest first. */
  listGrants(account_id: string): Promise<GrantRecord[]>;
  findGrantByCode(code_sha256: string): Promise<GrantRecord | undefined>;
  /**
   * Finds a grant by any of its refresh tokens, including old ones: all begin with the same secret, and this
   * is its hash.
   */
  findGrantByFamily(family_sha256: string): Promise<GrantRecord | undefined>;
  findGrantByAccess(access_sha256: string): Promise<GrantRecord | undefined>;
  /** Uses up the code and saves the first tokens. False if another call already used it. */
  activateGrant(grant: GrantRecord, tokens: GrantTokens & { family_sha256: string }): Promise<boolean>;
  /** Replaces the tokens. False if this refresh token is not the valid one. */
  rotateGrant(grant: GrantRecord, refresh_sha256: string, tokens: GrantTokens): Promise<boolean>;
  /** Deletes a grant with its tokens. False if the account has no such grant. */
  endGrant(account_id: string, grant_id: string): Promise<boolean>;
  /**
   * Saves a client. Also removes expired clients that no grant names and, among clients without any consent,
   * the oldest beyond `max_unused`.
   */
  createClient(client: Lasting<OAuthClient>, max_unused: number): Promise<OAuthClient>;
  findClient(client_id: string): Promise<OAuthClient | undefined>;
  /**
   * Extends the life of a client that a person gave consent to: it stays for `life_ms` from now on, and while
   * a grant names it.
   */
  keepClient(client_id: string, life_ms: number): Promise<void>;
};
