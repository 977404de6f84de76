import type { JobAnswer } from '../../../operations.js';
import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import type { FeeQuestion } from '../../../../core/operations/call.js';
import type { Detail } from '../detail.js';

const FEE_USD = MARKETPLACE_FACTS.listing_fee_usd;

/** The cost of activating the listing. */
export type Fee = {
  /** `0.40`, in USD. */
  sum: string;
  each: string;
  /** Shops in which it becomes active, and in which the fee is charged. */
  shop_ids: string[];
};

type Standing = Pick<Detail, 'shop_ids' | 'results' | 'shops'>;

/**
 * Shops in which it was never active, as far as we know. An activation by a job counts as well as the last
 * sighting, which may be older; a job has results only for its own shops, so for others, and for imported
 * listings, only the sighting counts.
 */
function listNeverLive({ shop_ids, results, shops }: Standing): string[] {
  return shop_ids.filter((shop_id) => {
    const state = shops.find((shop) => shop.shop_id === shop_id)?.state ?? null;
    const isActivated = results.some((result) => result.shop_id === shop_id && result.activated);
    return !isActivated && (state === null || state === 'draft');
  });
}

/** The expected fee, if the operation was not asked. */
export function foreseeFee(detail: Standing): Fee {
  const shop_ids = listNeverLive(detail);
  return buildFee(shop_ids.length * FEE_USD, shop_ids);
}

/** The fee according to the operation's dry run. */
export function readFee({ cost_usd = 0, shops = [] }: Pick<JobAnswer, 'cost_usd' | 'shops'>): Fee {
  return buildFee(
    cost_usd,
    shops.map(({ shop_id }) => shop_id),
  );
}

/** The fee that the operation asks about. */
export function toFee({ shops, total_usd }: FeeQuestion): Fee {
  const paid = shops.filter(({ fee_usd }) => fee_usd > 0);
  return buildFee(
    total_usd,
    paid.map(({ shop_id }) => String(shop_id)),
  );
}

function buildFee(cost_usd: number, shop_ids: string[]): Fee {
  return { sum: cost_usd.toFixed(2), each: FEE_USD.toFixed(2), shop_ids };
}

export function describeFee({ sum, each, shop_ids }: Fee): string {
  if (shop_ids.length === 0) return 'Free: the fee is already paid in every shop.';
  if (shop_ids.length === 1) return `Costs $${sum}.`;
  return `Costs $${sum}: $${each} for each of ${shop_ids.length} shops.`;
}
