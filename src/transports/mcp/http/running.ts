import type { Caller } from '../../../core/operations/call.js';

/** Requests that this instance is answering, so that a notification in a POST of its own can cancel one. */
type Running = {
  /** Returns how to remove the request. */
  add(caller: Caller, id: unknown, canceling: AbortController): () => void;
  cancel(caller: Caller, id: unknown): void;
};

export function createRunning(): Running {
  const running = new Map<string, Set<AbortController>>();
  return {
    add(caller, id, canceling) {
      const key = toKey(caller, id);
      const known = running.get(key) ?? new Set();
      running.set(key, known.add(canceling));
      return () => {
        known.delete(canceling);
        if (known.size === 0 && running.get(key) === known) running.delete(key);
      };
    },
    cancel(caller, id) {
      const [canceling, ...others] = running.get(toKey(caller, id)) ?? [];
      // Clients count their requests from 0: several clients with one key may each be running a request with this id.
      if (others.length === 0) canceling?.abort('The client canceled the request.');
    },
  };
}

function toKey({ account_id, credential_id }: Caller, id: unknown): string {
  return JSON.stringify([account_id, credential_id, id]);
}
