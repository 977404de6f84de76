import type { Call, Fields } from '../requests/call.js';
import {
  parseBoolean,
  parseChoice,
  parseDecimal,
  parseIds,
  parseInteger,
  parseTexts,
} from '../requests/fields.js';
import { INVENTED, INVENTED_WITH, VERBATIM } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import type { ListingFields } from '../store/listings.js';
import {
  findReadinessState,
  findShippingProfile,
  listProductionPartners,
  listReturnPolicies,
  listSections,
} from '../store/shop_settings.js';
import type { Shop } from '../store/shops.js';
import { isEuShop } from '../store/shops.js';
import { findCategory } from '../taxonomy.js';
import {
  DIMENSION_UNITS,
  GPSR_FIELDS,
  type GpsrField,
  LISTING_TYPES,
  WEIGHT_UNITS,
  WHO_MADE,
} from './choices.js';
import { checkListingTexts } from './listing_text.js';

const PERSONALIZATION_FIELDS = [
  'is_personalizable',
  'personalization_is_required',
  'personalization_char_count_max',
  'personalization_instructions',
] as const;
const SIZES = ['item_weight', 'item_length', 'item_width', 'item_height'] as const;

/** Checks the fields that creation and update share; returns only those in the request. */
export function parseListingFields(call: Call, shop: Shop): Partial<ListingFields> {
  const { fields } = call;
  if (PERSONALIZATION_FIELDS.some((name) => fields.has(name))) {
    throw buildRefusal(400, INVENTED.personalization_fields);
  }
  for (const { operation, field, message } of call.settings.refuse) {
    if (operation === toOperation(call) && fields.has(field)) throw buildRefusal(400, message);
  }
  const parsed = {
    title: fields.get('title'),
    description: fields.get('description'),
    tags: parseTexts(fields, 'tags'),
    materials: parseTexts(fields, 'materials'),
    listing_type: parseChoice(fields, 'type', LISTING_TYPES),
    taxonomy_id: parseInteger(fields, 'taxonomy_id') ?? undefined,
    ...parseOrigin(call),
    shipping_profile_id: parseInteger(fields, 'shipping_profile_id'),
    return_policy_id: parseInteger(fields, 'return_policy_id'),
    shop_section_id: parseInteger(fields, 'shop_section_id'),
    production_partner_ids: parseIds(fields, 'production_partner_ids'),
    ...parseSizes(fields),
    is_taxable: parseBoolean(fields, 'is_taxable'),
    should_auto_renew: parseBoolean(fields, 'should_auto_renew'),
  };
  const given = dropUndefined(parsed);
  checkListingTexts(given);
  checkReferences(call, shop, given);
  return given;
}

/** EU warranty fields; silently empty for shops elsewhere. */
export function parseGuarantee(fields: Fields, shop: Shop): Record<string, string | number> {
  if (!isEuShop(shop)) return {};
  const given: Record<string, string | number> = {};
  for (const [name, text] of fields) {
    if (!name.startsWith('ecgt_') || text === '') continue;
    given[name] = name === 'ecgt_garan_years' ? (parseInteger(fields, name, 3) ?? 3) : text;
  }
  return given;
}

/** The given fields for product safety, as sent; an empty one is deleted. That ids are numbers is invented. */
export function parseProductSafety(fields: Fields): Partial<Record<GpsrField, string | null>> {
  const given: Partial<Record<GpsrField, string | null>> = {};
  for (const name of GPSR_FIELDS) {
    const text = fields.get(name);
    if (text === undefined) continue;
    if (name.endsWith('_id') && !/^\d*$/.test(text))
      throw buildRefusal(400, INVENTED_WITH.operatorUnknown(name, text));
    given[name] = text === '' ? null : text;
  }
  return given;
}

/** A finished product that someone else makes now needs a production partner. */
export function checkOrigin(call: Call, fields: Origin): void {
  const { who_made, when_made, is_supply, production_partner_ids } = fields;
  if (who_made !== 'someone_else' || is_supply || production_partner_ids.length > 0) return;
  if (isRecent(when_made, getYear(call))) throw buildRefusal(400, VERBATIM.not_sellable);
}

type Origin = Pick<ListingFields, 'who_made' | 'when_made' | 'is_supply' | 'production_partner_ids'>;

function getYear({ settings, now_ms }: Call): number {
  return settings.calendar_year || new Date(now_ms).getUTCFullYear();
}

export function checkReadinessState(call: Call, shop: Shop, readiness_state_id: number): void {
  if (!findReadinessState(call.db, shop.shop_id, readiness_state_id)) {
    throw buildRefusal(400, notOfShop('readiness_state_id', readiness_state_id));
  }
}

/** Drops undefined values, so that the rest can be merged over existing fields. */
export function dropUndefined<Value extends Record<string, unknown>>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the filter below is what makes it true
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [Key in keyof Value]?: Exclude<Value[Key], undefined>;
  };
}

