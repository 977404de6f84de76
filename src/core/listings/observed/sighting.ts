import {
  MarketplaceError,
  type AgedSighting,
  type Clock,
  type Inventory,
  type MarketplaceListing,
  type SeenListing,
  type ShownFields,
} from '../../ports/index.js';
import { SIGHTED } from '../listing_fields.js';
import { toProductKey } from '../snapshot/compare_inventory.js';

type Products = Pick<Inventory, 'products'>;

/** Stands for an inventory that the marketplace refused to return: it was requested, and has no prices. */
export const REFUSED_INVENTORY: Products = { products: [] };

/** Whether the marketplace refuses the requested data; any other failure may be temporary. */
export function isRefused(cause: unknown): boolean {
  return cause instanceof MarketplaceError && (cause.failure === 'not_found' || cause.failure === 'refused');
}

/**
 * The part of a listing that is stored as its last known state in the shop.
 * @param inventory its products, if read with it
 */
export function toSighting(listing: MarketplaceListing, inventory?: Products): SeenListing {
  const { state, ends_at_epoch_s } = listing;
  const ends_at = ends_at_epoch_s === null ? null : new Date(ends_at_epoch_s * 1000).toISOString();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these fields make it
  const shown = Object.fromEntries(SIGHTED.map((field) => [field, listing[field]])) as unknown as ShownFields;
  return { state, ends_at, shown: { ...shown, ...(inventory && { prices: listPrices(inventory) }) } };
}

/** Prices of combinations that buyers can choose. */
function listPrices({ products }: Products): Record<string, number> {
  const onSale = products.filter(
    ({ property_values, is_enabled }) => property_values.length > 0 && is_enabled,
  );
  return Object.fromEntries(onSale.map((product) => [toProductKey(product), product.price]));
}

/**
 * The same for a listing saved some time after it was read. @param asked_ms when it was requested, in ms of
 * monotonic time
 */
export function toAgedSighting(
  { listing, inventory }: { listing: MarketplaceListing; inventory?: Inventory | undefined },
  asked_ms: number,
  clock: Pick<Clock, 'monotonic'>,
): AgedSighting {
  return { ...toSighting(listing, inventory), getAge_ms: () => clock.monotonic() - asked_ms };
}

/** For a listing the marketplace no longer knows. */
export const GONE: SeenListing = { state: 'gone', ends_at: null, shown: null };

/**
 * From this long before the end of its four months, putting a listing on sale counts as costing a fee: the
 * marketplace, whose clock is not ours, may process a timely request late.
 */
const MARGIN_MS = 5 * 60 * 1000;

/**
 * Whether putting a listing on sale may cost the marketplace's fee. It is free only for an inactive listing whose
 * four months still have some time left.
 */
export function costsFee({ state, ends_at }: Pick<SeenListing, 'state' | 'ends_at'>, now: Date): boolean {
  if (state === 'active') return false;
  return state !== 'inactive' || ends_at === null || Date.parse(ends_at) - MARGIN_MS <= now.getTime();
}
