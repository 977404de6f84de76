import type { Lasting } from './lasting.js';

/** A person who signed in with a browser. */
export type SessionRecord = {
  account_id: string;
  /** The API key that opened it; the session ends with the key. Null: a sign-in link opened it. */
  key_id: string | null;
  created_at: string;
  last_used_at: string;
  /** Not extended by use. */
  expires_at: string;
};

/** An open session. `unused_ms`: since its last use. `is_read_only`: its key may only read. */
type OpenSession = SessionRecord & { unused_ms: number; is_read_only: boolean };

export type SignInLink = { account_id: string; expires_at: string };

/**
 * The tokens are the credentials, so these methods take no account; a token is stored only as its SHA-256.
 */
export type SessionStore = {
  /** Also removes expired sessions. */
  createSession(
    token_sha256: string,
    session: Omit<Lasting<SessionRecord>, 'last_used_at'>,
  ): Promise<SessionRecord>;
  /** Undefined if unknown, expired or unused for `idle_ms`, or if its key was revoked or has expired. */
  findSession(token_sha256: string, idle_ms: number): Promise<OpenSession | undefined>;
  markSessionUsed(token_sha256: string): Promise<void>;
  deleteSession(token_sha256: string): Promise<void>;
  /** Also removes expired links. */
  createSignInLink(token_sha256: string, link: Lasting<SignInLink>): Promise<SignInLink>;
  /** Undefined if unknown, expired or taken. */
  findSignInLink(token_sha256: string): Promise<SignInLink | undefined>;
  /** Undefined if unknown, expired or taken: the first taker wins. */
  takeSignInLink(token_sha256: string): Promise<SignInLink | undefined>;
};
