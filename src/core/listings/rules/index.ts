import type { Offering } from '../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { Bounds } from '../../operations/call.js';
import { FIELD_RULES, type FieldRule } from './field_rules.js';
import { listValues } from './values.js';
import { cutLists } from './long_lists.js';
import type { PartialRequest } from './partial.js';
import { REQUEST_RULES } from './request_rules.js';
import { checkVariations } from './variation_rules.js';

export type { PartialRequest } from './partial.js';
export { mergeIssues, withoutFound } from './partial.js';
export { cutLists } from './long_lists.js';
export { isPropertyId } from './request_rules.js';

/** Lengths, counts and bounds for the published schema, from the table the checks use. */
export const listingBounds: Bounds = Object.fromEntries(
  FIELD_RULES.flatMap(({ path, bounds }) => (bounds ? [[path, bounds]] : [])),
);

/** The same for the input of listing_update. */
export const changesBounds: Bounds = {
  ...Object.fromEntries(Object.entries(listingBounds).map(([path, bounds]) => [`changes.${path}`, bounds])),
  'changes.offerings[].price': listingBounds['variations.offerings[].price'] ?? {},
  'changes.offerings[].quantity': listingBounds['variations.offerings[].quantity'] ?? {},
  'changes.offerings[].sku_new': listingBounds['variations.offerings[].sku'] ?? {},
};

const FACTS_YEAR = Number(MARKETPLACE_FACTS.as_of.slice(0, 4));

/**
 * Applies the rules that need no call and no file, and returns all problems of a request.
 * @param year by the marketplace's calendar
 */
export function checkRules(request: PartialRequest, year = FACTS_YEAR): Issue[] {
  const short = cutLists(request);
  return [
    ...FIELD_RULES.flatMap((rule) => applyRule(rule, rule.max_items === undefined ? short : request, year)),
    ...REQUEST_RULES.flatMap((rule) => rule(short, year)),
    ...checkVariations(short),
  ];
}

/** Checks each value of offerings separately, without comparing them. */
export function checkOfferingFields(offerings: readonly Offering[]): Issue[] {
  return FIELD_RULES.filter(({ path }) => path.startsWith('variations.offerings[]')).flatMap((rule) =>
    applyRule(rule, { variations: { offerings: [...offerings] } }),
  );
}

function applyRule(rule: FieldRule, request: PartialRequest, year = FACTS_YEAR): Issue[] {
  return listValues(request, rule.path).flatMap(({ path: at, value }) =>
    rule.check(value as never, year).map((problem) => ({ ...problem, at })),
  );
}
