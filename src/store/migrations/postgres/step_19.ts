import type { ClientBase } from 'pg';
import { convertPublishPlan, PAGE_ROWS } from '../publish_plans.js';

type Row = { account_id: string; job_id: string; plan: string };

/** Plans of publishing have the form of all plans. */
export async function convertPlans(client: ClientBase): Promise<void> {
  let last: Pick<Row, 'account_id' | 'job_id'> | undefined = { account_id: '', job_id: '' };
  while (last) {
    const { rows }: { rows: Row[] } = await client.query<Row>(
      `SELECT account_id, job_id, plan FROM jobs
        WHERE kind = 'publish' AND plan <> 'null' AND (account_id, job_id) > ($1, $2)
        ORDER BY account_id, job_id LIMIT $3`,
      [last.account_id, last.job_id, PAGE_ROWS],
    );
    for (const { account_id, job_id, plan } of rows) {
      await client.query('UPDATE jobs SET plan = $1 WHERE account_id = $2 AND job_id = $3', [
        convertPublishPlan(plan),
        account_id,
        job_id,
      ]);
    }
    last = rows.at(-1);
  }
}
