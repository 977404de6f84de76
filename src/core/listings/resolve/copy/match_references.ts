import type { CopyRequest } from '../../../../../schemas/copy.js';
import type { ShopTarget } from '../../../../../schemas/listing_request.js';
import type { ShopLists } from '../../../../../schemas/shop.js';
import type { Issue } from '../../../../../schemas/issue.js';
import type { ConnectedShop } from '../../../ports/index.js';
import { listReferences, toList, type ReferenceField } from '../../requests/shop_references.js';
import { foldText } from '../../rules/text.js';

/** An entry of a shop's list that another shop may also have: its name, and its terms as one text. */
type Reference = { id: number; name: string; terms: string };

const READ: { [List in keyof ShopLists]: (lists: ShopLists) => Reference[] } = {
  shipping_profiles: ({ shipping_profiles }) =>
    shipping_profiles.map((one) => ({
      id: one.shipping_profile_id,
      name: one.title,
      terms: [one.min_processing_days, one.max_processing_days, one.primary_cost, one.currency_code].join(),
    })),
  return_policies: ({ return_policies }) =>
    return_policies.map((one) => ({
      id: one.return_policy_id,
      name: '',
      terms: [one.accepts_returns, one.accepts_exchanges, one.return_deadline].join(),
    })),
  processing_profiles: ({ processing_profiles }) =>
    processing_profiles.map((one) => ({
      id: one.readiness_state_id,
      name: '',
      terms: [one.readiness_state, one.min_processing_days, one.max_processing_days].join(),
    })),
  shop_sections: ({ shop_sections }) =>
    shop_sections.map((one) => ({ id: one.shop_section_id, name: one.title, terms: '' })),
  production_partners: ({ production_partners }) =>
    production_partners.map((one) => ({
      id: one.production_partner_id,
      name: one.partner_name,
      terms: one.location,
    })),
};

/**
 * Finds the profile, policy or section of another shop that equals this one: the only one with that name, or, if
 * several share it, the only one that also has the same terms. Compares an entry without a name by its terms.
 * Returns undefined if there is no certain match.
 */
export function matchReference(
  field: ReferenceField,
  id: number,
  from: ShopLists,
  to: ShopLists,
): number | undefined {
  const own = READ[toList(field)](from).find((one) => one.id === id);
  if (!own) return undefined;
  const named = READ[toList(field)](to).filter(({ name }) => fold(name) === fold(own.name));
  if (own.name !== '' && named.length === 1) return named[0]?.id;
  const same = named.filter(({ terms }) => terms === own.terms);
  return same.length === 1 ? same[0]?.id : undefined;
}

function fold(name: string): string {
  return foldText(name).toLowerCase();
}

/** The references of a new shop; null for one it must not have. */
type CopyTarget = CopyRequest['shops'][number];

/** For required fields, the rules of creation report missing values, with their choices. */
const OPTIONAL = ['processing_profile_id', 'shop_section_id'] as const;
const REQUIRED = ['shipping_profile_id', 'return_policy_id'] as const;

/**
 * Completes the target of a new shop with references that match those of the source shop.
 * @param from undefined if that shop is no longer connected: then nothing can be matched
 */
export function completeTarget(
  given: CopyTarget,
  index: number,
  own: ShopTarget,
  from: ConnectedShop | undefined,
  to: ConnectedShop | undefined,
): { target: ShopTarget; issues: Issue[] } {
  const { shop_section_id, ...rest } = given;
  const target: ShopTarget = { ...rest, ...(typeof shop_section_id === 'number' && { shop_section_id }) };
  if (!to) return { target, issues: [] };
  const issues: Issue[] = [];
  const match = (field: ReferenceField, id: number) =>
    from && matchReference(field, id, from.lists, to.lists);
  const report = (field: ReferenceField, id: number) => {
    const name = from && listReferences(from.lists, field).find((one) => one.id === id)?.name;
    const { shop_name } = to.details;
    const params = { field, reference: { id, name }, shop_name, choices: listReferences(to.lists, field) };
    issues.push({ code: 'copy_reference_unmatched', at: `shops[${index}].${field}`, params });
  };
  for (const field of [...REQUIRED, ...OPTIONAL]) {
    const id = own[field];
    if (id === undefined || given[field] !== undefined) continue;
    const found = match(field, id);
    if (found !== undefined) target[field] = found;
    else if (!REQUIRED.some((required) => required === field)) report(field, id);
  }
  if (given.production_partner_ids === undefined && own.production_partner_ids) {
    const found = own.production_partner_ids.map((id) => [id, match('production_partner_ids', id)] as const);
    const [missing] = found.find(([, partner]) => partner === undefined) ?? [];
    if (missing !== undefined) report('production_partner_ids', missing);
    else target.production_partner_ids = found.flatMap(([, partner]) => partner ?? []);
  }
  return { target, issues };
}
