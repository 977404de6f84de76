import type { ListingWrite } from '../world/marketplace.js';
import { COMBINATIONS } from './fields.js';
import type { SeenListing } from './seen.js';

/** The parts of a listing that batches change, as comparable texts. */
export type Facts = Readonly<Record<string, string>>;

/** One field of a listing got another value. */
export type Move = {
  at_ms: number;
  listing_id: number;
  field: string;
  before: string;
  after: string;
  by: ListingWrite['by'];
  /** The request was delayed or repeated on its way: no program could have kept it from arriving now. */
  is_late: boolean;
  /** Written with an inventory that was read just before something was sold. */
  is_blind: boolean;
  /** A job of the listing was running, so either value may remain. */
  is_meddling: boolean;
};

/** Every change of some listings, in the order the marketplace made them. */
export type Ledger = {
  moves: readonly Move[];
  watch(seen: SeenListing): void;
  isWatched(listing_id: number): boolean;
  note(seen: SeenListing, write: ListingWrite, at: { at_ms: number; is_meddling: boolean }): void;
  /** The current facts of a listing. */
  read(listing_id: number): Facts;
};

export function createLedger(): Ledger {
  const facts = new Map<number, Facts>();
  const moves: Move[] = [];
  return {
    moves,
    watch(seen) {
      if (!facts.has(seen.listing_id)) facts.set(seen.listing_id, describe(seen));
    },
    isWatched: (listing_id) => facts.has(listing_id),
    note(seen, { by, is_late, is_blind }, at) {
      const { listing_id } = seen;
      const before = facts.get(listing_id) ?? {};
      const after = describe(seen);
      facts.set(listing_id, after);
      for (const [field, value] of Object.entries(after)) {
        const was = before[field] ?? '';
        if (was === value) continue;
        moves.push({ listing_id, field, before: was, after: value, by, is_late, is_blind, ...at });
      }
    },
    read: (listing_id) => facts.get(listing_id) ?? {},
  };
}

/** The values a field has had since then. */
export function listHeld(
  { moves, read }: Pick<Ledger, 'moves' | 'read'>,
  listing_id: number,
  field: string,
  since_ms: number,
): string[] {
  const own = moves.filter(
    (move) => move.listing_id === listing_id && move.field === field && move.at_ms >= since_ms,
  );
  const [first] = own;
  return first ? [first.before, ...own.map(({ after }) => after)] : [read(listing_id)[field] ?? ''];
}

function describe({ fields, state, inventory, images }: SeenListing): Facts {
  const { title, description = '', tags, shop_section_id } = fields;
  const products = inventory.products.flatMap(({ offering }, index) => [
    [`price.${index}`, String(offering.price_amount / 100)],
    [`stock.${index}`, String(offering.quantity)],
  ]);
  const photos = images.toSorted((a, b) => a.rank - b.rank).map(({ alt_text }) => alt_text);
  return {
    title,
    description,
    tags: JSON.stringify(tags),
    section: String(shop_section_id),
    state,
    photos: JSON.stringify(photos),
    ...(Object.fromEntries(products) as Facts),
  };
}

/** The ledger's field for a difference of a batch; undefined for fields it does not keep. */
export function toLedgerField(name: string): string | undefined {
  const at = Math.max(
    0,
    COMBINATIONS.findIndex((value) => name.includes(`[Size: ${value}]`)),
  );
  if (name.endsWith('title')) return 'title';
  if (name.endsWith('description')) return 'description';
  if (name.endsWith('tags')) return 'tags';
  if (name.endsWith('shop_section_id')) return 'section';
  if (name.endsWith('state')) return 'state';
  if (name.startsWith('images')) return 'photos';
  if (name.endsWith('price')) return `price.${at}`;
  return name.endsWith('quantity') ? `stock.${at}` : undefined;
}

/** A value of a difference in the ledger's form. */
export function toLedgerValue(field: string, shown: unknown): string {
  // A section is shown by its name, with its id.
  if (field === 'section') return /\((\d+)\)$/.exec(String(shown))?.[1] ?? String(shown);
  return Array.isArray(shown) ? JSON.stringify(shown) : String(shown);
}
