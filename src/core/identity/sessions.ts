import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import type { Randomness, SessionRecord, Store } from '../ports/index.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const LONGEST_MS = 30 * DAY_MS;
/** A session ends after this long without use. */
export const IDLE_MS = 7 * DAY_MS;
/** Recording the use of a session costs at most one write in this time. */
const USED_STEP_MS = 10 * 60 * 1000;
export const LINK_MS = 15 * 60 * 1000;
/** The most attempts to enter a code within LINK_MS, including correct ones: a code has only six digits. */
const MOST_CODES = 5;

export type Session = {
  account_id: string;
  /** The API key it was opened with; null: a sign-in link. */
  key_id: string | null;
  /** Whether the API key may only read. */
  is_read_only: boolean;
  /** The CSRF token of every form of this session; derived from the session's token, which cannot be computed from it. */
  csrf_token: string;
  /** When the session ends; a session that is not used for a week ends earlier. */
  expires_at: string;
};

/** `token`: the cookie's value, only returned here. */
export type NewSession = { token: string; session: Omit<Session, 'is_read_only'> };

/** People who signed in with a browser. A session ends after 30 days, after 7 days without use, by signing out, and with its API key. */
export type Sessions = {
  /** @param key_id the API key that the person signed in with, if any */
  create(account_id: string, key_id?: string): Promise<NewSession>;
  find(token: string): Promise<Session | undefined>;
  end(token: string): Promise<void>;
  /** A sign-in link for a user of this computer: opens one session, within 15 minutes. */
  createLink(account_id: string): Promise<{ token: string; expires_at: string }>;
  /** Whether the link still works; checking does not use it up, since a browser may fetch a page ahead. */
  isLinkOpen(token: string): Promise<boolean>;
  /** Undefined if the link is unknown, expired or used. */
  createByLink(token: string): Promise<NewSession | undefined>;
  /** Six digits that open one session within 15 minutes, for a person who can read them but cannot open a link. */
  createCode(account_id: string): Promise<string>;
  /** Undefined if the code is unknown, expired or used. Throws RATE_LIMIT_SECOND after five tries in 15 minutes. */
  createByCode(code: string): Promise<NewSession | undefined>;
};

export function createSessions({
  store,
  randomness,
}: {
  store: Pick<Store, 'sessions' | 'window_counts'>;
  randomness: Randomness;
}): Sessions {
  const { sessions } = store;

  async function openByHash(token_sha256: string): Promise<NewSession | undefined> {
    const link = await sessions.takeSignInLink(token_sha256);
    return link && create(link.account_id, null);
  }

  async function countTry(): Promise<void> {
    const limit = { max: MOST_CODES, window_ms: LINK_MS };
    const { retry_after_ms } = await store.window_counts.countInWindow('sign-in codes', limit);
    if (retry_after_ms === 0) return;
    throw new ServiceError(
      'RATE_LIMIT_SECOND',
      { code: 'attempts_too_many', params: { of: 'wrong_credentials', is_at_once: false } },
      { retry_after_seconds: retry_after_ms / 1000 },
    );
  }

  async function create(account_id: string, key_id: string | null): Promise<NewSession> {
    const token = buildToken(randomness);
    const record = await sessions.createSession(hash(token), { account_id, key_id, life_ms: LONGEST_MS });
    return { token, session: toSession(token, record) };
  }

  return {
    create: (account_id, key_id) => create(account_id, key_id ?? null),
    async find(token) {
      const record = await sessions.findSession(hash(token), IDLE_MS);
      if (!record) return undefined;
      if (record.unused_ms >= USED_STEP_MS) await sessions.markSessionUsed(hash(token));
      return { ...toSession(token, record), is_read_only: record.is_read_only };
    },
    end: (token) => sessions.deleteSession(hash(token)),
    async createLink(account_id) {
      const token = buildToken(randomness);
      const link = { account_id, life_ms: LINK_MS };
      const { expires_at } = await sessions.createSignInLink(hash(token), link);
      return { token, expires_at };
    },
    // Codes are stored among the links, and attempts at links are not counted.
    isLinkOpen: async (token) =>
      LINK.test(token) && (await sessions.findSignInLink(hash(token))) !== undefined,
    createByLink: async (token) => (LINK.test(token) ? openByHash(hash(token)) : undefined),
    async createCode(account_id) {
      const code = String(randomness.bytes(6).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
      await sessions.createSignInLink(hashCode(code), { account_id, life_ms: LINK_MS });
      return code;
    },
    async createByCode(code) {
      await countTry();
      return openByHash(hashCode(code.replaceAll(/\s/g, '').slice(0, MAX_CODE_CHARS)));
    },
  };
}

function toSession(token: string, { account_id, key_id, expires_at }: SessionRecord) {
  return { account_id, key_id, expires_at, csrf_token: hash(`csrf:${token}`) };
}

function buildToken(randomness: Randomness): string {
  return randomness.bytes(32).toString('base64url');
}

const LINK = /^[A-Za-z0-9_-]{43}$/;
const MAX_CODE_CHARS = 100;

function hashCode(code: string): string {
  return hash(`code ${code}`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
