import { MarketplaceError, type Marketplace } from '../../ports/index.js';
import type { ChangeAction, ShopPlan } from '../../ports/listing/plan.js';
import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import { hasVariations, readSnapshot } from '../snapshot/read.js';
import { callRepeatably } from './attempt.js';
import { getListingId, type Context, type Patience } from './context.js';
import { listActionParts } from '../decide/decide_action.js';

/** Reads parts of the listing into `fresh`. */
export async function readParts(cx: Context, parts: readonly SnapshotPart[]): Promise<void> {
  const { shop, ports, stale } = cx;
  const marketplace = withPatience(ports.marketplace, cx);
  const asked_ms = ports.clock.monotonic();
  const snapshot: Partial<ListingSnapshot> = await readSnapshot(
    marketplace,
    shop,
    getListingId(cx),
    parts,
  ).catch(async (cause: unknown) => {
    const isMissing = cause instanceof MarketplaceError && cause.failure === 'not_found';
    if (isMissing && (await isGone(marketplace, cx))) cx.gone_asked_ms = asked_ms;
    throw cause;
  });
  for (const part of Object.keys(snapshot) as SnapshotPart[]) stale.delete(part);
  cx.fresh = { ...cx.fresh, ...snapshot };
  if (snapshot.listing) cx.listing_asked_ms = asked_ms;
}

/** Reads parts of the listing, and returns whether it is then as wanted. */
export function readToCompare(cx: Context, parts: readonly SnapshotPart[], isAsWanted: () => boolean) {
  return async (): Promise<boolean> => {
    await readParts(cx, parts);
    return isAsWanted();
  };
}

/**
 * Reads parts of the listing before a write of one of them, and checks that one. @throws DriftError as `guard` does
 */
export async function readToWrite(
  cx: Context,
  parts: readonly SnapshotPart[],
  part: SnapshotPart,
): Promise<void> {
  await readParts(cx, parts);
  cx.guard({ [part]: cx.fresh[part] });
}

/** Lists lag, so this reads missing items up to twice more. @param read returns whether everything is shown */
export async function readUntilShown(
  { pause, settle_ms }: Pick<Context, 'pause' | 'settle_ms'>,
  read: () => Promise<boolean>,
): Promise<void> {
  for (const pause_ms of [0, settle_ms, settle_ms / 10]) {
    if (pause_ms > 0) await pause(pause_ms);
    if (await read()) return;
  }
}

/** Whether the marketplace does not know the listing itself, rather than a part of it. */
function isGone(marketplace: Marketplace, cx: Context): Promise<boolean> {
  return marketplace.getListing(cx.shop, getListingId(cx)).then(
    () => false,
    (cause: unknown) => cause instanceof MarketplaceError && cause.failure === 'not_found',
  );
}

/** Retries reads while the marketplace does not respond. */
function withPatience(marketplace: Marketplace, patience: Patience): Marketplace {
  return new Proxy(marketplace, {
    get: (target, name: keyof Marketplace) => {
      const read = target[name] as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => callRepeatably(patience, () => read(...args));
    },
  });
}

/**
 * Reads the parts an update is decided on. Reads photos of variations only if there may be some: the snapshot has
 * some, or the listing has changed since.
 * @param read reads parts, and returns all parts read so far
 */
export async function readForAction(
  { action }: Pick<ShopPlan<ChangeAction>, 'action'>,
  baseline: KeptSnapshot | undefined,
  read: (parts: readonly SnapshotPart[]) => Promise<Partial<ListingSnapshot>>,
): Promise<Partial<ListingSnapshot>> {
  const parts = new Set<SnapshotPart>(['listing', ...listActionParts(action)]);
  const isAsked = parts.delete('variation_images');
  const fresh = await read([...parts]);
  if (!isAsked || (fresh.inventory && !hasVariations(fresh.inventory))) {
    return isAsked ? { ...fresh, variation_images: [] } : fresh;
  }
  return mayHaveVariationImages(baseline, fresh)
    ? read(['variation_images'])
    : { ...fresh, variation_images: [] };
}

function mayHaveVariationImages(
  baseline: KeptSnapshot | undefined,
  { listing }: Partial<ListingSnapshot>,
): boolean {
  if (baseline?.variation_images?.length !== 0 || !baseline.listing || !listing) return true;
  return listing.updated_at_epoch_s > baseline.listing.updated_at_epoch_s;
}
