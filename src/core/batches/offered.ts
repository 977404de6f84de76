import type { OfferedShop } from '../listings/fees/fee_question.js';
import type { BatchItemRecord } from '../ports/index.js';

/** The shops in which items cost a fee, with the number of those items. */
export async function listOffered(items: AsyncIterable<BatchItemRecord>): Promise<OfferedShop[]> {
  const shops = new Map<number, OfferedShop & { fees: number }>();
  for await (const { shop_id, shop_name, status, cost_usd } of items) {
    if (status !== 'planned' || cost_usd === 0) continue;
    const known = shops.get(shop_id);
    if (known) known.fees += 1;
    else {
      shops.set(shop_id, {
        shop_id,
        shop_name,
        currency_code: 'USD',
        price: 0,
        state: 'inactive',
        is_paid: true,
        fees: 1,
        warnings: [],
      });
    }
  }
  return [...shops.values()];
}
