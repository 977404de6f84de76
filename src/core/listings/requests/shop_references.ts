import { LISTING_FIELDS } from '../../../../schemas/listing_fields.js';
import type { ReturnPolicy, ShopLists } from '../../../../schemas/shop.js';
import type { Choice, ReferenceField } from '../../../../schemas/issues/facts.js';
import { REFERENCES, toName } from '../listing_fields.js';

type Lists = keyof ShopLists;

export type { ReferenceField };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- REFERENCES covers every ReferenceField
const LIST_OF = Object.fromEntries(
  REFERENCES.map((field) => [toName(field), LISTING_FIELDS[field].list]),
) as Record<ReferenceField, Lists>;

export const REFERENCE_FIELDS = Object.keys(LIST_OF) as ReferenceField[];

export function isReferenceField(name: string): name is ReferenceField {
  return Object.hasOwn(LIST_OF, name);
}

/** The shop's list from which a field takes its ids. */
export function toList(field: ReferenceField): Lists {
  return LIST_OF[field];
}

const CHOICES: { [List in Lists]: (lists: ShopLists) => Choice[] } = {
  shipping_profiles: ({ shipping_profiles }) =>
    shipping_profiles.map(({ shipping_profile_id, title }) => ({ id: shipping_profile_id, name: title })),
  return_policies: ({ return_policies }) =>
    return_policies.map((policy) => ({ id: policy.return_policy_id, name: describeReturns(policy) })),
  processing_profiles: ({ processing_profiles }) =>
    processing_profiles.map((profile) => ({
      id: profile.readiness_state_id,
      name: profile.processing_days_display_label,
    })),
  shop_sections: ({ shop_sections }) =>
    shop_sections.map(({ shop_section_id, title }) => ({ id: shop_section_id, name: title })),
  production_partners: ({ production_partners }) =>
    production_partners.map(({ production_partner_id, partner_name }) => ({
      id: production_partner_id,
      name: partner_name,
    })),
};

/** The valid ids of a field, with the names the seller knows. */
export function listReferences(lists: ShopLists, field: ReferenceField): Choice[] {
  return CHOICES[LIST_OF[field]](lists);
}

/** Return policies have no names on the marketplace; its pages describe them like this. */
function describeReturns({ accepts_returns, accepts_exchanges, return_deadline }: ReturnPolicy): string {
  const accepted = [accepts_returns ? 'returns' : '', accepts_exchanges ? 'exchanges' : ''].filter(Boolean);
  if (accepted.length === 0) return 'no returns or exchanges';
  return `${accepted.join(' and ')}${return_deadline === null ? '' : ` within ${return_deadline} days`}`;
}
