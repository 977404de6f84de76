import type { ListingRequest, Offering, Variations } from '../../../../schemas/listing_request.js';
import { foldCase } from '../../text/fold_case.js';
import { toOfferingKey } from '../rules/variation_rules.js';

/** Renames the keys of the request's offerings to those of its properties: `strasse` also means Straße. */
export function withOptionKeys(request: ListingRequest): ListingRequest {
  const { variations } = request;
  if (!variations?.offerings) return request;
  const names = toNames(variations);
  const isRight = (key: string) => (names.get(foldCase(key.trim())) ?? key) === key;
  if (variations.offerings.every((offering) => Object.keys(offering).every(isRight))) return request;
  return {
    ...request,
    variations: { ...variations, offerings: variations.offerings.map((offering) => rename(offering, names)) },
  };
}

function toNames({ properties = [] }: Variations): ReadonlyMap<string, string> {
  return new Map(properties.map(({ name }) => [foldCase(name.trim()), toOfferingKey(name)]));
}

function rename(offering: Offering, names: ReadonlyMap<string, string>): Offering {
  return Object.fromEntries(
    Object.entries(offering).map(([key, value]) => {
      const name = names.get(foldCase(key.trim())) ?? key;
      return [Object.hasOwn(offering, name) ? key : name, value];
    }),
  );
}
