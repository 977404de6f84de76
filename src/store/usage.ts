import { sql } from 'kysely';
import { QuotaError, type AccountUsage, type UsageStore } from '../core/ports/index.js';
import type { Database } from './database.js';

/** Counted by triggers, so that looking costs the same however much there is. */
function buildUsageQuery({ db }: Pick<Database, 'db'>) {
  return sql<AccountUsage>`
    SELECT coalesce(drafts.total, 0) AS drafts, coalesce(drafts.bytes, 0) AS draft_bytes,
      coalesce(uploads.bytes, 0) AS upload_bytes
    FROM (SELECT ${''} AS account_id) AS account
    LEFT JOIN listing_totals AS drafts ON drafts.account_id = account.account_id AND drafts.status = 'draft'
    LEFT JOIN upload_totals AS uploads ON uploads.account_id = account.account_id`.compile(db);
}

export function createUsageTable(database: Database): UsageStore {
  const find = database.prepareFirst(buildUsageQuery(database));
  return { getUsage: async (account_id) => (await find(account_id)) ?? NOTHING };
}

const NOTHING: AccountUsage = { drafts: 0, draft_bytes: 0, upload_bytes: 0 };

/** For the transaction that adds: any number of additions at once stay inside the limits. It throws QuotaError. */
export function prepareRequireQuota(
  database: Database,
): (account_id: string, added: Partial<AccountUsage>, most: Partial<AccountUsage>) => void {
  const find = database.prepare(() => buildUsageQuery(database));
  return (account_id, added, most) => {
    const used = find.first(account_id) ?? NOTHING;
    for (const quota of ['drafts', 'draft_bytes', 'upload_bytes'] as const) {
      const more = added[quota] ?? 0;
      if (more > 0 && used[quota] + more > (most[quota] ?? Infinity)) throw new QuotaError(quota);
    }
  };
}
