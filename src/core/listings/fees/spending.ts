import type { Ports } from '../../ports/index.js';
import { buildValidationError } from '../../issues/issues.js';
import type { Issue } from '../../../../schemas/issue.js';
import { SpendingLimitError, type Spending as ActivationSpending } from '../../ports/index.js';
import type { BatchPart } from '../../operations/call.js';
import type { Settings } from '../../settings.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Spending = {
  /** How many more activations MAX_ACTIVATIONS_PER_DAY allows now. */
  countLeft(account_id: string): Promise<number>;
  /**
   * The problem, if any, of this many more activations with MAX_ACTIVATIONS_PER_DAY, for preflight to list with all
   * others.
   */
  listIssues(account_id: string, wanted: number, batch?: BatchPart): Promise<Issue[]>;
  /** For the transaction that creates the job. @param batch the batch that has already claimed them */
  build(wanted: number, batch?: BatchPart): ActivationSpending;
  /** Converts a limit reached during this call's checks to preflight's error; returns any other error unchanged. */
  toError(cause: unknown, wanted: number): unknown;
};

export function createSpending({ store }: Ports, settings: Settings): Spending {
  const most = settings.max_activations_per_day;

  function buildIssue(wanted: number): Issue {
    return most === undefined || most === 0
      ? { code: 'activations_off', at: 'state', params: {} }
      : { code: 'activations_limit', at: 'state', params: { most, wanted } };
  }

  async function countLeft(account_id: string): Promise<number> {
    if (most === undefined) return Infinity;
    return Math.max(0, most - (await store.listings.countActivations(account_id, DAY_MS)));
  }

  return {
    countLeft,
    async listIssues(account_id, wanted, batch) {
      if (wanted === 0 || batch?.job_id !== undefined) return [];
      return wanted > (await countLeft(account_id)) ? [buildIssue(wanted)] : [];
    },
    build: (wanted, batch) => ({
      wanted,
      limit: most === undefined ? undefined : { most, window_ms: DAY_MS },
      claimed_by: batch?.job_id,
    }),
    toError: (cause, wanted) =>
      cause instanceof SpendingLimitError ? buildValidationError([buildIssue(wanted)]) : cause,
  };
}
