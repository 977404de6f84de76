import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../text/canonical_json.js';
import type { Ids, Store } from '../ports/index.js';

/** A use is remembered this much longer than the token is valid: a call that began in time may use it minutes later. */
const REMEMBERED_MS = 60 * 60 * 1000;

/**
 * Continuations: the state of a call that waits for its caller, encrypted and stored by the caller, not by the service. Any
 * process of the installation can resume the call, and nothing is left behind if the caller never comes back.
 */
export type Continuations = {
  /**
   * @param subject the method and arguments that the continuation is for; it is refused with others
   * @param memory JSON that comes back unchanged; the caller cannot read it
   */
  issue(account_id: string, subject: unknown, memory: unknown, life_ms: number): Promise<Issued>;
  /** Opens a continuation. Undefined if it was not issued to this account for this subject, or was changed. */
  resume(account_id: string, subject: unknown, continuation: string): Promise<Resumed | undefined>;
};

type Issued = { continuation: string; expires_at: string };

export type Resumed = {
  /** The id of the continuation. */
  id: string;
  memory: unknown;
  is_expired: boolean;
  /** Until it expires. */
  left_ms: number;
  /** Marks the continuation as used. False if it was already used, by this process or another. */
  take(): Promise<boolean>;
};

/** The encrypted content. It is short, since an assistant may have to copy it letter by letter. */
type Sealed = { id: string; subject: string; memory: unknown };

export function createContinuations({
  store,
  ids,
}: {
  store: Pick<Store, 'continuations'>;
  ids: Ids;
}): Continuations {
  return {
    async issue(account_id, subject, memory, life_ms) {
      const content: Sealed = { id: ids.build(''), subject: toDigest(subject), memory };
      const text = JSON.stringify(content);
      const { sealed, expires_at } = await store.continuations.seal(account_id, text, life_ms);
      return { continuation: sealed, expires_at };
    },
    async resume(account_id, subject, continuation) {
      const unsealed = await store.continuations.unseal(account_id, continuation);
      if (!unsealed) return undefined;
      const { text, left_ms } = unsealed;
      // Only text that `issue` wrote can be decrypted.
      const { id, subject: digest, memory } = JSON.parse(text) as Sealed;
      if (digest !== toDigest(subject)) return undefined;
      const take = () => store.continuations.take(account_id, id, left_ms + REMEMBERED_MS);
      return { id, memory, is_expired: left_ms <= 0, left_ms, take };
    },
  };
}

function toDigest(value: unknown): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('base64url');
}
