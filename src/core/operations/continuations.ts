import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../text/canonical_json.js';
import type { Clock, Ids, Store } from '../ports/index.js';

/** A use is remembered this much longer than the token is valid: a call that began in time may use it minutes later. */
const REMEMBERED_MS = 60 * 60 * 1000;

/**
 * Continuations: the state of a call that waits for its caller, sealed and kept by the caller, not by the service. Any process of
 * the installation can go on with the call, and nothing is left behind when the caller never comes back.
 */
export type Continuations = {
  /**
   * @param subject the method and arguments that the continuation is for; with others it is refused
   * @param memory JSON that comes back unchanged; the caller cannot read it
   */
  issue(account_id: string, subject: unknown, memory: unknown, lifetime_ms: number): Promise<string>;
  /** Opens a continuation. Undefined when it was not issued to this account for this subject, or was changed. */
  resume(account_id: string, subject: unknown, continuation: string): Promise<Resumed | undefined>;
};

export type Resumed = {
  /** The id of the continuation. */
  id: string;
  memory: unknown;
  is_expired: boolean;
  /** Marks the continuation as used. False when it was used before, by this process or another. */
  take(): Promise<boolean>;
};

/** The sealed content. It is short, since an assistant may have to copy it letter by letter. `until`: epoch milliseconds. */
type Sealed = { id: string; subject: string; until: number; memory: unknown };

export function createContinuations({
  store,
  clock,
  ids,
}: {
  store: Pick<Store, 'continuations'>;
  clock: Clock;
  ids: Ids;
}): Continuations {
  return {
    issue(account_id, subject, memory, lifetime_ms) {
      const sealed: Sealed = {
        id: ids.build(''),
        subject: toDigest(subject),
        until: clock.now().getTime() + lifetime_ms,
        memory,
      };
      return store.continuations.seal(account_id, JSON.stringify(sealed));
    },
    async resume(account_id, subject, continuation) {
      const text = await store.continuations.unseal(account_id, continuation);
      if (text === undefined) return undefined;
      // Only what `issue` wrote can be unsealed.
      const sealed = JSON.parse(text) as Sealed;
      if (sealed.subject !== toDigest(subject)) return undefined;
      const { id, until, memory } = sealed;
      return {
        id,
        memory,
        is_expired: until <= clock.now().getTime(),
        take: () => store.continuations.take(account_id, id, new Date(until + REMEMBERED_MS).toISOString()),
      };
    },
  };
}

function toDigest(value: unknown): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('base64url');
}
