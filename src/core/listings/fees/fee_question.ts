import { LISTING_FEE, MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { quoteForeign } from '../../text/foreign.js';
import type { FeeQuestion } from '../../operations/call.js';
import type { SeenState } from '../../ports/index.js';
import type { Warning } from '../../../../schemas/job.js';
import type { PublishAction, ShopPlan } from '../../ports/listing/plan.js';

export function toFeeQuestion(shops: readonly OfferedShop[]): FeeQuestion {
  const isOfSeveral = shops.some(({ fees }) => fees !== undefined);
  return {
    ...(isOfSeveral && { listings: countFees(shops) }),
    shops: shops.map((shop) => ({
      shop_id: shop.shop_id,
      shop_name: shop.shop_name,
      state: shop.state,
      fee_usd: sumFees([shop]),
    })),
    total_usd: sumFees(shops),
  };
}

/** The fees in USD. */
export function sumFees(shops: readonly OfferedShop[]): number {
  return toUsd(countFees(shops) * MARKETPLACE_FACTS.listing_fee_usd);
}

function countFees(shops: readonly OfferedShop[]): number {
  return shops.reduce((sum, { is_paid, fees = 1 }) => sum + (is_paid ? fees : 0), 0);
}

/** Without errors of binary fractions (0.1 + 0.2). */
export function toUsd(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/**
 * Names of shops and sum of fees, for a sentence. If a shop had the listing on sale before, each shop's fee follows
 * its name.
 */
export function describeFees({ shops, total_usd, listings }: FeeQuestion): { names: string; fees: string } {
  const isNew = listings !== undefined || shops.every(({ state }) => state === 'draft');
  const names = shops.map(({ shop_name, state, fee_usd }) => {
    const name = quoteForeign(shop_name);
    return isNew ? name : `${name} (${state}: ${fee_usd > 0 ? LISTING_FEE : 'free'})`;
  });
  const sum = `${total_usd.toFixed(2)} USD`;
  const per = listings === undefined ? 'shop' : 'listing';
  return { names: names.join(', '), fees: isNew ? `${sum} (${LISTING_FEE} per ${per})` : sum };
}

/** For clients that show the question as text. */
export function describeFeeQuestion(question: FeeQuestion): string {
  const { names, fees } = describeFees(question);
  const what = question.listings === undefined ? 'this listing' : `${question.listings} listings`;
  return `Activate ${what} in ${names}? The marketplace charges ${fees}.`;
}

/**
 * A shop in which a listing is to go on sale: its current state there, and whether the marketplace charges its fee.
 */
export type OfferedShop = {
  shop_id: number;
  shop_name: string;
  currency_code: string;
  price: number;
  state: SeenState;
  is_paid: boolean;
  /** The number of fees, for an offer of several listings; 1 if omitted. */
  fees?: number;
  warnings: readonly Warning[];
};

/** For a shop where the listing has never been on sale. */
export function toOfferedShop({
  shop_id,
  shop_name,
  currency_code,
  action,
  warnings,
}: ShopPlan<PublishAction>): OfferedShop {
  return {
    shop_id,
    shop_name,
    currency_code,
    price: action.draft.price,
    state: 'draft',
    is_paid: true,
    warnings,
  };
}
