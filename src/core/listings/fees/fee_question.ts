import { LISTING_FEE, MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { quoteForeign } from '../../errors.js';
import type { FeeQuestion } from '../../operations/call.js';
import type { OfferedShop } from './offered_shop.js';

export function toFeeQuestion(shops: readonly OfferedShop[]): FeeQuestion {
  return {
    shops: shops.map(({ shop_id, shop_name, state, is_paid }) => ({
      shop_id,
      shop_name,
      state,
      fee_usd: is_paid ? MARKETPLACE_FACTS.listing_fee_usd : 0,
    })),
    total_usd: sumFees(shops),
  };
}

/** The fees in USD. */
export function sumFees(shops: readonly OfferedShop[]): number {
  return toUsd(shops.filter(({ is_paid }) => is_paid).length * MARKETPLACE_FACTS.listing_fee_usd);
}

/** Without what binary fractions add: 0.1 + 0.2. */
export function toUsd(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** Names of shops and sum of fees, for a sentence. If a shop had the listing on sale before, each shop's fee follows its name. */
export function describeFees({ shops, total_usd }: FeeQuestion): { names: string; fees: string } {
  const is_new = shops.every(({ state }) => state === 'draft');
  const names = shops.map(({ shop_name, state, fee_usd }) => {
    const name = quoteForeign(shop_name);
    return is_new ? name : `${name} (${state}: ${fee_usd > 0 ? LISTING_FEE : 'free'})`;
  });
  const sum = `${total_usd.toFixed(2)} USD`;
  return { names: names.join(', '), fees: is_new ? `${sum} (${LISTING_FEE} per shop)` : sum };
}

/** For clients that show the question as a text. */
export function describeFeeQuestion(question: FeeQuestion): string {
  const { names, fees } = describeFees(question);
  return `Activate this listing in ${names}? The marketplace charges ${fees}.`;
}
