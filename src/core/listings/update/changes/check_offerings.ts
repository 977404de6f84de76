import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { Issue } from '../../../errors.js';
import { checkOfferingFields } from '../../rules/index.js';

/** The bounds of single values in changes.offerings, which are those of offerings elsewhere. */
export function checkOfferingValues({ offerings = [] }: ListingChanges): Issue[] {
  const values = offerings.map(({ price, quantity, sku_new }) => ({ price, quantity, sku: sku_new }));
  return checkOfferingFields(values).map(({ path, message }) => ({
    path: path.replace(/^variations/, 'changes').replace(/\.sku$/, '.sku_new'),
    message,
  }));
}
