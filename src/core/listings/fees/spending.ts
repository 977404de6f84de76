import type { Ports } from '../../ports/index.js';
import { buildValidationError } from '../../issues/issues.js';
import type { Issue } from '../../../../schemas/issue.js';
import { SpendingLimitError, type Spending as ActivationSpending } from '../../ports/index.js';
import type { Settings } from '../../settings.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Spending = {
  /** The problem, if any, of so many more activations with MAX_ACTIVATIONS_PER_DAY, for preflight to list with all others. */
  listIssues(account_id: string, wanted: number): Promise<Issue[]>;
  /** For the transaction that makes the job. */
  build(wanted: number): ActivationSpending;
  /** A limit that was reached while this call was being checked, in the words of preflight; anything else as it was. */
  toError(cause: unknown, wanted: number): unknown;
};

export function createSpending({ store }: Ports, settings: Settings): Spending {
  const most = settings.max_activations_per_day;

  function buildIssue(wanted: number): Issue {
    return most === undefined || most === 0
      ? { code: 'activations_off', at: 'state', params: {} }
      : { code: 'activations_limit', at: 'state', params: { most, wanted } };
  }

  return {
    async listIssues(account_id, wanted) {
      if (most === undefined || wanted === 0) return [];
      const spent = await store.listings.countActivations(account_id, DAY_MS);
      return spent + wanted > most ? [buildIssue(wanted)] : [];
    },
    build: (wanted) => ({ wanted, limit: most === undefined ? undefined : { most, window_ms: DAY_MS } }),
    toError: (cause, wanted) =>
      cause instanceof SpendingLimitError ? buildValidationError([buildIssue(wanted)]) : cause,
  };
}
