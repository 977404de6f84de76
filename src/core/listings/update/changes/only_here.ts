import type { Warning } from '../../../../../schemas/job.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import type { Issue } from '../../../errors.js';
import { ALWAYS_THERE, FIXED } from '../../listing_fields.js';
import { isSameValue } from '../../snapshot/difference.js';

/**
 * Fields that cannot be changed once a listing is in a shop: a warning, and they stay in the request too. Refused where the caller
 * can mean nothing else.
 */
export function leaveFixed(
  saved: ListingRequest,
  request: ListingRequest,
  changed: readonly string[],
): { request: ListingRequest; changed: string[]; issues: Issue[]; warnings: Warning[] } {
  const issues: Issue[] = [];
  if (request.listing.listing_type !== saved.listing.listing_type) {
    issues.push({
      path: 'listing.listing_type',
      message: `is ${request.listing.listing_type}, but the listing is ${saved.listing.listing_type} on the marketplace: that would take away its variations, files or shipping. Make a new listing with listing_create`,
    });
  }
  for (const field of ALWAYS_THERE) {
    const isOfOfferings = (field === 'price' || field === 'quantity') && isVaried(request);
    if (changed.includes(`listing.${field}`) && request.listing[field] === undefined && !isOfOfferings) {
      issues.push({
        path: `listing.${field}`,
        message:
          'is null, but a listing on the marketplace always has it; give a value, or leave it out to keep it',
      });
    }
  }
  if (changed.includes('images') && request.images === undefined) {
    const message =
      'is null, which removes all photos, but a listing on the marketplace needs one; give photos, or leave it out to keep them';
    issues.push({ path: 'images', message });
  }
  const fixed = FIXED.filter((field) => changed.includes(`listing.${field}`));
  const different = fixed.filter((field) => !isSameValue(request.listing[field], saved.listing[field]));
  if (fixed.length === 0) return { request, changed: [...changed], issues, warnings: [] };
  const listing = { ...request.listing };
  for (const field of fixed) {
    delete listing[field];
    if (saved.listing[field] !== undefined) Object.assign(listing, { [field]: saved.listing[field] });
  }
  return {
    request: { ...request, listing },
    changed: changed.filter((path) => !fixed.some((field) => path === `listing.${field}`)),
    issues,
    warnings: different.map((field) => ({
      code: 'not_changeable',
      fields: [`changes.listing.${field}`],
      reason: `The marketplace takes it when a listing is made, and has no call that changes it after; it stays as it is. It can be changed in Shop Manager.`,
    })),
  };
}

function isVaried({ variations }: ListingRequest): boolean {
  return (variations?.offerings?.length ?? 0) > 0;
}
