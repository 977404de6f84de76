import { INVENTED } from '../messages.js';
import { DRAWN_SIZE } from '../pages/drawing.js';
import { buildRefusal } from '../refusal.js';
import { LANGUAGES, LISTING_STATES } from '../rules/choices.js';
import { applyInventory } from '../rules/inventory.js';
import { toEndingAt } from '../rules/new-listing.js';
import { parseQuestions, toQuestion } from '../rules/personalization.js';
import { sellOut } from '../rules/stock.js';
import {
  deleteProperty,
  deleteTranslations,
  listQuestions,
  saveProperty,
  saveQuestions,
  saveTranslation,
  saveVariationImages,
} from '../store/attachments.js';
import type { Database } from '../store/database.js';
import type { Product } from '../store/inventory.js';
import { saveListing } from '../store/listings.js';
import type { Listing, ListingFields, ListingState } from '../store/listings.js';
import { findPicture, hangPictures, insertPicture, listPictures } from '../store/pictures.js';
import { findProperty } from '../taxonomy.js';
import { findNamedProduct } from './products.js';
import { parseId, parseIdList, parseList, parseObject, parseTextList, refuseUnknown } from './requests.js';
import type { JsonObject } from './requests.js';

/** Fields by what they hold; those with a question mark can be null. */
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
  'variation_images',
  'attributes',
  'personalization',
  'translations',
  'state',
  'ends_at_epoch_s',
] as const;
export const EDITABLE: readonly string[] = [...Object.keys(FIELD_KINDS), ...PARTS];

/**
 * Changes a listing as its seller does by hand, behind the back of every application: exactly what is named, whatever the API
 * would take away with it. Body, any of:
 * - the fields of FIELD_KINDS;
 * - `products: [{sku | values: {"Size": "Large"}, sku_new?, price?, quantity?, is_enabled?, readiness_state_id?}]`, prices in major
 *   units; the only product of a listing needs no name; product ids stay;
 * - `images: [{listing_image_id?, alt_text?}]`, the whole set in its order; without an id a new one is drawn;
 * - `variation_images: [{property_id, value, listing_image_id}] | null`;
 * - `attributes: {"<property_id>": {value_ids, values, scale_id?} | null}`;
 * - `personalization: [questions as the API takes them] | null`;
 * - `translations: {de: {title, description, tags?} | null}`;
 * - `state`, any of them, and `ends_at_epoch_s`.
 */
export function editListing(db: Database, listing: Listing, body: JsonObject, now_ms: number): Listing {
  refuseUnknown(body, EDITABLE);
  const { listing_id } = listing;
  const fields = { ...listing.fields, ...parseFields(body) };
  let edited = editProducts({ ...listing, fields, updated_at: now_ms }, body, now_ms);
  if (body.images !== undefined) editImages(db, edited, parseList(body, 'images'), now_ms);
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

/** What only buyers, time, sellers or the marketplace itself bring about, with what is true of it then. No fee. */
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

function editImages(db: Database, listing: Listing, entries: readonly unknown[], now_ms: number): void {
  const { listing_id, shop_id } = listing;
  const hanging = listPictures(db, listing_id);
  const images = entries.map((entry) => {
    const image = parseObject(entry);
    refuseUnknown(image, ['listing_image_id', 'alt_text']);
    const listing_image_id =
      image.listing_image_id === undefined
        ? insertPicture(db, { shop_id, sha256: null, ...DRAWN_SIZE, created_at: now_ms })
        : parseId(image, 'listing_image_id');
    if (findPicture(db, listing_image_id)?.shop_id !== shop_id) {
      throw buildRefusal(400, `The image ${listing_image_id} does not belong to this shop.`);
    }
    const known = hanging.find((picture) => picture.listing_image_id === listing_image_id);
    const alt_text = typeof image.alt_text === 'string' ? image.alt_text : (known?.alt_text ?? '');
    return { listing_image_id, alt_text };
  });
  hangPictures(db, listing_id, images);
}

function toVariationImages({ inventory }: Listing, entries: readonly unknown[]) {
  const values = inventory.products.flatMap(({ property_values }) => property_values);
  return entries.map((entry) => {
    const image = parseObject(entry);
    const property_id = parseId(image, 'property_id');
    const value_id = values.find(
      (value) => value.property_id === property_id && value.values[0] === image.value,
    )?.value_ids[0];
    if (value_id === undefined) {
      throw buildRefusal(400, `The property ${property_id} has no value ${String(image.value)} here.`);
    }
    return { property_id, value_id, image_id: parseId(image, 'listing_image_id') };
  });
}

function editAttribute(db: Database, listing: Listing, property_id: number, value: unknown): void {
  const property = findProperty(listing.fields.taxonomy_id, property_id);
  if (!property) throw buildRefusal(400, `The category has no property ${property_id}.`);
  if (value === null) {
    deleteProperty(db, listing.listing_id, property_id);
    return;
  }
  const attribute = parseObject(value);
  refuseUnknown(attribute, ['value_ids', 'values', 'scale_id']);
  saveProperty(db, listing.listing_id, {
    property_id,
    property_name: property.display_name,
    scale_id: (attribute.scale_id ?? null) === null ? null : parseId(attribute, 'scale_id'),
    value_ids: parseIdList(attribute, 'value_ids'),
    values: parseTextList(attribute, 'values'),
  });
}

function editTranslation(db: Database, listing_id: number, language: string, value: unknown): void {
  if (!LANGUAGES.includes(language)) throw buildRefusal(400, INVENTED.language_unknown);
  if (value === null) {
    deleteTranslations(db, listing_id, language);
    return;
  }
  const words = parseObject(value);
  refuseUnknown(words, ['title', 'description', 'tags']);
  const { title, description } = words;
  if (typeof title !== 'string' || typeof description !== 'string') {
    throw buildRefusal(400, 'A translation has a title and a description.');
  }
  const tags = words.tags === undefined ? [] : parseTextList(words, 'tags');
  saveTranslation(db, listing_id, { language, title, description, tags });
}

function listEntries(value: unknown): [string, unknown][] {
  return value === undefined ? [] : Object.entries(parseObject(value));
}
