import type { Warning } from '../../../../../schemas/job.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import type { Issue } from '../../../../../schemas/issue.js';
import { ALWAYS_THERE, FIXED } from '../../listing_fields.js';
import { isSameValue } from '../../snapshot/difference.js';

/**
 * Handles fields that cannot change once a listing is in a shop: warns, and restores them in the request. Refuses
 * the change if the caller can mean nothing else.
 */
export function leaveFixed(
  saved: ListingRequest,
  request: ListingRequest,
  changed: readonly string[],
): { request: ListingRequest; changed: string[]; issues: Issue[]; warnings: Warning[] } {
  const issues: Issue[] = [];
  if (request.listing.listing_type !== saved.listing.listing_type) {
    const params = { asked: request.listing.listing_type, is: saved.listing.listing_type };
    issues.push({ code: 'listing_type_fixed', at: 'listing.listing_type', params });
  }
  for (const field of ALWAYS_THERE) {
    const isOfOfferings = (field === 'price' || field === 'quantity') && isVaried(request);
    if (changed.includes(`listing.${field}`) && request.listing[field] === undefined && !isOfOfferings) {
      issues.push({ code: 'null_refused', at: `listing.${field}`, params: { of: 'published' } });
    }
  }
  if (changed.includes('images') && request.images === undefined) {
    issues.push({ code: 'null_refused', at: 'images', params: { of: 'photos' } });
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
      reason: { code: 'not_changeable', params: {} },
    })),
  };
}

function isVaried({ variations }: ListingRequest): boolean {
  return (variations?.offerings?.length ?? 0) > 0;
}
