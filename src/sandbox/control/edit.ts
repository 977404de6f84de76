import { INVENTED } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import { GPSR_FIELDS, LISTING_STATES, type GpsrField } from '../rules/choices.js';
import { applyInventory } from '../rules/inventory.js';
import { toEndingAt } from '../rules/new_listing.js';
import { parseQuestions, toQuestion } from '../rules/personalization.js';
import { sellOut } from '../rules/stock.js';
import { listQuestions, saveQuestions, saveVariationImages } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import type { Product } from '../store/inventory.js';
import { saveListing } from '../store/listings.js';
import type { Listing, ListingFields, ListingState } from '../store/listings.js';
import { editAttribute, editFiles, editImages, editTranslation, toVariationImages } from './edit_parts.js';
import { findNamedProduct } from './products.js';
import { parseId, parseList, parseObject, refuseUnknown } from './requests.js';
import type { JsonObject } from './requests.js';

/** Types of the fields; those with a question mark can be null. */
const FIELD_KINDS = {
  title: 'text',
  description: 'text',
  tags: 'texts',
  materials: 'texts',
  styles: 'texts',
  taxonomy_id: 'number',
  who_made: 'text',
  when_made: 'text',
  is_supply: 'flag',
  shipping_profile_id: 'number?',
  return_policy_id: 'number?',
  shop_section_id: 'number?',
  production_partner_ids: 'numbers',
  item_weight: 'number?',
  item_weight_unit: 'text?',
  item_length: 'number?',
  item_width: 'number?',
  item_height: 'number?',
  item_dimensions_unit: 'text?',
  is_customizable: 'flag',
  is_taxable: 'flag',
  should_auto_renew: 'flag',
  featured_rank: 'number?',
} as const satisfies Partial<Record<keyof ListingFields, string>>;

const PARTS = [
  'products',
  'images',
  'files',
  'variation_images',
  'attributes',
  'personalization',
  'translations',
  'state',
  'ends_at_epoch_s',
] as const;
export const EDITABLE: readonly string[] = [...Object.keys(FIELD_KINDS), ...GPSR_FIELDS, ...PARTS];

/**
 * Edits a listing as its seller does on the marketplace's site, without any application: changes exactly the
 * named parts, even where the API would change more. Body, any of:
 * - the fields of FIELD_KINDS, and those of product safety;
 * - `products: [{sku | values: {"Size": "Large"}, sku_new?, price?, quantity?, is_enabled?,
 *   readiness_state_id?}]`, prices in major units; the only product of a listing need not be named; product
 *   ids stay;
 * - `images: [{listing_image_id?, alt_text?}]`, the whole set in its order; without an id a new one is drawn;
 * - `files: [{listing_file_id | name}]` of a digital listing, the whole set in its order; one with a name is
 *   new;
 * - `variation_images: [{property_id, value, listing_image_id}] | null`;
 * - `attributes: {"<property_id>": {value_ids, values, scale_id?} | null}`;
 * - `personalization: [questions as the API takes them] | null`;
 * - `translations: {de: {title, description, tags?} | null}`;
 * - `state`, any of them, and `ends_at_epoch_s`.
 */
export function editListing(db: Database, listing: Listing, body: JsonObject, now_ms: number): Listing {
  refuseUnknown(body, EDITABLE);
  const { listing_id } = listing;
  const gpsr = { ...listing.fields.gpsr, ...parseProductSafety(body) };
  const fields = { ...listing.fields, ...parseFields(body), gpsr };
  let edited = editProducts({ ...listing, fields, updated_at: now_ms }, body, now_ms);
  if (body.images !== undefined) editImages(db, edited, parseList(body, 'images'), now_ms);
  if (body.files !== undefined) editFiles(db, edited, parseList(body, 'files'), now_ms);
  if (body.variation_images !== undefined) {
    const images = body.variation_images === null ? [] : parseList(body, 'variation_images');
    saveVariationImages(db, listing_id, toVariationImages(edited, images));
  }
  for (const [property_id, value] of listEntries(body.attributes)) {
    editAttribute(db, edited, Number(property_id), value);
  }
  if (body.personalization !== undefined) {
    const sent =
      body.personalization === null
        ? []
        : parseQuestions(
            { personalization_questions: body.personalization },
            listQuestions(db, listing_id),
            true,
          );
    saveQuestions(
      db,
      listing_id,
      sent.map((question) => toQuestion(db, question)),
    );
  }
  for (const [language, value] of listEntries(body.translations)) {
    editTranslation(db, listing_id, language, value);
  }
  if (body.state !== undefined) edited = enterState(edited, parseState(body.state), now_ms);
  if (body.ends_at_epoch_s !== undefined) {
    edited = { ...edited, ending_at: parseId(body, 'ends_at_epoch_s') * 1000 };
  }
  saveListing(db, edited);
  return edited;
}

