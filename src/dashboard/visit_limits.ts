import type { Fact } from '../../schemas/issue.js';
import { ServiceError } from '../core/errors.js';
import type { WindowCountStore } from '../core/ports/index.js';
import type { OwnPage } from './page.js';

const WINDOW_MS = 60_000;

/** More than a person sends, even when uploading files one by one. */
const MOST_FORMS = 120;
/** Requests that make the service send something to a receiver or to the marketplace. */
const MOST_OUTWARD = 30;

/** Limits by account, across all instances. Throws RATE_LIMIT_SECOND. */
type CountVisit = (account_id: string, method: string, page: OwnPage) => Promise<void>;

/** The operations of pages do not count as calls, so the pages have limits of their own. */
export function createCountVisit(window_counts: WindowCountStore): CountVisit {
  async function count(subject: string, max: number, problem: Fact): Promise<void> {
    const { retry_after_ms } = await window_counts.countInWindow(subject, { max, window_ms: WINDOW_MS });
    if (retry_after_ms === 0) return;
    throw new ServiceError('RATE_LIMIT_SECOND', problem, { retry_after_seconds: retry_after_ms / 1000 });
  }

  return async (account_id, method, page) => {
    if (method === 'POST') {
      await count(`forms of ${account_id}`, MOST_FORMS, { code: 'forms_too_many', params: {} });
    }
    if (page.is_outward) {
      const problem = { code: 'outward_too_many', params: {} } as const;
      await count(`outward visits of ${account_id}`, MOST_OUTWARD, problem);
    }
  };
}
