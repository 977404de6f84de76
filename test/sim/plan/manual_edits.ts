import { createChance, type Chance } from '../kernel/chance.js';
import type { ContentKind, EditedField, PlannedDeed, PlannedSale } from '../plan.js';
import { HOUR_MS, MINUTE_MS } from './times.js';

type Added = Extract<EditedField, 'attribute' | 'combination' | 'files'>;

/**
 * In every second sale, manual edits also cover fields its people rarely change: attributes, single
 * combinations, files. Before and after an edit, its people mostly change a part of the same. Drawn
 * separately, so that a sale without it is unchanged.
 */
export function addManualEdits(seed: number, sale: PlannedSale): PlannedSale {
  const chance = createChance(seed, `hands ${sale.number}`);
  if (!chance.oneIn(2)) return sale;
  const field: Added = chance.pick([
    'attribute',
    'combination',
    ...(sale.has_variations ? (['combination', 'combination'] as const) : []),
    ...(sale.is_digital ? (['files', 'files', 'files'] as const) : []),
  ]);
  const hand: PlannedDeed = {
    after_ms: drawPause(chance),
    kind: 'hand',
    field,
    shops: chance.pick(['all', 'first'] as const),
    is_beside: chance.oneIn(3),
  };
  const before = chance.oneIn(2) ? [drawChange(chance, sale, { field, after_ms: drawPause(chance) })] : [];
  const after_ms = hand.is_beside ? chance.below(MEETING_MS) : drawPause(chance);
  const after = chance.weighed<PlannedDeed[]>([
    [1, []],
    [1, [{ after_ms, kind: 'undo' }]],
    [2, [drawChange(chance, sale, { field, after_ms })]],
  ]);
  const deeds = sale.deeds.toSpliced(chance.below(sale.deeds.length + 1), 0, ...before, hand, ...after);
  return { ...sale, deeds };
}

const MEETING_MS = 2_000;

function drawPause(chance: Chance): number {
  return chance.below(chance.pick([3 * MINUTE_MS, 3 * MINUTE_MS, HOUR_MS]));
}

/** A change of the same part of the listing, though mostly of something else in it. */
function drawChange(
  chance: Chance,
  { has_variations }: PlannedSale,
  { field, after_ms }: { field: Added; after_ms: number },
): PlannedDeed {
  const kinds: Record<Added, readonly ContentKind[]> = {
    attribute: ['color'],
    combination: has_variations ? ['price', 'price', 'other_price'] : ['price'],
    files: ['files'],
  };
  return {
    after_ms,
    kind: chance.pick(kinds[field]),
    on_drift: chance.pick(['refuse', 'refuse', 'overwrite'] as const),
    has_key: chance.oneIn(2),
    gives_up: chance.oneIn(10),
  };
}

/**
 * In every second sale of an active listing, buyers come while its people change it. Drawn separately, like
 * manual edits.
 */
export function addBuyers(seed: number, sale: PlannedSale): PlannedSale {
  const chance = createChance(seed, `buyers ${sale.number}`);
  if (!chance.oneIn(2) || sale.state !== 'active') return sale;
  const deed: PlannedDeed = { after_ms: drawPause(chance), kind: 'sell_meanwhile' };
  return { ...sale, deeds: sale.deeds.toSpliced(chance.below(sale.deeds.length + 1), 0, deed) };
}
