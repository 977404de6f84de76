import { NEVER_MS, type PlannedDeed, type PlannedSale } from '../../plan.js';
import type { World } from '../../world/world.js';
import { renew, sell, sellMeanwhile } from './buyers.js';
import { change, changeAtOnce, type ChangeDeed } from './change.js';
import { finish } from './ending.js';
import { editManually } from './manual_edits.js';
import { copy, create, importOne } from './making.js';
import { beginSelling, type Sale, type Selling } from './selling.js';

export type Seller = {
  sale: Sale;
  /** From the beginning to the last deed. */
  live(): Promise<void>;
  /**
   * Once all troubles are over: everything that came back as an error is finished, and every listing can be
   * changed and restored.
   */
  finish(): Promise<void>;
};

export function createSeller(
  world: World,
  planned: PlannedSale,
  with_what: Pick<Selling, 'ask' | 'chance' | 'look'>,
): Seller {
  const selling = beginSelling(world, planned, with_what);
  return { sale: selling.sale, live: () => live(selling), finish: () => finish(selling) };
}

async function live(selling: Selling): Promise<void> {
  const { planned, world, sale, who } = selling;
  const { schedule, journal } = world;
  if (planned.at_ms >= NEVER_MS) return;
  await schedule.pause(planned.at_ms);
  sale.is_running = true;
  if (planned.is_import) await importOne(selling);
  else await create(selling);
  sale.is_running = false;
  for (const deed of planned.deeds) {
    await schedule.pause(deed.after_ms);
    if (sale.listing_pk === undefined || sale.listings.length === 0) continue;
    sale.is_running = true;
    selling.deeds += 1;
    selling.is_meddled = false;
    journal.note(who, `begins ${deed.kind}`);
    try {
      await act(selling, deed);
    } finally {
      sale.is_running = false;
    }
    journal.note(who, `has done ${deed.kind}`);
    sale.is_running = false;
  }
  await Promise.all(selling.besides);
}

async function act(selling: Selling, deed: PlannedDeed): Promise<void> {
  switch (deed.kind) {
    case 'none':
      return;
    case 'hand':
      return editManually(selling, deed);
    case 'look':
      return display(selling, 'listing_get', {});
    case 'dry':
      return display(selling, 'listing_update', {
        changes: { listing: { title: 'Perhaps' } },
        dry_run: true,
      });
    case 'sync':
      return sync(selling);
    case 'resend':
      return resend(selling);
    case 'delete':
      return deleteInVain(selling);
    case 'copy':
      return copy(selling);
    case 'sell':
    case 'sell_out':
      return sell(selling, deed.kind);
    case 'renew':
      return renew(selling, deed);
    case 'sell_meanwhile':
      return sellMeanwhile(selling);
    case 'at_once':
      return changeAtOnce(selling);
    default:
      return change(selling, deed as ChangeDeed);
  }
}

/** Displays the listing, which licenses nothing: no seller repeats the dry run. */
async function display(
  { ask, who, sale, planned }: Selling,
  id: 'listing_get' | 'listing_update',
  input: Record<string, unknown>,
): Promise<void> {
  await ask(who, id, { listing_pk: sale.listing_pk, ...input }, { face: planned.face });
}

async function sync({ ask, who, sale }: Selling): Promise<void> {
  const [listing] = sale.listings;
  await ask(who, 'store_sync', { shop_id: listing?.shop_id }, { face: 'rest' });
}

async function resend({ ask, who, chance }: Selling): Promise<void> {
  const result = await ask(who, 'webhooks_deliveries', { limit: 20 }, { face: 'rest' });
  const rows = result.kind === 'told' ? (result.output['deliveries'] as { id: number }[]) : [];
  if (rows.length === 0) return;
  await ask(who, 'webhook_delivery_retry', { delivery_id: chance.pick(rows).id }, { face: 'rest' });
}

/** A listing that is in shops cannot be deleted. */
async function deleteInVain({ planned, ask, who, sale }: Selling): Promise<void> {
  if (planned.is_import) return;
  const result = await ask(who, 'listing_delete', { listing_pk: sale.listing_pk }, { face: planned.face });
  if (result.kind === 'told') sale.faults.push(`${who} is deleted, though it stands in shops`);
}
