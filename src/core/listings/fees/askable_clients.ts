import { createHash } from 'node:crypto';
import type { Call } from '../../operations/call.js';
import type { Ports } from '../../ports/index.js';
import { toCanonicalJson } from '../../text/canonical_json.js';

/** How long a client is remembered to show questions to its person. */
const KNOWN_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Which clients show questions to their person. Some declare that they can and dismiss each question by themselves, as a person may
 * dismiss one too. A client (a credential and the name that the client gave itself) whose person has answered once is believed from
 * then on. Kept in the store, so that it holds after a restart and on every instance.
 */
export type AskableClients = {
  isKnown(call: Call): Promise<boolean>;
  /** Remembers that the client's person answered a question. */
  learn(call: Call): Promise<void>;
  /**
   * Whether this is the first time that the client dismissed the question about this request.
   * @param forget_ms how long a dismissal counts
   */
  isFirstDismissal(call: Call, request: unknown, forget_ms: number): Promise<boolean>;
};

export function createAskableClients({ store: { continuations } }: Pick<Ports, 'store'>): AskableClients {
  return {
    isKnown: (call) => continuations.isTaken(call.caller.account_id, nameClient(call)),
    async learn(call) {
      await continuations.take(call.caller.account_id, nameClient(call), KNOWN_MS);
    },
    isFirstDismissal: (call, request, forget_ms) => {
      const name = `dismissed_${toDigest([nameClient(call), request])}`;
      return continuations.take(call.caller.account_id, name, forget_ms);
    },
  };
}

function nameClient({ caller: { credential, credential_id }, client_name = '' }: Call): string {
  return `client_${toDigest([credential, credential_id, client_name])}`;
}

function toDigest(value: unknown): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('base64url');
}
