import type { BatchAnswer, BatchItem } from '../../../../schemas/batch.js';
import type { Written } from '../../../../src/core/issues/answers.js';
import type { Chance } from '../../kernel/chance.js';
import { createLedger, type Ledger } from '../../oracles/ledger.js';
import type { SeenListing } from '../../oracles/seen.js';
import type { PlannedCollection } from '../../plan.js';
import { listRunning, listWorking } from '../../world/jobs.js';
import type { World } from '../../world/world.js';
import type { Ask, Told } from '../asking.js';

export type Batch = Written<BatchAnswer>;
export type Item = Written<BatchItem>;

/** A listing of the collection, in the shop where it was made. */
export type Piece = { number: number; listing_pk: number; listing_id: number };

/**
 * A cell of a sheet that its people edited: a field of the ledger, its value in the cell, and its value in the
 * export.
 */
export type EditedCell = { field: string; value: string; exported: string };

/** The listings a filter may find in a shop, and those it must find. By listing_pk. */
export type Chosen = { shop_id: number; may: readonly number[]; must: readonly number[] };

/** A batch, with the times of its people's requests. */
export type KnownBatch = {
  batch_id: string;
  /** The earliest time its plan was requested, and the time it was answered. */
  created_ms: number;
  planned_ms: number;
  /** The items of the plan. */
  plan: readonly Item[];
  /** When its start was first requested, including agreement to its fees. */
  asked_ms: number | undefined;
  ended_ms: number | undefined;
  undoes: string | undefined;
  /** An undo that was asked to pay fees. */
  pays: boolean;
  chosen: Chosen | undefined;
  /** For a batch planned with a sheet, by listing_pk. */
  edited: ReadonlyMap<number, readonly EditedCell[]> | undefined;
  /** As last read. */
  status: string;
  items: readonly Item[];
  /** When the cancellation was answered, and the items waiting at that time. */
  canceled: { at_ms: number; waiting: readonly Item[] } | undefined;
};

/** A title that one call writes into a piece. */
export type SingleChange = { listing_pk: number; title: string };

/** The state of a collection. */
export type Collecting = {
  world: World;
  planned: PlannedCollection;
  who: string;
  ask: Ask;
  look: () => Promise<SeenListing[]>;
  chance: Chance;
  ledger: Ledger;
  pieces: Piece[];
  batches: Map<string, KnownBatch>;
  /**
   * By batch, the time it was first asked to be undone: a repeated call without a key may have created an undo
   * earlier.
   */
  undo_asks: Map<string, Pick<KnownBatch, 'asked_ms' | 'pays'>>;
  singles: SingleChange[];
  /** Jobs of single updates. */
  job_ids: Set<string>;
  is_running: boolean;
  /** The number of batches so far. */
  count: number;
  faults: string[];
};

export function beginCollecting(
  world: World,
  planned: PlannedCollection,
  parts: Pick<Collecting, 'ask' | 'look' | 'chance'>,
): Collecting {
  const collecting: Collecting = {
    world,
    planned,
    who: `collection ${planned.number}`,
    ...parts,
    ledger: createLedger(),
    pieces: [],
    batches: new Map(),
    undo_asks: new Map(),
    singles: [],
    job_ids: new Set(),
    is_running: false,
    count: 0,
    faults: [],
  };
  return collecting;
}

/** A tag that all listings of a collection have at first, and no others. */
export const TAG = 'one of a set';

export function describePiece({ number }: PlannedCollection, piece: number): string {
  return `Piece ${piece} of collection ${number}.`;
}

/** The piece that a listing on the marketplace belongs to, in any shop. */
export function findPiece(
  { planned, pieces }: Collecting,
  { fields: { description = '' } }: SeenListing,
): Piece | undefined {
  return pieces.find(({ number }) => description.startsWith(describePiece(planned, number)));
}

/** Creates the listings on the marketplace, imports them, and keeps a ledger of them from then on. */
export async function makePieces(collecting: Collecting): Promise<void> {
  const { world, planned, ask, who, look, ledger, faults } = collecting;
  const { marketplace, schedule, template } = world;
  const shop_id = template.targets[planned.shop]?.shop_id;
  const listing_ids: number[] = [];
  for (let number = 1; number <= planned.listings; number += 1) {
    const made = await marketplace.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id,
      title: `Set ${planned.number}.${number}`,
      description: describePiece(planned, number),
      tags: ['mug', 'stoneware', TAG],
      variations: planned.has_variations
        ? [{ property_id: 513, name: 'Size', values: ['Small', 'Large'] }]
        : [],
    });
    listing_ids.push(...made.listing_ids);
  }
  // An import does not see the photos until the marketplace's lists show them.
  await schedule.pause(world.plan.lags.media_list_lag_ms);
  const result = await ask(who, 'listing_import', { shop_id, listing_ids }, { face: planned.face });
  if (result.kind !== 'told') return;
  const results = result.output.results as unknown as { listing_pk?: number; listing_id: number }[];
  for (const { listing_pk, listing_id } of results) {
    const number = listing_ids.indexOf(listing_id) + 1;
    if (listing_pk !== undefined) collecting.pieces.push({ number, listing_pk, listing_id });
  }
  for (const seen of await look()) if (listing_ids.includes(seen.listing_id)) ledger.watch(seen);
  marketplace.onWrite(async (write) => {
    if (!ledger.isWatched(write.listing_id)) return;
    const working = write.by === 'service' ? listWorking(world) : [];
    if (working.length > 1) faults.push(`two batches work at the same time: ${working.join(', ')}`);
    const seen = (await look()).find(({ listing_id }) => listing_id === write.listing_id);
    const pk = seen && findPiece(collecting, seen)?.listing_pk;
    const isMeddling =
      write.by !== 'service' && listRunning(world).some(({ listing_pk }) => listing_pk === pk);
    if (seen) ledger.note(seen, write, { at_ms: schedule.now(), is_meddling: isMeddling });
  });
}

/** Copies made by a batch are watched from then on. */
export async function watchCopies(collecting: Collecting): Promise<void> {
  const { look, ledger } = collecting;
  for (const seen of await look()) if (findPiece(collecting, seen)) ledger.watch(seen);
}

export function toBatch(told: Told): Batch | undefined {
  return told.kind === 'told' ? (told.output as unknown as Batch) : undefined;
}
