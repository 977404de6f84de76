import { MarketplaceError, type ListingChanges, type MarketplaceListing } from '../../ports/index.js';
import { hasValue } from '../snapshot/difference.js';
import { getListing, getListingType, keepWritten, type Changing } from '../engine/context.js';
import type { ChangeStep } from '../engine/step.js';
import { write } from '../engine/write.js';
import { MADE } from '../listing_fields.js';
import { readToCompare, readToWrite } from '../engine/read.js';
import { attributesStep, writeAttributes } from './attributes.js';
import { expectOwnImages, isInOrder, keepOrder } from './photos/step.js';
import { listMediaIds } from '../engine/media_ids.js';
import { listPhotoParts } from './photos/photos.js';

/** All fields of the listing and the order of its photos in one write. A new title removes the translations. */
export const fieldsStep: ChangeStep = {
  name: 'fields',
  work: 'change_fields',
  isOpen: (changing) => Object.keys(listChanges(changing)).length > 0,
  async run(changing) {
    try {
      await writeFields(changing);
    } catch (cause) {
      if (!isCategoryRefused(changing, cause)) throw cause;
      await writeAttributes(changing).catch((failure: unknown) => {
        throw failure instanceof MarketplaceError ? cause : failure;
      });
      await writeFields(changing);
    }
  },
};

/**
 * A listing on sale may need the attributes its new category requires before it can enter that category. Usually
 * attributes are written after the category, since the marketplace may accept an attribute only in its own
 * category.
 */
function isCategoryRefused(changing: Changing, cause: unknown): boolean {
  const isRefused = cause instanceof MarketplaceError && cause.failure === 'refused';
  return isRefused && 'taxonomy_id' in listChanges(changing) && attributesStep.isOpen(changing);
}

async function writeFields(changing: Changing): Promise<void> {
  const { ports, shop, update, stale } = changing;
  // Sending photos takes minutes. In that time, others may have changed the fields to write.
  if (stale.size > 0 && listFields(changing).length > 0) await readToWrite(changing, ['listing'], 'listing');
  const changes = listChanges(changing);
  if (Object.keys(changes).length === 0) return;
  const asked_ms = ports.clock.monotonic();
  const listing = await write(
    changing,
    ['listing', 'translations', ...(changes.image_ids ? listPhotoParts(changing) : [])],
    (options) =>
      ports.marketplace.updateListing(shop, update.listing_id, getListingType(changing), changes, options),
    readToCompare(changing, ['listing', 'images', 'translations'], () => !fieldsStep.isOpen(changing)),
    async () => {
      await readToWrite(changing, ['listing'], 'listing');
      if (!changes.image_ids) return;
      stale.add('images');
      await expectOwnImages(changing);
    },
  );
  if (listing) {
    keepWritten(changing, listing, asked_ms, changes.production_partner_ids);
    if (changes.title !== undefined && changing.fresh.translations) changing.fresh.translations = [];
  }
  if (changes.image_ids) keepOrder(changing);
  changing.report(describe(changes));
}

/** The fields that differ from the target, and the order of the photos. */
function listChanges(changing: Changing): ListingChanges {
  const order = isInOrder(changing) ? {} : { image_ids: listMediaIds(changing, 'images') };
  return { ...withMade(Object.fromEntries(listFields(changing)), changing), ...order };
}

/**
 * The marketplace accepts who made it, when, and whether it is a supply only together, including the unchanged
 * ones.
 */
function withMade(changes: Record<string, unknown>, changing: Changing): Record<string, unknown> {
  if (!MADE.some((field) => field in changes)) return changes;
  const { fields = {} } = changing.target;
  const listing = getListing(changing);
  const made = MADE.map((field) => [field, fields[field] ?? listing[field]] as const);
  return { ...changes, ...Object.fromEntries(made.filter(([, value]) => value !== null)) };
}

function listFields(changing: Changing): [string, unknown][] {
  const { fields = {} } = changing.target;
  const listing = getListing(changing);
  return Object.entries(fields).filter(
    ([field, value]) => value !== undefined && !hasValue(listing[field as keyof MarketplaceListing], value),
  );
}

function describe({ image_ids, ...fields }: ListingChanges): string {
  const names = Object.keys(fields).map((field) => field.replaceAll('_', ' '));
  return [...names, ...(image_ids ? ['order of photos'] : [])].join(', ');
}
