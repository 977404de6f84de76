import { MarketplaceError, type Snapshot } from '../../ports/index.js';
import type {
  KeptSnapshot,
  ListingSnapshot,
  MediaSources,
  SnapshotPart,
} from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import { readSnapshot, SNAPSHOT_PARTS } from '../snapshot/read.js';
import { getPublication, type Context, type SentMedia } from '../engine/context.js';
import { toChangedMedia } from '../engine/media_ids.js';
import type { MediaKind, ChangeProgress } from '../../ports/listing/progress.js';
import { listShownIds } from '../snapshot/shown_ids.js';

/**
 * Reads the listing again, since the marketplace's responses to an earlier run are lost. Without
 * this read, a manual edit would be mistaken for a written value. If the read fails, the baseline stays unknown.
 * @returns whether something was read
 */
export async function readUnknownParts(cx: Context): Promise<boolean> {
  const { ports, shop, listing_pk, listing_id, is_new, publication, target, fresh } = cx;
  if (is_new || listing_id === null || publication.failure) return false;
  const kept = await ports.store.listings.listSnapshots(shop.account_id, listing_pk);
  const known = { ...kept.find(({ shop_id }) => shop_id === shop.shop_id)?.snapshot, ...fresh };
  const asked = SNAPSHOT_PARTS.filter(
    (part) => (part !== 'files' && part !== 'variation_images') || target[part],
  );
  const unknown = asked.filter((part) => known[part] === undefined);
  if (unknown.length === 0) return false;
  try {
    cx.fresh = { ...(await readSnapshot(ports.marketplace, shop, listing_id, unknown)), ...fresh };
    return true;
  } catch (cause) {
    if (!(cause instanceof MarketplaceError)) throw cause;
    return false;
  }
}

/**
 * The snapshot of a listing at the end of its publication, from responses and reads on the way; empty if there were
 * none.
 */
export function listBaseline(cx: Context): Snapshot[] {
  const { shop, fresh, seen, target, sent, is_new } = cx;
  if (Object.keys(fresh).length === 0) return [];
  const { attributes = [] } = target;
  const snapshot: KeptSnapshot = { ...fresh };
  // Activation has changed the listing since it was read. The response to that write has neither SKUs nor
  // production partners.
  const { listing } = fresh;
  if (listing && seen) {
    const { skus, production_partner_ids } = listing;
    snapshot.listing = { ...seen, skus, production_partner_ids };
  }
  if (is_new && listing) {
    snapshot.inventory ??= buildOnlyProduct(cx);
    if (attributes.length === 0) snapshot.attributes ??= [];
  }
  // An attribute that was refused, or whose response was empty, is unknown.
  if ((fresh.attributes ?? []).length < attributes.length) delete snapshot.attributes;
  snapshot.sources = findSources(undefined, target, sent, fresh);
  return [{ shop_id: shop.shop_id, snapshot }];
}

/** The inventory that creating the draft makes if no inventory is written. */
function buildOnlyProduct(cx: Context): KeptSnapshot['inventory'] {
  const { draft, target } = getPublication(cx);
  if (target.inventory) return undefined;
  const { price, quantity, readiness_state_id = null } = draft;
  return {
    products: [{ sku: '', property_values: [], price, quantity, is_enabled: true, readiness_state_id }],
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
    readiness_state_on_property: [],
  };
}

/**
 * The baseline after an update; undefined if it does not change. A part that may have been written and could not be
 * read back stays empty, so that its next read becomes the baseline, unless it is known to have been edited
 * manually.
 */
export function findBaseline(
  progress: ChangeProgress,
  baseline: KeptSnapshot | undefined,
): KeptSnapshot | undefined {
  const { before, target, after, seen, failure, taken_over, overwriting } = progress;
  const pick = (snapshot: KeptSnapshot, isOurs: boolean) =>
    PARTS.filter((part) => part in snapshot && isWritten(part, target) === isOurs);
  if (after) {
    const sources = findSources(baseline?.sources, target, toChangedMedia(progress), after);
    // A failed update accepts nothing, so later checks must still find manual edits in parts it did not write.
    const left = failure ? pick(baseline ?? {}, false).filter((part) => part in after) : [];
    return {
      ...(seen ?? after),
      ...Object.fromEntries(left.map((part) => [part, baseline?.[part]])),
      sources,
    };
  }
  const isEdited = taken_over.some(({ kind }) => kind !== 'sold');
  if (!before || !target || isEdited || failure?.drift || overwriting.length > 0) return undefined;
  return Object.fromEntries(pick(before, true).map((part) => [part, undefined]));
}

function isWritten(part: SnapshotPart, target: Target | null): boolean {
  return WRITTEN_WITH[part].some((written) => target?.[written] !== undefined);
}

/** For each part, the parts of a target whose writes may change it. */
const WRITTEN_WITH: Record<SnapshotPart, readonly (keyof Target)[]> = {
  // A digital file makes the listing digital and removes its variations.
  listing: ['fields', 'state', 'inventory', 'files'],
  inventory: ['inventory', 'fields', 'state', 'files'],
  variation_images: ['variation_images', 'images', 'inventory', 'files'],
  images: ['images'],
  videos: ['videos'],
  files: ['files'],
  // A new category removes attributes that do not fit it.
  attributes: ['attributes', 'fields'],
  questions: ['questions'],
  // A new title, and taking the listing off sale, remove them.
  translations: ['translations', 'fields', 'state'],
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const PARTS = Object.keys(WRITTEN_WITH) as SnapshotPart[];

/**
 * The URLs of the listing's media in the request, including media sent now. A deleted file that is wanted is sent
 * again.
 */
function findSources(
  known: MediaSources | undefined,
  target: Target | null,
  sent: SentMedia,
  after: Partial<ListingSnapshot>,
): MediaSources {
  const find = (kind: MediaKind) => {
    const shown = listShownIds(after, kind);
    const own = (target?.[kind] ?? []).flatMap(({ id, file }, index): [string, string][] => {
      const there = sent.getIds(kind).get(index) ?? id;
      return there !== null && file ? [[String(there), file.url]] : [];
    });
    const all = [...Object.entries(known?.[kind] ?? {}), ...own];
    return Object.fromEntries(all.filter(([id]) => shown?.includes(Number(id)) ?? true));
  };
  return { images: find('images'), videos: find('videos'), files: find('files') };
}
