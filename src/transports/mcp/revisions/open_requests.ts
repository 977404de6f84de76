import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Requests of one client that have no answer yet. Clients reuse ids, so each is known by what it was opened as. */
export type OpenRequests<Entry> = {
  add(client_id: RequestId, entry: Entry): Opened<Entry>;
  has(opened: Opened<Entry>): boolean;
  /** False when it was not open any more. */
  remove(opened: Opened<Entry>): boolean;
  /** The last one that came under the client's id. */
  find(client_id: unknown): Opened<Entry> | undefined;
  list(): Opened<Entry>[];
  count(): number;
  /** Resolves when nothing is open. */
  whenIdle(): Promise<void>;
};

/** `number`: how many came before it. `at`: where it stands among the open ones. */
export type Opened<Entry> = { client_id: RequestId; entry: Entry; number: number; at: number };

export function createOpenRequests<Entry>(): OpenRequests<Entry> {
  // Not a Map: the tables of one that grows and shrinks hold each other in V8, and what is in them, until a full collection.
  const open: Opened<Entry>[] = [];
  let waiting: (() => void)[] = [];
  let count = 0;

  const has = (opened: Opened<Entry>) => open[opened.at] === opened;

  return {
    add(client_id, entry) {
      count += 1;
      const opened = { client_id, entry, number: count, at: open.length };
      open.push(opened);
      return opened;
    },
    has,
    remove(opened) {
      if (!has(opened)) return false;
      const last = open.pop();
      if (last && last !== opened) {
        open[opened.at] = last;
        last.at = opened.at;
      }
      if (open.length === 0 && waiting.length > 0) {
        for (const resolve of waiting) resolve();
        waiting = [];
      }
      return true;
    },
    find: (client_id) =>
      open.reduce<Opened<Entry> | undefined>((found, opened) => {
        const is_later = opened.number > (found?.number ?? 0);
        return opened.client_id === client_id && is_later ? opened : found;
      }, undefined),
    list: () => [...open],
    count: () => open.length,
    whenIdle: () => (open.length === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
