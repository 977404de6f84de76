import type { Ports } from '../core.js';
import { cleanForeign, ServiceError } from '../errors.js';
import type { Call } from '../operation.js';
import type { Settings } from '../settings.js';
import { toUsd } from './answers.js';
import { MARKETPLACE_FACTS } from './marketplace_facts.js';
import type { ShopPlan } from './plan.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Spending = {
  /**
   * Asks before money is spent, where someone can be asked, and holds the daily limit. Throws ACTIVATION_DECLINED or
   * VALIDATION_FAILED; then nothing has been persisted.
   */
  approve(shops: readonly ShopPlan[], call: Call): Promise<void>;
};

export function createSpending({ store, clock }: Ports, settings: Settings): Spending {
  return {
    async approve(shops, call) {
      if (shops.length === 0) return;
      await checkDailyLimit(call.caller.account_id, shops.length);
      if (!call.askConsent) return;
      const sum = toUsd(shops.length * MARKETPLACE_FACTS.listing_fee_usd).toFixed(2);
      const names = shops.map(({ shop_name }) => cleanForeign(shop_name)).join(', ');
      const answer = await call.askConsent(
        `Put this listing live in ${names}? The marketplace charges ${sum} USD (0.20 USD per shop).`,
      );
      if (answer === 'accepted') return;
      const why = answer === 'declined' ? 'The fee was declined.' : 'Nobody agreed to the fee in time.';
      throw new ServiceError('ACTIVATION_DECLINED', `${why} Nothing was created.`);
    },
  };

  async function checkDailyLimit(account_id: string, wanted: number): Promise<void> {
    const most = settings.max_activations_per_day;
    if (most === undefined) return;
    const since = new Date(clock.now().getTime() - DAY_MS).toISOString();
    const spent = await store.listings.countActivations(account_id, since);
    if (spent + wanted <= most) return;
    throw new ServiceError(
      'VALIDATION_FAILED',
      `state: active would be ${spent + wanted} activations in 24 hours; this server allows ${most}.`,
      { hint: 'Use state publish, wait, or raise MAX_ACTIVATIONS_PER_DAY.' },
    );
  }
}
