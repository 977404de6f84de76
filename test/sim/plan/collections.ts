import type { Chance } from '../kernel/chance.js';
import {
  FEW_FEES,
  type BatchEditKind,
  type Plan,
  type PlannedBatch,
  type PlannedCollection,
  type PlannedMeddling,
} from '../plan.js';
import { drawMany, HOUR_MS, MINUTE_MS } from './times.js';

/** In every second world. Drawn separately, so that its sales are the same as without it. */
export function drawCollections(chance: Chance, span_ms: number): PlannedCollection[] {
  return drawMany(chance.oneIn(2) ? 1 : 0, (number) => {
    const listings = chance.between(2, 4);
    return {
      number,
      at_ms: chance.below(Math.min(span_ms, HOUR_MS) / 2),
      face: chance.pick(['rest', 'mcp_http', 'mcp_stdio'] as const),
      shop: chance.oneIn(2) ? 0 : 1,
      listings,
      has_variations: chance.oneIn(3),
      deeds: drawMany(chance.between(1, 3), () => drawBatch(chance, { listings, span_ms })),
    };
  });
}

const DAY_MS = 24 * HOUR_MS;
/** How long a batch typically runs. */
const RUN_MS = 5_000;

function drawBatch(
  chance: Chance,
  { listings, span_ms }: { listings: number; span_ms: number },
): PlannedBatch {
  const edits = drawEdits(chance);
  const start = chance.weighed([
    [7, 'once'],
    [2, 'twice'],
    [2, 'declined'],
    [1, 'never'],
  ] as const);
  const isLong = start === 'once' && span_ms > 2 * DAY_MS && chance.oneIn(3);
  return {
    after_ms: chance.below(chance.pick([3 * MINUTE_MS, HOUR_MS / 2])),
    kind: 'batch',
    edits,
    left_out: chance.oneIn(3) ? 1 : 0,
    is_filtered: false,
    sheet: null,
    on_drift: chance.pick(['refuse', 'refuse', 'overwrite'] as const),
    has_key: chance.oneIn(2),
    waits_ms: isLong ? DAY_MS + chance.below(HOUR_MS) : chance.below(MINUTE_MS),
    start,
    meddling: drawMany(
      chance.weighed([
        [2, 0],
        [3, 1],
        [2, 3],
      ] as const),
      () => drawMeddling(chance, { listings, edits }),
    ),
    cancel_after_ms: chance.oneIn(5) ? chance.below(RUN_MS) : null,
    is_beside: chance.oneIn(6),
    afterwards: chance.weighed([
      [2, 'nothing'],
      [4, 'undo'],
      [1, 'undo_dry'],
      [1, 'undo_twice'],
      [1, 'rest'],
    ] as const),
  };
}

function drawEdits(chance: Chance): BatchEditKind[] {
  const first = chance.weighed<BatchEditKind>([
    [4, 'price'],
    [4, 'title'],
    [1, 'description'],
    [2, 'tags_add'],
    [1, 'tags_remove'],
    [1, 'section'],
    [2, 'quantity'],
    [2, 'off'],
    [3, 'on'],
    [1, 'photos_append'],
    [1, 'photos_remove'],
    [1, 'photos_text'],
    [2, 'copy'],
  ]);
  const second = chance.pick(['title', 'price', 'tags_add', 'section'] as const);
  return chance.oneIn(4) && second !== first ? [first, second] : [first];
}

/** Mostly a field that the batch changes, too. */
function drawMeddling(
  chance: Chance,
  { listings, edits }: { listings: number; edits: readonly BatchEditKind[] },
): PlannedMeddling {
  const same: PlannedMeddling['what'][] = edits.flatMap((edit) => MET[edit] ?? []);
  const others = ['title', 'price', 'tags', 'state', 'back', 'sell', 'single', 'revoke'] as const;
  return {
    listing: chance.below(listings),
    what: same.length > 0 && chance.oneIn(2) ? chance.pick(same) : chance.pick(others),
    at: chance.pick(['before', 'before', 'during'] as const),
    after_ms: chance.below(RUN_MS),
  };
}

/** Deeds after all others: sheets, filters, and undos and renewals for a fee. */
export function addDeeds(
  chance: Chance,
  collections: readonly PlannedCollection[],
  { span_ms, most_activations }: Pick<Plan, 'most_activations'> & { span_ms: number },
): PlannedCollection[] {
  const areFeesFew = most_activations <= FEW_FEES;
  return collections.map((collection) => {
    const { listings } = collection;
    const added = drawMany(chance.between(1, 2), (): PlannedBatch => {
      const batch: PlannedBatch = {
        ...drawBatch(chance, { listings, span_ms }),
        is_beside: false,
      };
      const kind = chance.weighed([
        [4, 'sheet'],
        [2, 'filter'],
        [2, 'paid'],
        [areFeesFew ? 4 : 0, 'spent'],
      ] as const);
      switch (kind) {
        case 'sheet':
          return { ...batch, ...drawSheet(chance, listings) };
        case 'filter':
          return { ...batch, is_filtered: true, left_out: 0 };
        case 'paid':
          return { ...batch, edits: ['off'], start: 'once', meddling: [], afterwards: 'undo_paid' };
        case 'spent': {
          const at = chance.pick(['before', 'during'] as const);
          const spending = { listing: 0, what: 'spend', at, after_ms: chance.below(RUN_MS) } as const;
          return { ...batch, edits: ['on'], start: 'once', meddling: [spending] };
        }
      }
    });
    return { ...collection, deeds: [...collection.deeds, ...added] };
  });
}

/** The edits, and the events of the listings while the seller works on the sheet and after that. */
function drawSheet(
  chance: Chance,
  listings: number,
): Pick<PlannedBatch, 'sheet' | 'meddling' | 'afterwards'> {
  const kinds = drawMany(chance.oneIn(6) ? 0 : chance.between(1, 3), () =>
    chance.pick([
      'price',
      'price',
      'title',
      'tags',
      'clear',
      'stock',
      'stock',
      'off',
      'on',
      'blank',
    ] as const),
  );
  const meddling = drawMany(chance.between(0, 3), (): PlannedMeddling => ({
    listing: chance.below(listings),
    what: chance.pick(['sell', 'sell', 'title', 'single', 'price', 'tags', 'state', 'revoke']),
    at: chance.pick(['before', 'before', 'before', 'during']),
    after_ms: chance.below(RUN_MS),
  }));
  return { sheet: [...new Set(kinds)], meddling, afterwards: chance.pick(['undo', 'undo', 'nothing']) };
}

const MET: Partial<Record<BatchEditKind, PlannedMeddling['what'][]>> = {
  price: ['price', 'sell'],
  title: ['title', 'back', 'single'],
  tags_add: ['tags'],
  tags_remove: ['tags'],
  quantity: ['sell', 'sell_out'],
  off: ['state', 'sell_out'],
  on: ['sell_out', 'state', 'expire'],
};
