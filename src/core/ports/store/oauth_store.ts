/** What a person allowed a client to do, as kept: at most one code, one access token and one refresh token of it count. */
export type GrantRecord = {
  account_id: string;
  grant_id: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  code_challenge: string;
  created_at: string;
  /** When the code was exchanged for tokens; null: the client has not come for them yet. */
  activated_at: string | null;
  last_used_at: string | null;
  /** The end of the code, and from the exchange on that of the refresh token. */
  expires_at: string;
  scope: GrantScope;
};

/** What a client may do: only look, or change things too. In the words of OAuth. */
export type GrantScope = 'read' | 'read write';

/** All that an exchange or a refresh puts in the place of what counted before. Only hashes of the secrets are kept. */
export type GrantTokens = {
  access_sha256: string;
  access_expires_at: string;
  refresh_sha256: string;
  expires_at: string;
};

/** A client that registered itself. */
export type OAuthClient = {
  client_id: string;
  name: string;
  redirect_uris: string[];
  created_at: string;
  expires_at: string;
};

/** No grant is found or listed any more once the API key is revoked that it was given with. */
export type OAuthStore = {
  /**
   * A grant with its code; removes the grants of all accounts whose time is over. `key_id`: of the person who gave it;
   * null for one who signed in without a key.
   */
  createGrant(
    grant: Omit<GrantRecord, 'activated_at' | 'last_used_at'> & {
      code_sha256: string;
      key_id: string | null;
    },
  ): Promise<void>;
  /** Those with tokens whose time is not over, newest first. */
  listGrants(account_id: string): Promise<GrantRecord[]>;
  findGrantByCode(code_sha256: string): Promise<GrantRecord | undefined>;
  /** Any refresh token of the grant leads to it, however old: all begin with the same secret, and this is its hash. */
  findGrantByFamily(family_sha256: string): Promise<GrantRecord | undefined>;
  /** Undefined when unknown or expired. */
  findGrantByAccess(access_sha256: string): Promise<GrantRecord | undefined>;
  /** Uses the code up. False when another call did before. */
  activateGrant(grant: GrantRecord, tokens: GrantTokens & { family_sha256: string }): Promise<boolean>;
  /** False when the refresh token is not, or no longer, the one that counts. */
  rotateGrant(grant: GrantRecord, refresh_sha256: string, tokens: GrantTokens): Promise<boolean>;
  /** With all that belongs to it. False when the account has no such grant. */
  endGrant(account_id: string, grant_id: string): Promise<boolean>;
  /**
   * Removes the clients whose time is over and that no grant names, and of those without any consent the
   * oldest beyond `max_unused`.
   */
  createClient(client: OAuthClient, max_unused: number): Promise<void>;
  findClient(client_id: string): Promise<OAuthClient | undefined>;
  /** A person allowed it something: it stays until `expires_at`, and while a grant names it. */
  keepClient(client_id: string, expires_at: string): Promise<void>;
};
