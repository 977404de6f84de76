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
    // Whether that was bought before what is under way has set the stock, no one can tell.
    listing.fields.stock.is_open ||= selling.current !== undefined;
    if (sold.state === 'sold_out') write(listing.fields.state, 'sold_out', true);
  }
  journal.note('buyer', `${listing.listing_id} ${kind}`);
}

/** What is sold out is put on sale for a fee, and buyers take it all before anyone knows that it is there. */
export async function renew(selling: Selling, { is_silent }: RenewDeed): Promise<void> {
  const { sale, world, moods } = selling;
  await sell(selling, 'sell_out');
  if (sale.listings[0]?.fields.state.allowed.has('sold_out') !== true) return;
  if (is_silent) world.fates.strikeNext({ on: 'change', kind: 'silent', times: 1 });
  let is_over = false;
  const buying = buyUp(selling, () => is_over);
  await change(selling, { kind: 'on', after_ms: 0, has_key: moods.oneIn(2) });
  is_over = true;
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
