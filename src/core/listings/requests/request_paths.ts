import { isFieldName, toPath } from '../listing_fields.js';
import type { PublishPlan, ShopPlan } from '../publish/plan.js';

/** Where the request names what creation sends as `field`: `listing.tags`, `shops[1].shop_section_id`. */
export function toRequestPath(
  field: string,
  { plan, shop_plan }: { plan: PublishPlan; shop_plan: ShopPlan },
): string {
  const place = plan.shops.findIndex(({ shop_id }) => shop_id === shop_plan.shop_id);
  const path = isFieldName(field) ? toPath(field) : `listing.${field}`;
  return path.replace('shops[]', `shops[${shop_plan.position ?? place}]`);
}
