import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { ServiceError } from '../../errors.js';
import type { Publication } from '../../ports/index.js';
import { isSameValue } from '../snapshot/difference.js';

/**
 * After a lost answer to a creation, the listing is looked for by what was sent, which is made anew of the saved request. So a request may
 * not change what it says of such a shop, or the listing would not be recognised and be made once more; the values of other shops may.
 * @returns the shop that forbids it
 */
export function findSought(
  publications: readonly Publication[],
  saved: ListingRequest,
  request: ListingRequest,
): Publication | undefined {
  const saysOther = (shop_id: number) => !isSameValue(toOwn(saved, shop_id), toOwn(request, shop_id));
  return publications.find(
    ({ listing_id, progress, shop_id }) =>
      listing_id === null && progress.intent !== null && saysOther(shop_id),
  );
}

/** A request as it is for one shop. */
function toOwn(request: ListingRequest, shop_id: number): ListingRequest {
  return { ...request, shops: request.shops.filter((target) => target.shop_id === shop_id) };
}

/**
 * Refuses a request that says other things of a shop whose listing is looked for. Throws LISTING_BUSY.
 * @param job_id of the job that published the listing last
 */
export function expectUnsought(
  publications: readonly Publication[],
  saved: ListingRequest,
  request: ListingRequest,
  job_id: string | null,
): void {
  const sought = findSought(publications, saved, request);
  if (!sought) return;
  const job = job_id === null ? '' : ` in job ${job_id}`;
  throw new ServiceError(
    'LISTING_BUSY',
    `Whether shop ${sought.shop_id} has the listing is not known yet: the answer to its creation${job} was lost, and it is looked for by what was sent.`,
    {
      hint: 'Call listing_publish, which looks for it; then change it. Values of the other shops alone (changes.shops) can be changed before.',
    },
  );
}
