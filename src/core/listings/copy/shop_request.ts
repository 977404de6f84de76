import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Publication } from '../../ports/index.js';
import type { OwnChanges } from '../own_changes.js';
import { applyOwnChanges } from './grouped_plan.js';

/**
 * The request as one shop has it: with what it has of its own.
 * @param own takes the place of what these shops have of their own so far
 */
export function toShopRequest(
  request: ListingRequest,
  publications: readonly Publication[],
  shop_id: number,
  own: readonly OwnChanges[] = [],
): ListingRequest {
  const known = publications.find((one) => one.shop_id === shop_id)?.progress;
  const { changes } = own.find((one) => one.shop_id === shop_id) ?? { changes: known?.changes };
  return applyOwnChanges(request, changes);
}
