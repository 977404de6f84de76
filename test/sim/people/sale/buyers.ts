import type { ShopResult } from '../../../answers.js';
import { toField } from '../../oracles/fields.js';
import { noteSold, write } from '../../oracles/known.js';
import { describeListing } from '../../oracles/seen.js';
import type { PlannedDeed } from '../../plan.js';
import { change } from './change.js';
import type { Selling } from './selling.js';

type RenewDeed = Extract<PlannedDeed, { kind: 'renew' }>;

export async function sell(selling: Selling, kind: 'sell' | 'sell_out'): Promise<void> {
  const { world, sale, look } = selling;
  const { marketplace, journal } = world;
  const [listing] = sale.listings;
  const seen = (await look()).find(({ listing_id }) => listing_id === listing?.listing_id);
  const products = seen?.inventory.products ?? [];
  if (!listing || seen?.state !== 'active') return;
  const { allowed, is_open } = listing.fields.stock;
  const found = describeListing(seen).fields.stock;
  if (!selling.current && !is_open && !allowed.has(found))
    sale.faults.push(
      `stock of ${listing.listing_id} is ${found} and not ${[...allowed].join(' or ')}, when it is sold`,
    );
  const stock = products.map(({ offering }) => offering.quantity);
  const wanted = kind === 'sell_out' ? stock : [1];
  if (kind === 'sell' && stock.reduce((sum, one) => sum + one, 0) < 2) return;
  for (const quantity of wanted) {
    if (quantity === 0) continue;
    const sold = await marketplace
      .control<{ state: string }>('POST', `/listings/${listing.listing_id}/sell`, { quantity })
      .catch(() => undefined);
    if (!sold) continue;
    const left = (await look()).find(({ listing_id }) => listing_id === listing.listing_id);
    if (left) noteSold(sale, listing, describeListing(left).fields.stock);
    // Whether it was bought before the running change set the stock is unknown.
    listing.fields.stock.is_open ||= selling.current !== undefined;
    if (sold.state === 'sold_out') write(listing.fields.state, 'sold_out', true);
  }
  journal.note('buyer', `${listing.listing_id} ${kind}`);
}

/** A sold-out listing is renewed for a fee, and buyers take all of it before anyone knows that it is there. */
export async function renew(selling: Selling, { is_silent }: RenewDeed): Promise<void> {
  const { sale, world, moods } = selling;
  await sell(selling, 'sell_out');
  if (sale.listings[0]?.fields.state.allowed.has('sold_out') !== true) return;
  if (is_silent) world.fates.strikeNext({ on: 'change', kind: 'silent', times: 1 });
  let isOver = false;
  const buying = buyUp(selling, () => isOver);
  await change(selling, { kind: 'on', after_ms: 0, has_key: moods.oneIn(2) });
  isOver = true;
  await buying;
}

async function buyUp(selling: Selling, isOver: () => boolean): Promise<void> {
  const { sale, world, chance, look } = selling;
  const [listing] = sale.listings;
  while (!isOver()) {
    await world.schedule.pause(chance.between(1_000, 4_000));
    const seen = (await look()).find(({ listing_id }) => listing_id === listing?.listing_id);
    if (seen?.state !== 'active' || isOver()) continue;
    if (selling.current) selling.current.is_meddled = true;
    await sell(selling, 'sell_out');
    return;
  }
}

/**
 * Buyers take a piece each while the price is changed, before that is undone, and while it is undone. Sold
 * pieces stay sold, and are neither reported as a change nor restored.
 */
export async function sellMeanwhile(selling: Selling): Promise<void> {
  const { sale, moods, world } = selling;
  const [listing] = sale.listings;
  if (!listing) return;
  const { listing_id, fields } = listing;
  const isKnown = fields.stock.allowed.size === 1 && !fields.stock.is_open && !fields.stock.is_contested;
  const blind = world.marketplace.countBlindWrites(listing_id);
  const before = await countPieces(selling, listing_id);
  let sold = 0;
  const buy = async (): Promise<void> => {
    const had = await countPieces(selling, listing_id);
    await sell(selling, 'sell');
    sold += had - (await countPieces(selling, listing_id));
  };
  const deeds = [
    { kind: 'price', after_ms: 0, on_drift: 'refuse', has_key: true, gives_up: false },
    { kind: 'undo', after_ms: 0 },
  ] as const;
  for (const deed of deeds) {
    selling.deeds += 1;
    if (deed.kind === 'undo' && moods.oneIn(2)) await buy();
    const result = await buyDuring(selling, () => change(selling, deed), { listing_id, buy });
    if (result?.status !== 'ok' && result?.status !== 'unchanged') return;
    const isBlind = world.marketplace.countBlindWrites(listing_id) > blind;
    if (!isKnown || selling.is_meddled || isBlind) return;
    if (result.diff?.some(({ field }) => toField(field) === 'stock') === true)
      sale.faults.push(`a sale of ${listing_id} is told as done by the ${deed.kind}`);
    const is = await countPieces(selling, listing_id);
    if (is !== before - sold)
      sale.faults.push(
        `${is} pieces of ${listing_id} are there after the ${deed.kind}, of ${before} of which ${sold} were sold`,
      );
    fields.stock.is_open = false;
  }
}

async function countPieces({ look }: Selling, listing_id: number): Promise<number> {
  const seen = (await look()).find((one) => one.listing_id === listing_id);
  return (seen?.inventory.products ?? []).reduce((sum, { offering }) => sum + offering.quantity, 0);
}

/**
 * Once the inventory is written, and before it is read back. Returns the reported result of this listing;
 * undefined if there is none.
 */
async function buyDuring(
  selling: Selling,
  work: () => Promise<void>,
  { listing_id, buy }: { listing_id: number; buy: () => Promise<void> },
): Promise<ShopResult | undefined> {
  let buying: Promise<void> | undefined;
  const cancel = selling.world.marketplace.onInventoryWrite(listing_id, () => {
    buying = buy();
  });
  selling.last_told = undefined;
  await work();
  cancel();
  await buying;
  return findReported(selling, listing_id);
}

function findReported({ last_told }: Selling, listing_id: number): ShopResult | undefined {
  return last_told?.find((result) => result.listing_id === listing_id);
}
