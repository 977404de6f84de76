import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import type { Detail } from '../detail.js';

export type Fee = {
  /** `0.40`, in USD. */
  sum: string;
  each: string;
  /** Shops where it is not live yet. */
  shop_ids: string[];
  sentence: string;
};

/** The marketplace's fee for putting the listing live in the shops where it is not live yet. */
export function buildFee({ shop_ids, results }: Pick<Detail, 'shop_ids' | 'results'>): Fee {
  const open = shop_ids.filter(
    (shop_id) => !results.some((result) => result.shop_id === shop_id && result.activated),
  );
  const each = MARKETPLACE_FACTS.listing_fee_usd.toFixed(2);
  const sum = (open.length * MARKETPLACE_FACTS.listing_fee_usd).toFixed(2);
  const shops = open.length === 1 ? '1 shop' : `${open.length} shops`;
  const sentence =
    open.length === 0
      ? 'Costs nothing: it is live in every shop already.'
      : `Costs ${sum} USD (${each} USD in ${shops}).`;
  return { sum, each, shop_ids: open, sentence };
}
