import type { Fact } from '../../../../schemas/issue.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { ServiceError } from '../../errors.js';
import type { ListingRecord, Publication } from '../../ports/index.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import { toShopRequest } from '../requests/own_changes.js';
import { isSameValue } from '../snapshot/difference.js';

/**
 * Why a listing's request must not change; undefined if it may. If the response to a creation was lost, the listing
 * is searched for by the sent values, which are rebuilt from the saved request. If the values of such a shop
 * changed, the listing would not be recognized, and would be created twice. The values of other shops may change.
 * @param own the shops' own values under the new request; others keep theirs
 */
export function findOpenCreate(
  { request: saved, job_id }: Pick<ListingRecord, 'request' | 'job_id'>,
  publications: readonly Publication[],
  request: ListingRequest,
  own: readonly OwnChanges[] = [],
): Fact | undefined {
  const saysOther = (shop_id: number) =>
    !isSameValue(
      ofShop(toShopRequest(saved, publications, shop_id), shop_id),
      ofShop(toShopRequest(request, publications, shop_id, own), shop_id),
    );
  const open = publications.find(
    ({ listing_id, progress, shop_id }) =>
      listing_id === null && progress.intent !== null && saysOther(shop_id),
  );
  if (!open) return undefined;
  return { code: 'creation_unknown', params: { shop_id: open.shop_id, job_id } };
}

/** Refuses a request that changes the values of a shop whose listing is being searched for. Throws LISTING_BUSY. */
export function expectNoOpenCreate(
  listing: Pick<ListingRecord, 'request' | 'job_id'>,
  publications: readonly Publication[],
  request: ListingRequest,
  own: readonly OwnChanges[],
): void {
  const problem = findOpenCreate(listing, publications, request, own);
  if (!problem) return;
  throw new ServiceError('LISTING_BUSY', problem, {
    hint: 'Call listing_publish, which searches for it; then change it. Changes for only the other shops (shops, changes.shops) can be made before that.',
  });
}

/** A request without the values of other shops. */
function ofShop(request: ListingRequest, shop_id: number): ListingRequest {
  return { ...request, shops: request.shops.filter((target) => target.shop_id === shop_id) };
}
