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
  // Not a Map: the tables of one that grows and shrinks hold each other in V8, and what is in them, until a full collection.
  const open: Record<RequestId, Opened<Entry>> = {};
  const waiting = new Set<() => void>();
  let count = 0;
  // From 1: the SDK takes an id of 0 for none when it cancels.
  let last_id = 0;
  const get = (id: RequestId) => (Object.hasOwn(open, id) ? open[id] : undefined);
  const ids = () => Object.keys(open).map(Number);

  return {
    add(client_id, entry) {
      last_id += 1;
      open[last_id] = { client_id, entry };
      count += 1;
      return last_id;
    },
    get,
    remove(id) {
      const found = get(id);
      if (!found) return undefined;
      delete open[id];
      count -= 1;
      if (count === 0) {
        for (const resolve of waiting) resolve();
        waiting.clear();
      }
      return found;
    },
    find: (client_id) => ids().findLast((id) => open[id]?.client_id === client_id),
    ids,
    count: () => count,
    whenIdle: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve))),
  };
}
