import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { Issue } from '../../../../../schemas/issue.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { moveIssue } from '../../../issues/issues.js';
import { checkOfferingFields } from '../../rules/index.js';
import { toOfferingChange } from './patch_offerings.js';

/** Checks single values in changes.offerings against the bounds of offerings elsewhere. */
export function checkOfferingValues({ offerings = [] }: ListingChanges): Issue[] {
  const values = offerings.map(({ price, quantity, sku_new }) => ({ price, quantity, sku: sku_new }));
  return checkOfferingFields(values).map((issue) =>
    moveIssue(issue, issue.at.replace(/^variations/, 'changes').replace(/\.sku$/, '.sku_new')),
  );
}

/** Fields of changes.offerings that a listing without variations has only after it is in a shop. */
export function listNotOfOne(changes: ListingChanges, saved: ListingRequest): Issue[] {
  const isVaried = (saved.variations?.properties?.length ?? 0) > 0 || changes.variations != null;
  if (isVaried) return [];
  return (changes.offerings ?? []).flatMap((offering, index) => {
    const { path, set } = toOfferingChange(offering, index, saved);
    const issues: Issue[] = [];
    if (set.quantity === 0) {
      issues.push({ code: 'saved_quantity_zero', at: `${path}.quantity`, params: {} });
    }
    if (set.is_enabled !== undefined) {
      issues.push({ code: 'enabled_without_variations', at: `${path}.enabled`, params: {} });
    }
    return issues;
  });
}
