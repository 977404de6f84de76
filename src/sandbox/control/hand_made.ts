import { INVENTED } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import { applyInventory, buildInventory } from '../rules/inventory.js';
import type { SentProduct, SentValue } from '../rules/inventory_request.js';
import { LISTING_DEFAULTS, toEndingAt } from '../rules/new_listing.js';
import type { Database } from '../store/database.js';
import { buildSingleInventory } from '../store/inventory.js';
import { insertListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { listPictures } from '../store/pictures.js';
import { takeId } from '../store/sequences.js';
import {
  listReadinessStates,
  listReturnPolicies,
  listSections,
  listShippingProfiles,
} from '../store/shop_settings.js';
import { EDITABLE, editListing } from './edit.js';
import { parseId, parseList, parseObject, parseTextList, refuseUnknown } from './requests.js';
import type { JsonObject } from './requests.js';

const MOST = 200;
const MUGS = 1062;
const TITLE = 'Stoneware Mug';

type Variation = { property_id: number; name: string; values: string[] };

const GLAZES: Variation = { property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] };
const SIZES: Variation = { property_id: 514, name: 'Size', values: ['Small', 'Medium', 'Large'] };
const ATTRIBUTE = { 185: { value_ids: [5203], values: ['12'], scale_id: 331 } };
const QUESTIONS = [
  {
    question_text: 'Name on the mug',
    question_type: 'text_input',
    instructions: 'Up to 20 letters',
    required: false,
    max_allowed_characters: 20,
    add_on_price: 3.5,
  },
  {
    question_text: 'Ribbon',
    question_type: 'dropdown',
    required: false,
    options: [{ label: 'None' }, { label: 'Red' }, { label: 'Linen' }],
  },
];
const TRANSLATIONS = {
  de: {
    title: 'Becher aus Steinzeug',
    description: 'Ein Becher, von Hand gedreht.',
    tags: ['becher', 'steinzeug'],
  },
  fr: { title: 'Tasse en grès', description: 'Une tasse tournée à la main.', tags: ['tasse', 'grès'] },
};

/**
 * Creates listings as a seller does on the marketplace's site: complete and active, without a fee. Body:
 * `{shop_id, count?, is_plain?, variations?}` and everything that editListing takes, which replaces the
 * defaults:
 * - a mug with a section, a return policy, the shop's first shipping and processing profile and
 *   should_auto_renew off;
 * - two glazes in three sizes (`variations: [{property_id, name?, values}]`, up to three of them, `[]` for
 *   none): the price is 20 plus one for each value of the last variation, the quantity 5, the SKU
 *   `MUG-<listing_id>-<n>`, n from 1;
 * - three photos with alt text, the first two for the glazes; an attribute, two questions, translations into
 *   de and fr. `is_plain`: one product and one photo, and none of the rest. `count`: how many to create, with
 *   numbered titles.
 */
export function makeByHand(db: Database, body: JsonObject, now_ms: number): Record<string, unknown> {
  refuseUnknown(body, ['shop_id', 'count', 'is_plain', 'variations', ...EDITABLE]);
  const count = body.count === undefined ? 1 : parseId(body, 'count');
  if (count < 1 || count > MOST) throw buildRefusal(400, `count must be 1 to ${MOST}.`);
  const { title = TITLE } = body;
  const listing_ids = Array.from({ length: count }, (_, index) =>
    makeOne(db, { ...body, title: count === 1 ? title : `${String(title)} ${index + 1}` }, now_ms),
  );
  return { listing_ids };
}

function makeOne(db: Database, body: JsonObject, now_ms: number): number {
  const { shop_id: _shop, count: _count, is_plain, variations: given, ...edit } = body;
  const variations = given === undefined ? (is_plain === true ? [] : [GLAZES, SIZES]) : parseVariations(body);
  const listing = insertBase(db, body, variations, now_ms);
  if (is_plain === true) {
    editListing(db, listing, { images: [{}], ...edit }, now_ms);
    return listing.listing_id;
  }
  const images = [1, 2, 3].map((index) => ({ alt_text: `The mug, view ${index} & details` }));
  const rest = {
    ...(listing.fields.taxonomy_id === MUGS && { attributes: ATTRIBUTE }),
    personalization: QUESTIONS,
    translations: TRANSLATIONS,
  };
  const { variation_images, ...first } = edit;
  const made = editListing(db, listing, { images, ...rest, ...first }, now_ms);
  const own = given === undefined ? pairGlazes(db, listing.listing_id) : [];
  editListing(db, made, { variation_images: variation_images ?? own }, now_ms);
  return listing.listing_id;
}

