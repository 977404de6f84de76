import type { Transaction } from 'kysely';
import type { UploadPlace, UploadStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { isNamed } from './named.js';
import { deleteUnnamed } from './unnamed.js';

/** Deletes expired uploads that nothing refers to, each account's in a transaction of its own. */
export function createUploadSweep(engine: Engine<Tables>): Pick<UploadStore, 'deleteExpiredUploads'> {
  const { read, write } = engine;
  return {
    async deleteExpiredUploads(limit, after) {
      const seen = await read(async (trx) => listExpired(trx, await engine.now(trx), limit, after));
      let deleted = 0;
      for (const [account_id, upload_ids] of groupUnnamed(seen)) {
        deleted += await write((trx) => deleteUnnamed(trx, account_id, upload_ids));
      }
      return { deleted, next: seen.length < limit ? undefined : toPlace(seen.at(-1)) };
    },
  };
}

function toPlace(last: Seen | undefined): UploadPlace | undefined {
  if (!last) return undefined;
  const { expires_at, account_id, upload_id } = last;
  return { expires_at, account_id, upload_id };
}

type Seen = UploadPlace & { is_named: unknown };

function listExpired(
  trx: Transaction<Tables>,
  now: string,
  limit: number,
  after?: UploadPlace,
): Promise<Seen[]> {
  return trx
    .selectFrom('uploads')
    .select((eb) => ['expires_at', 'account_id', 'upload_id', isNamed(eb).as('is_named')])
    .where('expires_at', '<=', now)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('expires_at', 'account_id', 'upload_id'),
          '>',
          tuple(after?.expires_at ?? '', after?.account_id ?? '', after?.upload_id ?? ''),
        ),
      ),
    )
    .orderBy('expires_at')
    .orderBy('account_id')
    .orderBy('upload_id')
    .limit(limit)
    .execute();
}

function groupUnnamed(seen: readonly Seen[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { account_id, upload_id, is_named } of seen) {
    if (!is_named) groups.set(account_id, [...(groups.get(account_id) ?? []), upload_id]);
  }
  return groups;
}
