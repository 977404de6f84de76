import type { CategorySchema } from '../../../../../schemas/category.js';
import type { Warning } from '../../../../../schemas/job.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import type { ListingChanges as FieldChanges } from '../../../ports/index.js';
import type { MediaChange, ShopChanges } from '../../../ports/listing/changes.js';
import { isList, isNamed, UPDATED } from '../../listing_fields.js';
import { toAttributes } from '../../preflight/attributes.js';
import { toDraft } from '../../preflight/build_plan.js';
import { toFileNames } from '../../preflight/file_name.js';
import { toMediaKey } from '../../preflight/media.js';
import { getShopTarget, listImageOrder } from '../../requests/request.js';
import { toOfferingKey } from '../../rules/variation_rules.js';
import type { ChangeInput } from './change_input.js';
import { compileInventoryChange } from './compile_inventory.js';

/** Translates a change into the marketplace's form, for one shop. */
export function compileChanges(input: ChangeInput): { changes: ShopChanges; warnings: Warning[] } {
  const { request, changed, schema } = input;
  const fields = compileFields(input);
  const { change: inventory, warnings } = compileInventoryChange(input);
  const personalization = compilePersonalization(request, changed);
  const isPart = (path: string) => changed.some((one) => one === path || one.startsWith(`${path}.`));
  const changes: ShopChanges = {
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(isPart('images') && { images: listPhotos(input) }),
    ...(isPart('videos') && { videos: listVideos(input) }),
    ...(isPart('digital_files') && { files: listFiles(input) }),
    ...(inventory && { inventory }),
    ...(isPart('category_attributes') && { attributes: compileAttributes(input, schema) }),
    ...(personalization && { personalization }),
    ...(isPart('variations.variation_images') && { variation_images: compileVariationImages(input) }),
  };
  return { changes, warnings };
}

function compileFields({ request, changed, index }: ChangeInput): FieldChanges {
  const target = getShopTarget(request, index);
  const when_made = request.listing.when_made ?? '';
  const draft = toDraft(request, target, { price: 0, quantity: 1, readiness_state_id: undefined, when_made });
  const named = UPDATED.filter((field) => isNamed(field, index, changed));
  return Object.fromEntries(named.map((field) => [field, draft[field] ?? (isList(field) ? [] : null)]));
}

/** In the order buyers see them. */
function listPhotos(input: ChangeInput): MediaChange[] {
  const { images = [] } = input.request;
  return listImageOrder(images).map((at) => toPhoto(input, at));
}

function toPhoto({ request, files, media_ids }: ChangeInput, at: number): MediaChange {
  const { url = '', alt_text } = request.images?.[at] ?? {};
  return {
    url,
    path: `changes.images[${at}]`,
    id: media_ids.images.get(url) ?? null,
    file: files.get(toMediaKey('image', url)) ?? null,
    ...(alt_text === undefined ? {} : { alt_text: alt_text.trim() }),
  };
}

function listVideos({ request, files, media_ids }: ChangeInput): MediaChange[] {
  return (request.videos ?? []).map(({ url }, at) => ({
    url,
    path: `changes.videos[${at}]`,
    id: media_ids.videos.get(url) ?? null,
    file: files.get(toMediaKey('video', url)) ?? null,
  }));
}

function listFiles({ request, files, media_ids }: ChangeInput): MediaChange[] {
  const given = request.digital_files ?? [];
  const found = given.map(({ url }) => files.get(toMediaKey('digital', url)));
  const names = toFileNames(given.map(({ name }, at) => ({ name, filename: found[at]?.filename ?? '' })));
  return given.map(({ url }, at) => {
    const file = found[at];
    return {
      url,
      path: `changes.digital_files[${at}]`,
      id: media_ids.files.get(url) ?? null,
      file: file ? { ...file, filename: names[at] ?? file.filename } : null,
    };
  });
}

function compileAttributes(
  { saved, request, changed }: ChangeInput,
  schema: CategorySchema | undefined,
): NonNullable<ShopChanges['attributes']> {
  const isWhole = changed.includes('category_attributes');
  const keys = isWhole
    ? Object.keys(saved.category_attributes ?? {})
    : changed.flatMap((path) => /^category_attributes\.(.+)$/s.exec(path)?.[1] ?? []);
  const given = Object.fromEntries(
    Object.entries(request.category_attributes ?? {}).filter(([key]) => keys.includes(key)),
  );
  const set = schema ? toAttributes({ category_attributes: given }, schema) : [];
  return keys.map((key) => {
    const property_id = Number(key);
    return { property_id, attribute: set.find((attribute) => attribute.property_id === property_id) ?? null };
  });
}

/**
 * Compiles only the named fields, or all of them when personalization is switched on. Switches it off only on
 * request: fields alone change nothing while it is off, since a listing may have questions that a request cannot
 * express.
 */
function compilePersonalization(
  { personalization }: ListingRequest,
  changed: readonly string[],
): ShopChanges['personalization'] {
  const named = changed.filter((path) => /^personalization(?:\.|$)/.test(path));
  if (named.length === 0) return undefined;
  if (personalization?.enabled !== true) {
    const isOff = named.some((path) => path === 'personalization' || path === 'personalization.enabled');
    return isOff ? { enabled: false } : undefined;
  }
  const { is_required, instructions, max_chars } = personalization;
  const isAll = changed.includes('personalization.enabled');
  const isNamed = (field: string) => isAll || changed.includes(`personalization.${field}`);
  return {
    enabled: true,
    ...(isNamed('is_required') && { is_required: is_required ?? false }),
    ...(isNamed('instructions') && { instructions: instructions?.trim() || null }),
    ...(isNamed('max_chars') && { max_chars: max_chars ?? 256 }),
  };
}

function compileVariationImages(input: ChangeInput): ShopChanges['variation_images'] {
  const { variation_images: photos, properties = [] } = input.request.variations ?? {};
  const name = toOfferingKey(photos?.property ?? '');
  const property = properties.find((candidate) => toOfferingKey(candidate.name) === name);
  const entries = Object.entries(photos?.mapping ?? {});
  if (!property || entries.length === 0) return null;
  return {
    property_id: property.property_id,
    images: entries.map(([value, at]) => ({
      value,
      photo: { ...toPhoto(input, at), path: `changes.variations.variation_images.mapping.${value}` },
    })),
  };
}