/** The first photos for the glazes, as many as there are. */
function pairGlazes(db: Database, listing_id: number): JsonObject[] {
  const pictures = listPictures(db, listing_id);
  const { property_id, values } = GLAZES;
  return values.flatMap((value, index) => {
    const picture = pictures[index];
    return picture ? [{ property_id, value, listing_image_id: picture.listing_image_id }] : [];
  });
}

function insertBase(
  db: Database,
  body: JsonObject,
  variations: readonly Variation[],
  now_ms: number,
): Listing {
  const shop_id = parseId(body, 'shop_id');
  const [profile] = listShippingProfiles(db, shop_id);
  const [readiness] = listReadinessStates(db, shop_id);
  if (!profile || !readiness) throw buildRefusal(404, INVENTED.shop_not_found);
  const { readiness_state_id } = readiness;
  const plain = { price_amount: 2_000, quantity: 5, readiness_state_id };
  const listing_id = takeId(db, 'listing');
  const listing: Listing = {
    listing_id,
    shop_id,
    state: 'active',
    is_seeded: false,
    is_frozen: false,
    created_at: now_ms,
    updated_at: now_ms,
    state_at: now_ms,
    ending_at: toEndingAt(now_ms),
    fields: {
      ...LISTING_DEFAULTS,
      ...plain,
      title: TITLE,
      description: 'Thrown by hand & glazed twice.\n\nHolds "a lot".',
      tags: ['mug', 'stoneware', 'hand thrown'],
      materials: ['stoneware', 'glaze'],
      styles: ['Rustic'],
      listing_type: 'physical',
      taxonomy_id: typeof body.taxonomy_id === 'number' ? body.taxonomy_id : MUGS,
      who_made: 'i_did',
      when_made: 'made_to_order',
      shipping_profile_id: profile.shipping_profile_id,
      return_policy_id: listReturnPolicies(db, shop_id)[0]?.return_policy_id ?? null,
      shop_section_id: listSections(db, shop_id)[0]?.shop_section_id ?? null,
      is_customizable: true,
      item_weight: 0.4,
      item_weight_unit: 'kg',
    },
    inventory: buildSingleInventory(db, plain),
  };
  const ids = variations.map(({ property_id }) => property_id);
  const sent = {
    products: combine(variations).map((property_values, index): SentProduct => ({
      ...plain,
      sku: `MUG-${listing_id}-${index + 1}`,
      property_values,
      price_amount: plain.price_amount + 100 * (index % (variations.at(-1)?.values.length ?? 1)),
      is_enabled: true,
    })),
    price_on_property: ids.slice(-1),
    quantity_on_property: ids,
    sku_on_property: ids,
    readiness_state_on_property: [],
  };
  const made = applyInventory(listing, buildInventory(db, listing, sent, 3), now_ms);
  insertListing(db, made);
  return made;
}

/** Combines every value with every other; the last variation changes fastest. */
function combine(variations: readonly Variation[]): SentValue[][] {
  return variations.reduce<SentValue[][]>(
    (rows, { property_id, name, values }) =>
      rows.flatMap((row) =>
        values.map((value) => [
          ...row,
          { property_id, property_name: name, scale_id: null, value_ids: [], values: [value] },
        ]),
      ),
    [[]],
  );
}

function parseVariations(body: JsonObject): Variation[] {
  return parseList(body, 'variations').map((entry) => {
    const variation = parseObject(entry);
    refuseUnknown(variation, ['property_id', 'name', 'values']);
    const name = typeof variation.name === 'string' ? variation.name : '';
    return {
      property_id: parseId(variation, 'property_id'),
      name,
      values: parseTextList(variation, 'values'),
    };
  });
}
