import type { Migration } from '../../../engine/sqlite/migrate.js';
import { convertPublishPlan, PAGE_ROWS } from '../../publish_plans.js';

type Row = { account_id: string; job_id: string; plan: string };

/** Plans of publishing have the form of all plans. */
export const step46: Migration = {
  up(sqlite) {
    const select = sqlite.prepare<[string, string, number], Row>(`
      SELECT account_id, job_id, plan FROM jobs
      WHERE kind = 'publish' AND plan <> 'null' AND (account_id, job_id) > (?, ?)
      ORDER BY account_id, job_id LIMIT ?
    `);
    const update = sqlite.prepare('UPDATE jobs SET plan = ? WHERE account_id = ? AND job_id = ?');
    let last: Pick<Row, 'account_id' | 'job_id'> | undefined = { account_id: '', job_id: '' };
    while (last) {
      const rows: Row[] = select.all(last.account_id, last.job_id, PAGE_ROWS);
      for (const { account_id, job_id, plan } of rows)
        update.run(convertPublishPlan(plan), account_id, job_id);
      last = rows.at(-1);
    }
  },
};
