import type { ListingRequest } from '../../../schemas/listing_request.js';
import { ServiceError } from '../errors.js';
import type { ListingRecord, Publication } from '../ports/index.js';
import { toShopRequest, type OwnChanges } from './own_changes.js';
import { isSameValue } from './snapshot/difference.js';

/**
 * Why a listing's request may not become another one, as a sentence; undefined where it may. After a lost answer to a creation, the
 * listing is looked for by what was sent, which is made anew of the saved request. So a request may not change what it says of such a
 * shop, or the listing would not be recognised and be made once more; the values of other shops may.
 * @param own what shops have of their own with the new request; others keep theirs
 */
export function describeSought(
  { request: saved, job_id }: Pick<ListingRecord, 'request' | 'job_id'>,
  publications: readonly Publication[],
  request: ListingRequest,
  own: readonly OwnChanges[] = [],
): string | undefined {
  const saysOther = (shop_id: number) =>
    !isSameValue(
      ofShop(toShopRequest(saved, publications, shop_id), shop_id),
      ofShop(toShopRequest(request, publications, shop_id, own), shop_id),
    );
  const sought = publications.find(
    ({ listing_id, progress, shop_id }) =>
      listing_id === null && progress.intent !== null && saysOther(shop_id),
  );
  if (!sought) return undefined;
  const job = job_id === null ? '' : ` in job ${job_id}`;
  return `Whether shop ${sought.shop_id} has the listing is not known yet: the answer to its creation${job} was lost, and it is looked for by what was sent.`;
}

/** Refuses a request that says other things of a shop whose listing is looked for. Throws LISTING_BUSY. */
export function expectUnsought(
  listing: Pick<ListingRecord, 'request' | 'job_id'>,
  publications: readonly Publication[],
  request: ListingRequest,
  own: readonly OwnChanges[],
): void {
  const sentence = describeSought(listing, publications, request, own);
  if (sentence === undefined) return;
  throw new ServiceError('LISTING_BUSY', sentence, {
    hint: 'Call listing_publish, which looks for it; then change it. Changes that are for the other shops only (shops, changes.shops) can be made before.',
  });
}

/** A request without its values of other shops. */
function ofShop(request: ListingRequest, shop_id: number): ListingRequest {
  return { ...request, shops: request.shops.filter((target) => target.shop_id === shop_id) };
}
