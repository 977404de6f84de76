import type { ConnectedShop } from '../../../core/ports/index.js';
import { Badge } from '../../components/badge.js';

/** Whether the shop can be used. */
export function ShopBadge({ shop }: { shop: ConnectedShop }) {
  if (shop.is_reconnect_required) return <Badge tone="bad">Connect again</Badge>;
  if (shop.details.is_vacation) return <Badge tone="wait">On vacation</Badge>;
  return <Badge tone="ok">Connected</Badge>;
}
