import type { FormDifference } from '../../../../schemas/import.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { quoteForeign } from '../../errors.js';
import type { Publication } from '../../ports/index.js';
import { MOST_SHOPS } from '../rules/field_rules.js';
import { listSkus } from './form_differences.js';
import { Refusal } from './refusal.js';

/* Whether a shop's listing may join one of ours. Each throws Refusal. */

export function expectRoom({ listing_id }: Publication, shop_name: string): void {
  const what = listing_id === null ? 'is being made' : `is listing ${listing_id}`;
  throw new Refusal(
    'ALREADY_IN_SHOP',
    `In ${quoteForeign(shop_name)} the listing that it was to join ${what} already.`,
  );
}

export function expectRoomForShop({ shops }: ListingRequest, joining: number): void {
  const all = new Set([...shops.map(({ shop_id }) => shop_id), joining]);
  if (all.size <= MOST_SHOPS) return;
  throw new Refusal(
    'VALIDATION_FAILED',
    `join: makes ${all.size} shops of the listing; at most ${MOST_SHOPS}`,
  );
}

/** One product in two shops has one title and one set of SKUs. */
export function expectSameProduct(
  ours: ListingRequest,
  theirs: ListingRequest,
  differences: FormDifference[],
): void {
  if (fold(ours.listing.title) !== fold(theirs.listing.title)) {
    throw new Refusal(
      'VALIDATION_FAILED',
      'join: the titles differ, so it is taken for another product.',
      differences,
    );
  }
  const [mine, other] = [listSkus(ours), listSkus(theirs)];
  if (JSON.stringify(mine) === JSON.stringify(other)) return;
  throw new Refusal(
    'VALIDATION_FAILED',
    'join: the SKUs differ, so it is taken for another product.',
    differences,
  );
}

function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
