import { SANDBOX_SHOPS } from '../../../../src/sandbox/world/shops.js';
import type { PlannedMeddling } from '../../plan.js';
import type { Collecting, Piece } from './collecting.js';
import { spend } from './spending.js';

const MINUTE_MS = 60_000;

/**
 * Does the planned interference with a piece while a batch of it is planned or runs. @param before the titles
 * before the batch, by listing
 */
export async function meddle(
  collecting: Collecting,
  { listing, what }: PlannedMeddling,
  before: ReadonlyMap<number, string>,
): Promise<void> {
  const { pieces, ledger, chance, count, planned } = collecting;
  const piece = pieces[listing];
  if (!piece) return;
  const facts = ledger.read(piece.listing_id);
  const text = `${planned.number}.${count}.${chance.below(1000)}`;
  switch (what) {
    case 'title':
      return edit(collecting, piece, { title: `By hand ${text}` });
    case 'back': {
      const title = before.get(piece.listing_id);
      return title === undefined ? undefined : edit(collecting, piece, { title });
    }
    case 'price': {
      const name = planned.has_variations ? { values: { Size: 'Small' } } : {};
      return edit(collecting, piece, { products: [{ ...name, price: 30 + chance.below(100) }] });
    }
    case 'tags':
      return edit(collecting, piece, { tags: ['by hand', text.replaceAll('.', ' ')] });
    case 'state': {
      const { state } = facts;
      if (state !== 'active' && state !== 'inactive') return;
      return edit(collecting, piece, { state: state === 'active' ? 'inactive' : 'active' });
    }
    case 'expire':
      return facts['state'] === 'inactive' ? edit(collecting, piece, { state: 'expired' }) : undefined;
    case 'sell':
    case 'sell_out':
      return sell(collecting, piece, what);
    case 'single':
      return changeTitle(collecting, piece, `Single ${text}`);
    case 'revoke':
      return revoke(collecting);
    case 'spend':
      return spend(collecting);
  }
}

async function edit(
  { world: { marketplace, journal } }: Collecting,
  { listing_id }: Piece,
  body: Record<string, unknown>,
): Promise<void> {
  journal.note('by hand', String(listing_id), JSON.stringify(body));
  await marketplace.control('POST', `/listings/${listing_id}/edit`, body);
}

async function sell(
  { world: { marketplace, journal }, ledger }: Collecting,
  { listing_id }: Piece,
  what: 'sell' | 'sell_out',
): Promise<void> {
  const { state, ...facts } = ledger.read(listing_id);
  if (state !== 'active') return;
  const stock = Object.entries(facts).flatMap(([field, value]) =>
    field.startsWith('stock') ? [Number(value)] : [],
  );
  for (const quantity of what === 'sell' ? [1] : stock) {
    if (quantity === 0) continue;
    // Another batch may have deactivated it in the meantime.
    await marketplace.control('POST', `/listings/${listing_id}/sell`, { quantity }).catch(() => undefined);
  }
  journal.note('buyer', `${listing_id} ${what}`);
}

/** One update alongside the batch: it is repeated while the listing is busy. */
async function changeTitle(
  { ask, who, planned, singles, job_ids }: Collecting,
  { listing_pk }: Piece,
  title: string,
): Promise<void> {
  singles.push({ listing_pk, title });
  const input = { listing_pk, changes: { listing: { title } }, on_drift: 'overwrite' };
  const result = await ask(who, 'listing_update', input, {
    face: planned.face,
    key: `single-${title.replaceAll(' ', '-')}`,
  });
  if (result.kind === 'told' && result.output.job_id !== undefined) job_ids.add(result.output.job_id);
}

/** The shop revokes its grant, and its seller connects it again a while later. */
async function revoke({ world, planned, chance }: Collecting): Promise<void> {
  const { marketplace, revoked, schedule, template, journal } = world;
  const shop_id = template.targets[planned.shop]?.shop_id ?? 0;
  const owner = SANDBOX_SHOPS.find((shop) => shop.shop_id === shop_id);
  journal.note('seller', `revokes the grant of ${shop_id}`);
  revoked.set(shop_id, schedule.now() + chance.between(MINUTE_MS / 2, 4 * MINUTE_MS));
  await marketplace.control('POST', '/tokens/revoke', { user_id: owner?.user_id });
}
