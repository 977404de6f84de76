import { keepLast } from '../core/keep_last.js';
import type { Clock, Log } from '../core/ports/index.js';
import type { Database } from './database.js';

/** What is used all the time costs one write a minute. */
const STEP_MS = 60_000;
/** A note waits this long at most, for the others that go with it. */
const FLUSH_MS = 1_000;

type Use = { account_id: string; id: string; at: string };

/** When keys and grants were last used: noted in memory and written soon after, so that no call waits for the disk. */
export type LastUsed = {
  /** @param before what the row says; answers what it will say */
  note(
    table: 'api_keys' | 'grants',
    row: { account_id: string; id: string },
    before: string | null,
  ): string | null;
  /** Writes what is noted. For those who want to read it. */
  flush(): Promise<void>;
};

export function createLastUsed(database: Database, clock: Clock, log: Log): LastUsed {
  const noted = { api_keys: new Map<string, Use>(), grants: new Map<string, Use>() };
  const toMs = keepLast(Date.parse);
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const keys = [...noted.api_keys.values()];
    const grants = [...noted.grants.values()];
    if (keys.length + grants.length === 0) return;
    await database.write(async (trx) => {
      for (const { account_id, id, at } of keys) {
        await trx
          .updateTable('api_keys')
          .set({ last_used_at: at })
          .where('account_id', '=', account_id)
          .where('key_id', '=', id)
          .execute();
      }
      for (const { account_id, id, at } of grants) {
        await trx
          .updateTable('grants')
          .set({ last_used_at: at })
          .where('account_id', '=', account_id)
          .where('grant_id', '=', id)
          .execute();
      }
    });
    forget(noted.api_keys, keys);
    forget(noted.grants, grants);
  }

  return {
    note(table, { account_id, id }, before) {
      const uses = noted[table];
      const name = `${account_id} ${id}`;
      const last = (uses.size > 0 ? uses.get(name)?.at : undefined) ?? before;
      const now = clock.now();
      if (last !== null && now.getTime() - toMs(last) < STEP_MS) return last;
      const at = now.toISOString();
      uses.set(name, { account_id, id, at });
      timer ??= setTimeout(() => {
        flush().catch((error: unknown) => log.warn('when keys were used could not be written', { error }));
      }, FLUSH_MS).unref();
      return at;
    },
    flush,
  };
}

/** What was noted anew while the others were written stays. */
function forget(noted: Map<string, Use>, written: readonly Use[]): void {
  for (const use of written) {
    const name = `${use.account_id} ${use.id}`;
    if (noted.get(name) === use) noted.delete(name);
  }
}
