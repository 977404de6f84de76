import type { SeenState } from '../../ports/index.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ShopPlan } from '../publish/plan.js';

/** A shop where a listing is to go on sale: what it is there now, and whether the marketplace charges its fee for that. */
export type OfferedShop = {
  shop_id: number;
  shop_name: string;
  currency_code: string;
  price: number;
  state: SeenState;
  is_paid: boolean;
  warnings: readonly Warning[];
};

/** For a shop where it has never been on sale. */
export function toOfferedShop({ shop_id, shop_name, currency_code, draft, warnings }: ShopPlan): OfferedShop {
  return { shop_id, shop_name, currency_code, price: draft.price, state: 'draft', is_paid: true, warnings };
}
