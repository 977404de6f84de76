import { crc32 } from 'node:zlib';
import { ServiceError } from '../errors.js';
import { buildValidationError } from '../issues/issues.js';
import type { Account, ApiKey, Ids, Randomness, Store } from '../ports/index.js';
import { checkName } from './check_name.js';
import { hashSecret, buildSecret, toBase62 } from './secret.js';

const MAX_NAME_CHARS = 80;

/**
 * `life_ms`: the key expires after this time. `made_with`: the key that the person who creates it signed in with; the new key
 * neither outlives it nor has more rights. Null or left out: none.
 */
export type KeyLimits = { life_ms?: number; is_read_only?: boolean; made_with?: string | null };

type NewKey = { key: string; key_id: string; expires_at: string | null };

export type Accounts = {
  /** The account that stdio and the CLI act for. */
  getDefault(): Promise<Account>;
  list(): Promise<Account[]>;
  /** By its name or its id. */
  find(name_or_id: string): Promise<Account | undefined>;
  /** Throws VALIDATION_FAILED if the name is taken, empty or too long. */
  create(name: string): Promise<Account>;
  rename(account_id: string, name: string): Promise<void>;
  /** Undefined if it is malformed, unknown or revoked. Throws ExpiredKeyError. */
  findKey(key: string): Promise<ApiKey | undefined>;
  /** The key itself is only returned here. Throws VALIDATION_FAILED if the name is empty or too long. */
  createKey(account_id: string, name: string, limits?: KeyLimits): Promise<NewKey>;
  listKeys(account_id: string): Promise<ApiKey[]>;
  revokeKey(account_id: string, key_id: string): Promise<boolean>;
  hasKeys(): Promise<boolean>;
};

/** A key that was once valid, so it does not count as a guess. */
export class ExpiredKeyError extends ServiceError {
  readonly expired_at: string;

  constructor(expired_at: string) {
    super(
      'UNAUTHORIZED',
      { code: 'api_key_expired', params: { expired_at } },
      { hint: 'Use another key (listing-service keys create makes one).' },
    );
    this.expired_at = expired_at;
  }
}

/** For a page that shows it itself; rethrows other errors. */
export function toExpiredKey(cause: unknown): ExpiredKeyError {
  if (cause instanceof ExpiredKeyError) return cause;
  throw cause;
}

export function createAccounts({
  store,
  ids,
  randomness,
}: {
  store: Store;
  ids: Ids;
  randomness: Randomness;
}): Accounts {
  const { accounts } = store;
  return {
    getDefault: () => accounts.getDefaultAccount(),
    list: () => accounts.listAccounts(),
    async findKey(key) {
      const found = await accounts.findKeyByHash(hashSecret(key));
      if (found?.is_expired) throw new ExpiredKeyError(found.expires_at ?? '');
      return found;
    },
    async find(name_or_id) {
      const all = await accounts.listAccounts();
      return (
        all.find(({ name }) => name === name_or_id) ?? all.find(({ account_id }) => account_id === name_or_id)
      );
    },
    async create(name) {
      // Creates the default account first, so that no other one can take its name.
      await accounts.getDefaultAccount();
      await checkAccountName(name);
      return accounts.createAccount(name);
    },
    async rename(account_id, name) {
      await checkAccountName(name, account_id);
      await accounts.renameAccount(account_id, name);
    },
    async createKey(account_id, name, { life_ms, is_read_only = false, made_with = null } = {}) {
      checkName(name, MAX_NAME_CHARS);
      const key = buildKey(randomness);
      const key_id = ids.build('key_');
      const created = await accounts.createKey({
        key_id,
        account_id,
        name,
        prefix: key.slice(0, 8),
        key_sha256: hashSecret(key),
        is_read_only,
        life_ms: life_ms ?? null,
        made_with,
      });
      if (!created) {
        throw new ServiceError(
          'UNAUTHORIZED',
          { code: 'sign_in_key_revoked', params: {} },
          { hint: 'Sign in again with another one.' },
        );
      }
      return { key, key_id, expires_at: created.expires_at };
    },
    listKeys: (account_id) => accounts.listKeys(account_id),
    revokeKey: (account_id, key_id) => accounts.revokeKey(account_id, key_id),
    hasKeys: async () => (await accounts.countKeys()) > 0,
  };

  async function checkAccountName(name: string, own_id?: string): Promise<void> {
    checkName(name, MAX_NAME_CHARS);
    const others = (await accounts.listAccounts()).filter(({ account_id }) => account_id !== own_id);
    // The command line takes an id as well as a name.
    if (others.some((other) => other.name === name || other.account_id === name)) {
      throw buildValidationError([{ code: 'name_taken', at: 'name', params: {} }]);
    }
  }
}

const PREFIX = 'mls_';
const CHECKSUM_DIGITS = 6;

/** `mls_`, 32 random bytes in base62, and a checksum by which secret scanners recognize a real key. */
function buildKey(randomness: Randomness): string {
  const secret = buildSecret(randomness);
  return PREFIX + secret + toBase62(BigInt(crc32(secret)), CHECKSUM_DIGITS);
}