function toOperation(call: Call): 'createDraftListing' | 'updateListing' {
  return call.params.listing_id === undefined ? 'createDraftListing' : 'updateListing';
}

// Together, the three determine whether a listing is handmade, vintage or a supply; only creation has a
// default for is_supply.
function parseOrigin(call: Call) {
  const { fields } = call;
  const who_made = parseChoice(fields, 'who_made', WHO_MADE);
  const when_made = fields.get('when_made') || undefined;
  const isSupply = parseBoolean(fields, 'is_supply');
  const given = [who_made, when_made, ...(toOperation(call) === 'updateListing' ? [isSupply] : [])];
  const hasSome = given.some((value) => value !== undefined) || isSupply !== undefined;
  if (hasSome && given.includes(undefined)) throw buildRefusal(400, INVENTED.three_belong_together);
  const periods = listPeriods(getYear(call));
  if (when_made !== undefined && !periods.includes(when_made)) {
    throw buildRefusal(400, INVENTED_WITH.periodUnknown(when_made, periods));
  }
  return { who_made, when_made, is_supply: isSupply };
}

function parseSizes(fields: Fields) {
  const sizes: Partial<Record<(typeof SIZES)[number], number | null>> = {};
  for (const name of SIZES) {
    const size = parseDecimal(fields, name);
    if (size === undefined) continue;
    if (size !== null && size <= 0) throw buildRefusal(400, `The value of ${name} must be greater than 0.`);
    sizes[name] = size;
  }
  return {
    ...sizes,
    item_weight_unit: parseUnit(fields, 'item_weight_unit', WEIGHT_UNITS),
    item_dimensions_unit: parseUnit(fields, 'item_dimensions_unit', DIMENSION_UNITS),
  };
}

/** An empty unit is one of the documented choices, and deletes it. */
function parseUnit(
  fields: Fields,
  name: 'item_weight_unit' | 'item_dimensions_unit',
  choices: readonly string[],
): string | null | undefined {
  return fields.get(name) === '' ? null : parseChoice(fields, name, choices);
}

function checkReferences(call: Call, shop: Shop, given: Partial<ListingFields>): void {
  const { db } = call;
  const { shop_id } = shop;
  if (given.taxonomy_id !== undefined && !findCategory(given.taxonomy_id)) {
    throw buildRefusal(400, `The taxonomy_id ${given.taxonomy_id} does not exist.`);
  }
  checkId('shipping_profile_id', given.shipping_profile_id, (id) => !!findShippingProfile(db, shop_id, id));
  checkId('return_policy_id', given.return_policy_id, (id) =>
    listReturnPolicies(db, shop_id).some((policy) => policy.return_policy_id === id),
  );
  checkId('shop_section_id', given.shop_section_id, (id) =>
    listSections(db, shop_id).some((section) => section.shop_section_id === id),
  );
  for (const id of given.production_partner_ids ?? []) {
    checkId('production_partner_ids', id, () =>
      listProductionPartners(db, shop_id).some((partner) => partner.production_partner_id === id),
    );
  }
}

function checkId(name: string, id: number | null | undefined, isKnown: (id: number) => boolean): void {
  if (id !== undefined && id !== null && !isKnown(id)) throw buildRefusal(400, notOfShop(name, id));
}

function notOfShop(name: string, id: number): string {
  return `The ${name} ${id} does not belong to this shop.`;
}

/* The names of when_made by calendar year: those of the document of 2026-09-26, and names with the same
   pattern for other years. The product computes its own; see choices.ts. */
const OLD = '1990s 1980s 1970s 1960s 1950s 1940s 1930s 1920s 1910s 1900s 1800s 1700s before_1700'.split(' ');

export function listPeriods(year: number): string[] {
  const decade = year - (year % 10);
  const vintage = year - 19;
  const split = vintage - (vintage % 10);
  const whole = [];
  for (let from = decade - 10; from > split; from -= 10) whole.push(`${from}_${from + 9}`);
  const parts =
    vintage === split
      ? [`${split}_${split + 9}`, `before_${vintage}`, `${split - 10}_${split - 1}`]
      : [`${vintage}_${split + 9}`, `before_${vintage}`, `${split}_${vintage - 1}`];
  const earlier = split > 2000 && vintage !== split ? [`${split - 10}_${split - 1}`] : [];
  return ['made_to_order', `${decade}_${year}`, ...whole, ...parts, ...earlier, ...OLD];
}

/** The periods of things that are not vintage: those before `before_…`. */
function isRecent(period: string, year: number): boolean {
  const periods = listPeriods(year);
  const vintage_from = periods.findIndex((one) => one.startsWith('before_'));
  return periods.indexOf(period) < vintage_from;
}
