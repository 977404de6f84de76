import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Requests of one client that have no answer yet. Clients reuse ids, so each gets one of ours. */
export type OpenRequests<Entry> = {
  /** Returns our id. */
  add(client_id: RequestId, entry: Entry): number;
  get(id: RequestId): Opened<Entry> | undefined;
  /** Undefined when it was not open any more. */
  remove(id: RequestId): Opened<Entry> | undefined;
  /** Our id of the last one that came under the client's id. */
  find(client_id: unknown): number | undefined;
  ids(): number[];
  count(): number;
  /** Resolves when nothing is open. */
  whenIdle(): Promise<void>;
};

type Opened<Entry> = { client_id: RequestId; entry: Entry };

export function createOpenRequests<Entry>(): OpenRequests<Entry> {
  const open = new Map<RequestId, Opened<Entry>>();
  const waiting = new Set<() => void>();
  // From 1: the SDK takes an id of 0 for none when it cancels.
  let last_id = 0;

  return {
    add(client_id, entry) {
      last_id += 1;
      open.set(last_id, { client_id, entry });
      return last_id;
    },
    get: (id) => open.get(id),
    remove(id) {
      const found = open.get(id);
      open.delete(id);
      if (open.size === 0) {
        for (const resolve of waiting) resolve();
        waiting.clear();
      }
      return found;
    },
    find: (client_id) => [...open].findLast(([, opened]) => opened.client_id === client_id)?.[0] as number,
    ids: () => [...open.keys()] as number[],
    count: () => open.size,
    whenIdle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve))),
  };
}
