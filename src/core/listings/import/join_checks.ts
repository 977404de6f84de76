import type { FormDifference } from '../../../../schemas/import.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Publication } from '../../ports/index.js';
import { MOST_SHOPS } from '../rules/field_rules.js';
import { foldText } from '../rules/text.js';
import { listSkus } from './form_differences.js';
import type { ErrorCode } from '../../../../schemas/error.js';
import type { Fact } from '../../../../schemas/issue.js';

/* Whether a shop's listing may join one of ours. Each throws Refusal. */

export function expectRoom({ listing_id }: Publication, shop_name: string): void {
  const params = { shop_name, listing_id };
  throw new Refusal('ALREADY_IN_SHOP', { code: 'import_place_taken', params });
}

export function expectRoomForShop({ shops }: ListingRequest, joining: number): void {
  const all = new Set([...shops.map(({ shop_id }) => shop_id), joining]);
  if (all.size <= MOST_SHOPS) return;
  const params = { count: all.size, most: MOST_SHOPS };
  throw new Refusal('VALIDATION_FAILED', { code: 'import_shops_too_many', params });
}

/** One product in two shops has one title and one set of SKUs. */
export function expectSameProduct(
  ours: ListingRequest,
  theirs: ListingRequest,
  differences: FormDifference[],
): void {
  if (foldText(ours.listing.title) !== foldText(theirs.listing.title)) {
    throw buildDifferent('title', differences);
  }
  const [mine, other] = [listSkus(ours), listSkus(theirs)];
  if (JSON.stringify(mine) === JSON.stringify(other)) return;
  throw buildDifferent('skus', differences);
}

function buildDifferent(by: 'title' | 'skus', differences: FormDifference[]): Refusal {
  return new Refusal('VALIDATION_FAILED', { code: 'import_product_differs', params: { by } }, differences);
}

/** Why one listing of an import was not imported; the others continue. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly fact: Fact;
  readonly differences: FormDifference[] | undefined;

  constructor(code: ErrorCode, fact: Fact, differences?: FormDifference[]) {
    super(fact.code);
    this.code = code;
    this.fact = fact;
    this.differences = differences;
  }
}
