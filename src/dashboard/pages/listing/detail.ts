import type { z } from 'zod/v3';
import type { listingDetail, ListingHistory } from '../../../../schemas/listing.js';
import type { Desk } from '../../desk.js';
import type { Errand, Errands } from '../../errands.js';

/** A listing with all that its page tells. */
export type Detail = z.output<typeof listingDetail> & { history: ListingHistory; errand: Errand | undefined };

/** Throws RefusedError LISTING_NOT_FOUND. */
export async function getDetail(
  { desk, account_id }: { desk: Desk; account_id: string },
  errands: Errands,
  listing_pk: number,
): Promise<Detail> {
  const { history = { jobs: [], shops: [] }, ...listing } = await desk.call('listing_get', {
    listing_pk,
    history: true,
  });
  return { ...listing, history, errand: errands.find({ account_id, listing_pk }) };
}

/** Something happens to it without anybody doing more. */
export function isMoving({ status, errand }: Detail): boolean {
  return status === 'processing' || errand?.status === 'running';
}
