import { sql } from 'kysely';
import { QuotaError, type AccountUsage } from '../core/ports/index.js';
import type { Database } from './database.js';

type DraftUsage = Pick<AccountUsage, 'drafts' | 'draft_bytes'>;

/** For the transaction that adds: any number of additions at once stay inside the limits. It throws QuotaError. */
export function prepareRequireQuota(
  database: Database,
): (account_id: string, added: Partial<DraftUsage>, most: Partial<DraftUsage>) => void {
  const find = database.prepare(() =>
    sql<DraftUsage>`
      SELECT total AS drafts, bytes AS draft_bytes FROM listing_totals
      WHERE account_id = ${''} AND status = 'draft'`.compile(database.db),
  );
  return (account_id, added, most) => {
    const used = find.first(account_id) ?? { drafts: 0, draft_bytes: 0 };
    for (const quota of ['drafts', 'draft_bytes'] as const) {
      const more = added[quota] ?? 0;
      if (more > 0 && used[quota] + more > (most[quota] ?? Infinity)) throw new QuotaError(quota);
    }
  };
}
