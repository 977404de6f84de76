import type { PlannedBatch } from '../../plan.js';
import { TAG, toBatch, type Chosen, type Collecting, type KnownBatch, type Piece } from './collecting.js';
import { buildEdits } from './edits.js';
import { know } from './following.js';
import { fillSheet } from './sheet.js';

export function readTitles({ pieces, ledger }: Collecting): Map<number, string> {
  return new Map(pieces.map(({ listing_id }) => [listing_id, ledger.read(listing_id)['title'] ?? '']));
}

type Selected = { select: Record<string, unknown>; chosen?: Chosen };

const CURRENCIES = ['USD', 'EUR'] as const;

export function buildSelect(
  { pieces, ledger, planned, world: { template } }: Collecting,
  { is_filtered }: PlannedBatch,
  chosen: readonly Piece[],
): Selected {
  const listing_pks = chosen.map(({ listing_pk }) => listing_pk);
  if (!is_filtered) return { select: { listing_pks } };
  const shop_id = template.targets[planned.shop]?.shop_id ?? 0;
  const must = pieces.filter(
    ({ listing_id }) =>
      hasTag(ledger.read(listing_id)['tags']) &&
      ledger.moves.every(
        (move) => move.listing_id !== listing_id || move.field !== 'tags' || hasTag(move.after),
      ),
  );
  return {
    select: { filter: { tag: TAG, shop_id, currency: CURRENCIES[planned.shop] } },
    chosen: {
      shop_id,
      may: pieces.map(({ listing_pk }) => listing_pk),
      must: must.map(({ listing_pk }) => listing_pk),
    },
  };
}

function hasTag(tags = ''): boolean {
  return tags.includes(TAG);
}

export async function plan(
  collecting: Collecting,
  deed: PlannedBatch,
  { select, chosen }: Selected,
  letter: string,
): Promise<KnownBatch | undefined> {
  const edits = buildEdits(collecting, deed.edits, `${collecting.count}${letter}`);
  const mayBeEmpty = 'batch_id' in select || chosen?.must.length === 0;
  const known = await create(collecting, deed, { select, edits }, { letter, mayBeEmpty });
  // Copies are also items, of a shop that the filter does not name.
  if (known && !deed.edits.includes('copy')) known.chosen = chosen;
  return known;
}

export async function planSheet(
  collecting: Collecting,
  deed: PlannedBatch,
  pieces: readonly Piece[],
  meanwhile: () => Promise<void>,
): Promise<KnownBatch | undefined> {
  const exported_ms = collecting.world.schedule.now();
  const filled = await fillSheet(collecting, deed, pieces, { name: `${collecting.count}a`, meanwhile });
  if (!filled) return undefined;
  const known = await create(collecting, deed, { sheet: filled.url }, { letter: 'a', mayBeEmpty: false });
  if (known) Object.assign(known, { edited: filled.edited, created_ms: exported_ms });
  return known;
}

async function create(
  collecting: Collecting,
  { on_drift, has_key }: PlannedBatch,
  input: Record<string, unknown>,
  { letter, mayBeEmpty }: { letter: string; mayBeEmpty: boolean },
): Promise<KnownBatch | undefined> {
  const { ask, who, planned, count, faults, world } = collecting;
  const created_ms = world.schedule.now();
  const key = has_key ? `batch-${planned.number}-${count}${letter}` : undefined;
  const result = await ask(who, 'batch_create', { ...input, on_drift }, { face: planned.face, key });
  if (result.kind === 'refused' && !mayBeEmpty) faults.push(`${who} has no plan: ${result.message}`);
  const batch = toBatch(result);
  return batch && know(collecting, batch, created_ms);
}