export function parseState(value: unknown): ListingState {
  const state = LISTING_STATES.find((candidate) => candidate === value);
  if (!state) throw buildRefusal(400, `state must be one of ${LISTING_STATES.join(', ')}.`);
  return state;
}

/**
 * States that only buyers, time, sellers or the marketplace itself cause, with the fields that go with them.
 * No fee.
 */
export function enterState(listing: Listing, state: ListingState, now_ms: number): Listing {
  const entered = { ...listing, state, state_at: now_ms, updated_at: now_ms };
  if (state === 'sold_out') return sellOut(entered, now_ms);
  if (state === 'expired') return { ...entered, ending_at: Math.min(listing.ending_at, now_ms) };
  const isOver = state === 'active' && listing.ending_at <= now_ms;
  return isOver ? { ...entered, ending_at: toEndingAt(now_ms) } : entered;
}

function parseFields(body: JsonObject): Partial<ListingFields> {
  const given = Object.entries(FIELD_KINDS).filter(([name]) => body[name] !== undefined);
  for (const [name, kind] of given) {
    const value = body[name];
    if (!isOfKind(value, kind)) throw buildRefusal(400, `${name} has the wrong type.`);
  }
  return Object.fromEntries(given.map(([name]) => [name, body[name]]));
}

function parseProductSafety(body: JsonObject): Partial<Record<GpsrField, string | null>> {
  const given = GPSR_FIELDS.filter((name) => body[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => {
      const value = body[name];
      if (value !== null && typeof value !== 'string' && typeof value !== 'number') {
        throw buildRefusal(400, `${name} has the wrong type.`);
      }
      return [name, value === null ? null : String(value)];
    }),
  );
}

function isOfKind(value: unknown, kind: string): boolean {
  if (value === null) return kind.endsWith('?');
  const plain = kind.replace('?', '');
  if (plain === 'flag') return typeof value === 'boolean';
  if (plain === 'text') return typeof value === 'string';
  if (plain === 'number') return typeof value === 'number';
  const type = plain === 'texts' ? 'string' : 'number';
  return Array.isArray(value) && value.every((item) => typeof item === type);
}

function editProducts(listing: Listing, body: JsonObject, now_ms: number): Listing {
  if (body.products === undefined) return listing;
  let products = listing.inventory.products;
  for (const entry of parseList(body, 'products')) {
    const change = parseObject(entry);
    const current = { ...listing, inventory: { ...listing.inventory, products } };
    const only = products.length === 1 ? products[0] : undefined;
    const product = findNamedProduct(current, change) ?? only;
    if (!product) throw buildRefusal(400, INVENTED.product_not_one);
    const edited = editProduct(product, change);
    products = products.map((other) => (other === product ? edited : other));
  }
  return applyInventory(listing, { ...listing.inventory, products }, now_ms);
}

function editProduct(product: Product, change: JsonObject): Product {
  refuseUnknown(change, [
    'sku',
    'values',
    'sku_new',
    'price',
    'quantity',
    'is_enabled',
    'readiness_state_id',
  ]);
  const { sku_new = product.sku, price, is_enabled = product.offering.is_enabled } = change;
  if (typeof sku_new !== 'string') throw buildRefusal(400, 'sku_new must be a string.');
  if (typeof is_enabled !== 'boolean') throw buildRefusal(400, 'is_enabled must be a boolean.');
  if (price !== undefined && typeof price !== 'number') throw buildRefusal(400, 'price must be a number.');
  const parseOr = (name: string, otherwise: number): number =>
    change[name] === undefined ? otherwise : parseId(change, name);
  const { offering } = product;
  return {
    ...product,
    sku: sku_new,
    offering: {
      ...offering,
      is_enabled,
      price_amount: price === undefined ? offering.price_amount : Math.round(price * 100),
      quantity: parseOr('quantity', offering.quantity),
      readiness_state_id:
        change.readiness_state_id === undefined
          ? offering.readiness_state_id
          : parseId(change, 'readiness_state_id'),
    },
  };
}

function listEntries(value: unknown): [string, unknown][] {
  return value === undefined ? [] : Object.entries(parseObject(value));
}
