import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ProcessingProfile } from '../../../../schemas/shop.js';
import type { ConnectedShop } from '../../ports/index.js';
import { listReferences } from '../requests/shop_references.js';

/**
 * The profile for a shop's listing: the named one, otherwise one that matches the listing's days, otherwise the
 * shop's first. Warns about a profile chosen for the seller, and about days it does not match, unless every
 * offering names its own profile. Null for digital listings.
 */
export function chooseProcessingProfile(
  request: ListingRequest,
  target: ShopTarget,
  index: number,
  shop: ConnectedShop,
): { readiness_state_id: number | null; warnings: Warning[] } {
  const { listing } = request;
  if (listing.listing_type === 'digital') return { readiness_state_id: null, warnings: [] };
  const { processing_profiles: profiles } = shop.lists;
  const named = profiles.find(({ readiness_state_id: id }) => id === target.processing_profile_id);
  const days = { min: listing.processing_min ?? undefined, max: listing.processing_max ?? undefined };
  const chosen = named ?? findByDays(profiles, days) ?? profiles[0];
  if (!chosen) throw new Error('preflight lets no shop without a processing profile pass');
  const { readiness_state_id } = chosen;
  if (isUsedByNone(request)) return { readiness_state_id, warnings: [] };
  const field = `shops[${index}].processing_profile_id`;
  const profile = { id: readiness_state_id, name: chosen.processing_days_display_label };
  if (isAsked(days) && !fits(chosen, days)) {
    const params = {
      profile,
      least: days.min,
      most: days.max,
      is_named: named !== undefined,
      shop_name: shop.details.shop_name,
      choices: listReferences(shop.lists, 'processing_profile_id'),
    };
    const reason = { code: 'profile_mismatch' as const, params };
    return {
      readiness_state_id,
      warnings: [{ code: 'processing_profile_mismatch', fields: [field, ...listDayFields(days)], reason }],
    };
  }
  if (named) return { readiness_state_id, warnings: [] };
  return {
    readiness_state_id,
    warnings: [
      {
        code: 'processing_profile_defaulted',
        level: 'note',
        fields: [field],
        reason: { code: 'profile_defaulted', params: { profile } },
      },
    ],
  };
}

function isUsedByNone({ variations }: ListingRequest): boolean {
  const offerings = variations?.offerings ?? [];
  return offerings.length > 0 && offerings.every((offering) => offering.processing_profile_id !== undefined);
}

/** The processing time the listing requests, in days; either end may be open. */
type Days = { min: number | undefined; max: number | undefined };

function isAsked({ min, max }: Days): boolean {
  return min !== undefined || max !== undefined;
}

/** A profile with exactly these days, otherwise one within them. */
function findByDays(profiles: readonly ProcessingProfile[], days: Days): ProcessingProfile | undefined {
  if (!isAsked(days)) return undefined;
  return (
    profiles.find((profile) => isExact(profile, days)) ?? profiles.find((profile) => fits(profile, days))
  );
}

function isExact(profile: ProcessingProfile, { min, max }: Days): boolean {
  return (
    profile.min_processing_days === (min ?? profile.min_processing_days) &&
    profile.max_processing_days === (max ?? profile.max_processing_days)
  );
}

function fits(profile: ProcessingProfile, { min = 0, max = Infinity }: Days): boolean {
  return profile.min_processing_days >= min && profile.max_processing_days <= max;
}

function listDayFields({ min, max }: Days): string[] {
  return [
    ...(min === undefined ? [] : ['listing.processing_min']),
    ...(max === undefined ? [] : ['listing.processing_max']),
  ];
}
