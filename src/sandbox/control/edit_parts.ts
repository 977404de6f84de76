import { INVENTED } from '../requests/messages.js';
import { DRAWN_SIZE } from '../pages/drawing.js';
import { buildRefusal } from '../requests/refusal.js';
import { LANGUAGES } from '../rules/choices.js';
import {
  deleteProperty,
  deleteTranslations,
  hangFiles,
  insertFile,
  listFiles,
  saveProperty,
  saveTranslation,
} from '../store/attachments.js';
import type { ListingFile, VariationImage } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import type { Listing } from '../store/listings.js';
import { findPicture, hangPictures, insertPicture, keepBytes, listPictures } from '../store/pictures.js';
import { findProperty } from '../taxonomy.js';
import { parseId, parseIdList, parseObject, parseTextList, refuseUnknown } from './requests.js';

/** Replaces all photos with these, in this order; one without an id is drawn. */
export function editImages(
  db: Database,
  listing: Listing,
  entries: readonly unknown[],
  now_ms: number,
): void {
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

/**
 * Replaces all files of a digital listing with these, in this order; one with a name is new, and a page of
 * text.
 */
export function editFiles(
  db: Database,
  { listing_id, shop_id, fields }: Listing,
  entries: readonly unknown[],
  now_ms: number,
): void {
  if (fields.listing_type !== 'download' || entries.length === 0) {
    throw buildRefusal(400, 'Files are those of a digital listing, which has one at least.');
  }
  const hanging = listFiles(db, listing_id);
  const file_ids = entries.map((entry) => {
    const file = parseObject(entry);
    refuseUnknown(file, ['listing_file_id', 'name']);
    if (typeof file.name === 'string') return insertTextFile(db, { shop_id, name: file.name }, now_ms);
    const listing_file_id = parseId(file, 'listing_file_id');
    if (!hanging.some((known) => known.listing_file_id === listing_file_id)) {
      throw buildRefusal(400, `The listing has no file ${listing_file_id}.`);
    }
    return listing_file_id;
  });
  hangFiles(db, listing_id, file_ids);
}

function insertTextFile(
  db: Database,
  { shop_id, name }: Pick<ListingFile, 'shop_id' | 'name'>,
  created_at: number,
): number {
  const content_type = 'text/plain';
  const bytes = Buffer.from(name);
  return insertFile(db, {
    shop_id,
    name,
    content_type,
    sha256: keepBytes(db, bytes, content_type),
    size_bytes: bytes.length,
    created_at,
  });
}

/** Photos of values; the values are named by their text. */
export function toVariationImages({ inventory }: Listing, entries: readonly unknown[]): VariationImage[] {
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

/** Null deletes it. */
export function editAttribute(db: Database, listing: Listing, property_id: number, value: unknown): void {
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

/** Null deletes it, which no call of the API does. */
export function editTranslation(db: Database, listing_id: number, language: string, value: unknown): void {
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
