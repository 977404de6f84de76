import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { Issue } from '../../../errors.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { checkOfferingFields } from '../../rules/index.js';
import { toOfferingChange } from './patch_offerings.js';

/** The bounds of single values in changes.offerings, which are those of offerings elsewhere. */
export function checkOfferingValues({ offerings = [] }: ListingChanges): Issue[] {
  const values = offerings.map(({ price, quantity, sku_new }) => ({ price, quantity, sku: sku_new }));
  return checkOfferingFields(values).map(({ path, message }) => ({
    path: path.replace(/^variations/, 'changes').replace(/\.sku$/, '.sku_new'),
    message,
  }));
}

/** Fields of changes.offerings that a listing without variations has only once it is in a shop. */
export function listNotOfOne(changes: ListingChanges, saved: ListingRequest): Issue[] {
  const isVaried = (saved.variations?.properties?.length ?? 0) > 0 || changes.variations != null;
  if (isVaried) return [];
  return (changes.offerings ?? []).flatMap((offering, index) => {
    const { path, set } = toOfferingChange(offering, index, saved);
    const issues: Issue[] = [];
    if (set.quantity === 0)
      issues.push({ path: `${path}.quantity`, message: 'is 0; a listing that is saved here has at least 1' });
    if (set.is_enabled !== undefined) {
      issues.push({ path: `${path}.enabled`, message: 'is for variations; this listing has none' });
    }
    return issues;
  });
}
