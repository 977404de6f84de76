import type { ReturnPolicy, ShopLists } from '../../../../schemas/shop.js';
import { type Choice, formatChoices } from '../../text/choices.js';
import type { ConnectedShop } from '../../ports/index.js';
import { quoteForeign } from '../../errors.js';

/** The ids of a shop that a listing names: in which kept list they stand, and what one of them is called. */
export const SHOP_REFERENCES = {
  shipping_profile_id: { list: 'shipping_profiles', noun: 'shipping profile' },
  return_policy_id: { list: 'return_policies', noun: 'return policy' },
  processing_profile_id: { list: 'processing_profiles', noun: 'processing profile' },
  shop_section_id: { list: 'shop_sections', noun: 'section' },
  production_partner_ids: { list: 'production_partners', noun: 'production partner' },
} as const satisfies Record<string, { list: keyof ShopLists; noun: string }>;

export type ReferenceField = keyof typeof SHOP_REFERENCES;

const LIST: { [Field in ReferenceField]: (lists: ShopLists) => Choice[] } = {
  shipping_profile_id: ({ shipping_profiles }) =>
    shipping_profiles.map(({ shipping_profile_id, title }) => ({ id: shipping_profile_id, name: title })),
  return_policy_id: ({ return_policies }) =>
    return_policies.map((policy) => ({ id: policy.return_policy_id, name: describeReturns(policy) })),
  processing_profile_id: ({ processing_profiles }) =>
    processing_profiles.map((profile) => ({
      id: profile.readiness_state_id,
      name: profile.processing_days_display_label,
    })),
  shop_section_id: ({ shop_sections }) =>
    shop_sections.map(({ shop_section_id, title }) => ({ id: shop_section_id, name: title })),
  production_partner_ids: ({ production_partners }) =>
    production_partners.map(({ production_partner_id, partner_name }) => ({
      id: production_partner_id,
      name: partner_name,
    })),
};

/** The valid ids of a field, with the names that the seller knows them by. */
export function listReferences(lists: ShopLists, field: ReferenceField): Choice[] {
  return LIST[field](lists);
}

/** `"ClayAndOak" has 12 ("Mugs"), 15 ("Bowls")`. */
export function formatReferences({ details, lists }: ConnectedShop, field: ReferenceField): string {
  return `${quoteForeign(details.shop_name)} has ${formatChoices(listReferences(lists, field))}`;
}

/** Return policies have no name on the marketplace; this is how its pages tell them apart. */
function describeReturns({ accepts_returns, accepts_exchanges, return_deadline }: ReturnPolicy): string {
  const accepted = [accepts_returns ? 'returns' : '', accepts_exchanges ? 'exchanges' : ''].filter(Boolean);
  if (accepted.length === 0) return 'no returns or exchanges';
  return `${accepted.join(' and ')}${return_deadline === null ? '' : ` within ${return_deadline} days`}`;
}
