import type { Ports } from '../core.js';
import { buildValidationError, cleanForeign, ServiceError, type Issue } from '../errors.js';
import type { Call } from '../operation.js';
import { SpendingLimitError, type SpendingLimit } from '../ports/index.js';
import type { Settings } from '../settings.js';
import { toUsd } from './answers.js';
import { MARKETPLACE_FACTS } from './marketplace_facts.js';
import type { ShopPlan } from './plan.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Spending = {
  /** What MAX_ACTIVATIONS_PER_DAY has against so many more activations, for preflight to tell with everything else. */
  listIssues(account_id: string, wanted: number): Promise<Issue[]>;
  /** Asks before money is spent, where someone can be asked. Throws ACTIVATION_DECLINED; nothing has been persisted then. */
  askConsent(shops: readonly ShopPlan[], call: Call): Promise<void>;
  /** For the transaction that makes the job; undefined without a limit. */
  buildLimit(wanted: number): SpendingLimit | undefined;
  /** A limit that was reached while this call was being checked, in the words of preflight; anything else as it was. */
  toError(cause: unknown, wanted: number): unknown;
};

export function createSpending({ store, clock }: Ports, settings: Settings): Spending {
  const most = settings.max_activations_per_day;

  function getSince(): string {
    return new Date(clock.now().getTime() - DAY_MS).toISOString();
  }

  function buildIssue(wanted: number): Issue {
    const message = `active would be more than ${most} activations in 24 hours (${wanted} more are asked for); use publish, wait, or raise MAX_ACTIVATIONS_PER_DAY`;
    return { path: 'state', message };
  }

  return {
    async listIssues(account_id, wanted) {
      if (most === undefined || wanted === 0) return [];
      const spent = await store.listings.countActivations(account_id, getSince());
      return spent + wanted > most ? [buildIssue(wanted)] : [];
    },
    async askConsent(shops, call) {
      if (shops.length === 0 || !call.askConsent) return;
      const sum = toUsd(shops.length * MARKETPLACE_FACTS.listing_fee_usd).toFixed(2);
      const names = shops.map(({ shop_name }) => cleanForeign(shop_name)).join(', ');
      const answer = await call.askConsent(
        `Put this listing live in ${names}? The marketplace charges ${sum} USD (0.20 USD per shop).`,
      );
      if (answer === 'accepted') return;
      const why = answer === 'declined' ? 'The fee was declined.' : 'Nobody agreed to the fee in time.';
      throw new ServiceError('ACTIVATION_DECLINED', `${why} Nothing was created.`);
    },
    buildLimit: (wanted) => (most === undefined ? undefined : { most, since: getSince(), wanted }),
    toError: (cause, wanted) =>
      cause instanceof SpendingLimitError ? buildValidationError([buildIssue(wanted)]) : cause,
  };
}
