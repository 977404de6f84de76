import { MarketplaceError, type ListingChanges, type MarketplaceListing } from '../../ports/index.js';
import { hasValue } from '../snapshot/difference.js';
import { getListing, getListingId, getListingType, keepWritten, type Context } from '../engine/context.js';
import type { Step } from '../engine/step.js';
import { write } from '../engine/write.js';
import { MADE } from '../listing_fields.js';
import { readToCompare, readToWrite } from '../engine/read.js';
import { attributesStep, writeAttributes } from './attributes.js';
import { expectOwnImages, keepOrder } from './photos/step.js';
import { isInOrder, listMediaIds } from '../engine/media_ids.js';
import { listPhotoParts } from './photos/photos.js';

/** All fields of the listing and the order of its photos in one write. A new title removes the translations. */
export const fieldsStep = {
  name: 'fields',
  work: 'change_fields',
  isOpen: (cx: Context) => Object.keys(listChanges(cx)).length > 0,
  async run(cx: Context) {
    try {
      await writeFields(cx);
    } catch (cause) {
      if (!isCategoryRefused(cx, cause)) throw cause;
      await writeAttributes(cx).catch((failure: unknown) => {
        throw failure instanceof MarketplaceError ? cause : failure;
      });
      await writeFields(cx);
    }
  },
} satisfies Step;

/**
 * A listing on sale may need the attributes its new category requires before it can enter that category. Usually
 * attributes are written after the category, since the marketplace may accept an attribute only in its own
 * category.
 */
function isCategoryRefused(cx: Context, cause: unknown): boolean {
  const isRefused = cause instanceof MarketplaceError && cause.failure === 'refused';
  return isRefused && 'taxonomy_id' in listChanges(cx) && attributesStep.isOpen(cx);
}

async function writeFields(cx: Context): Promise<void> {
  const { ports, shop, stale } = cx;
  // Sending photos takes minutes. In that time, others may have changed the fields to write.
  if (stale.size > 0 && listFields(cx).length > 0) await readToWrite(cx, ['listing'], 'listing');
  const changes = listChanges(cx);
  if (Object.keys(changes).length === 0) return;
  const asked_ms = ports.clock.monotonic();
  const listing = await write(
    cx,
    ['listing', 'translations', ...(changes.image_ids ? listPhotoParts(cx) : [])],
    (options) =>
      ports.marketplace.updateListing(shop, getListingId(cx), getListingType(cx), changes, options),
    readToCompare(cx, ['listing', 'images', 'translations'], () => !fieldsStep.isOpen(cx)),
    async () => {
      await readToWrite(cx, ['listing'], 'listing');
      if (!changes.image_ids) return;
      stale.add('images');
      await expectOwnImages(cx);
    },
  );
  if (listing) {
    keepWritten(cx, listing, asked_ms, changes.production_partner_ids);
    if (changes.title !== undefined && cx.fresh.translations) cx.fresh.translations = [];
  }
  if (changes.image_ids) keepOrder(cx);
  cx.report(describe(changes));
}

/** The fields that differ from the target, and the order of the photos. */
function listChanges(cx: Context): ListingChanges {
  const order = isInOrder(cx, 'images') ? {} : { image_ids: listMediaIds(cx, 'images') };
  return { ...withMade(Object.fromEntries(listFields(cx)), cx), ...order };
}

/**
 * The marketplace accepts who made it, when, and whether it is a supply only together, including the unchanged
 * ones.
 */
function withMade(changes: Record<string, unknown>, cx: Context): Record<string, unknown> {
  if (!MADE.some((field) => field in changes)) return changes;
  const { fields = {} } = cx.target;
  const listing = getListing(cx);
  const made = MADE.map((field) => [field, fields[field] ?? listing[field]] as const);
  return { ...changes, ...Object.fromEntries(made.filter(([, value]) => value !== null)) };
}

function listFields(cx: Context): [string, unknown][] {
  const { fields = {} } = cx.target;
  const listing = getListing(cx);
  return Object.entries(fields).filter(
    ([field, value]) => value !== undefined && !hasValue(listing[field as keyof MarketplaceListing], value),
  );
}

function describe({ image_ids, ...fields }: ListingChanges): string {
  const names = Object.keys(fields).map((field) => field.replaceAll('_', ' '));
  return [...names, ...(image_ids ? ['order of photos'] : [])].join(', ');
}
