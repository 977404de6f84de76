import type { Chance } from '../kernel/chance.js';
import type { ContentKind, EditedField, PlannedDeed, PlannedSale } from '../plan.js';
import { drawMany, HOUR_MS, MINUTE_MS } from './times.js';

export function drawSale(chance: Chance, number: number, span_ms: number): PlannedSale {
  const state = chance.pick(['publish', 'active', 'active'] as const);
  const hasKey = chance.oneIn(2);
  const isImport = chance.oneIn(6);
  const isDigital = !isImport && chance.oneIn(7);
  return {
    number,
    at_ms: chance.below(Math.min(span_ms, 2 * HOUR_MS) / 2),
    face: chance.pick(['rest', 'rest', 'mcp_http', 'mcp_stdio'] as const),
    is_import: isImport,
    shops: isImport ? 'first' : chance.pick(['both', 'first', 'second'] as const),
    state,
    photos: chance.between(state === 'active' ? 1 : 0, 3),
    has_variations: !isImport && !isDigital && chance.oneIn(2),
    is_digital: isDigital,
    has_video: !isImport && chance.oneIn(4),
    has_question: chance.oneIn(4),
    has_key: hasKey,
    calls: hasKey
      ? chance.weighed([
          [4, 1],
          [1, 2],
          [1, 5],
        ] as const)
      : 1,
    gives_up: chance.oneIn(12),
    deeds: drawDeeds(chance, { is_on_sale: state === 'active', is_digital: isDigital }, span_ms),
  };
}

type Saleable = { is_on_sale: boolean; is_digital: boolean };

/**
 * Its people often change next the field that was edited manually; an edit in parallel with a change collides
 * with it.
 */
function drawDeeds(chance: Chance, saleable: Saleable, span_ms: number): PlannedDeed[] {
  const deeds = drawMany(
    chance.weighed([
      [1, 0],
      [3, 2],
      [3, 4],
      [1, 7],
    ] as const),
    () => drawDeed(chance, saleable, span_ms),
  );
  return deeds.flatMap((deed, index) => {
    const before = deeds[index - 1];
    const isMet = before?.kind === 'hand' && before.is_beside;
    const next = isMet ? { ...deed, after_ms: chance.below(MEETING_MS) } : deed;
    const hasMore = deed.kind === 'hand' && deed.field !== 'words' && chance.oneIn(2);
    return hasMore ? [next, drawSame(chance, deed)] : [next];
  });
}

const MEETING_MS = 2_000;

/** The fields its people change after this manual edit. */
const SAME: Record<Exclude<EditedField, 'state'>, ContentKind> = {
  title: 'title',
  words: 'title',
  price: 'price',
  question: 'question',
  photos: 'photos',
  attribute: 'color',
  combination: 'price',
  files: 'files',
};

function drawSame(
  chance: Chance,
  { field, is_beside }: { field: EditedField; is_beside: boolean },
): PlannedDeed {
  const after_ms = chance.below(is_beside ? MEETING_MS : 3 * MINUTE_MS);
  if (field === 'state') return { after_ms, kind: chance.pick(['on', 'off'] as const) };
  return { after_ms, kind: SAME[field], on_drift: 'refuse', has_key: chance.oneIn(2), gives_up: false };
}

function drawDeed(chance: Chance, { is_on_sale, is_digital }: Saleable, span_ms: number): PlannedDeed {
  const after_ms = chance.weighed([
    [3, chance.between(0, 3 * MINUTE_MS)],
    [2, chance.below(span_ms / 4)],
  ]);
  const kind = chance.weighed([
    [6, 'title'],
    [5, 'price'],
    [2, 'photos'],
    [2, 'video'],
    [2, 'several'],
    [2, 'at_once'],
    [2, 'question'],
    [2, is_digital ? 'files' : 'undo'],
    [6, 'hand'],
    [4, 'undo'],
    [2, is_on_sale ? 'off' : 'title'],
    [2, is_on_sale ? 'on' : 'price'],
    [1, 'look'],
    [1, 'sync'],
    [1, 'resend'],
    [1, 'delete'],
    [1, 'dry'],
    [1, 'copy'],
    [2, is_on_sale ? 'sell' : 'look'],
    [1, is_on_sale ? 'sell_out' : 'dry'],
    [1, is_on_sale ? 'renew' : 'look'],
  ] as const);
  switch (kind) {
    case 'title':
    case 'price':
    case 'photos':
    case 'video':
    case 'question':
    case 'files':
    case 'several':
      return {
        after_ms,
        kind,
        on_drift: chance.pick(['refuse', 'refuse', 'overwrite'] as const),
        has_key: chance.oneIn(2),
        gives_up: chance.oneIn(10),
      };
    case 'hand': {
      const field = chance.weighed([
        [2, 'title'],
        [2, 'price'],
        [1, 'question'],
        [2, 'words'],
        [2, 'photos'],
        [1, is_on_sale ? 'state' : 'title'],
      ] as const);
      return {
        after_ms,
        kind,
        field,
        shops: chance.pick(['all', 'first'] as const),
        // A change of the title restores the earlier translations: which came last is unknown.
        is_beside: field !== 'words' && chance.oneIn(3),
      };
    }
    case 'renew':
      return { after_ms, kind, is_silent: chance.oneIn(2) };
    default:
      return { after_ms, kind };
  }
}

export function listMoments({
  at_ms,
  deeds,
}: {
  at_ms: number;
  deeds: readonly { after_ms: number }[];
}): number[] {
  const moments = [at_ms, at_ms, at_ms];
  let at = at_ms;
  for (const { after_ms } of deeds) {
    at += after_ms;
    moments.push(at);
  }
  return moments;
}
