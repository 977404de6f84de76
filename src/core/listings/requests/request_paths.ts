import type { PublishPlan, ShopPlan } from '../publish/plan.js';

/** Creation's fields that a request gives for each shop; all others are its listing's. */
const OF_SHOP: ReadonlySet<string> = new Set([
  'shipping_profile_id',
  'return_policy_id',
  'shop_section_id',
  'production_partner_ids',
]);

/** Where the request names what creation sends as `field`: `listing.tags`, `shops[1].shop_section_id`. */
export function toRequestPath(
  field: string,
  { plan, shop_plan }: { plan: PublishPlan; shop_plan: ShopPlan },
): string {
  const place = plan.shops.findIndex(({ shop_id }) => shop_id === shop_plan.shop_id);
  const at = `shops[${shop_plan.position ?? place}]`;
  if (field === 'readiness_state_id') return `${at}.processing_profile_id`;
  return OF_SHOP.has(field) ? `${at}.${field}` : `listing.${field}`;
}
