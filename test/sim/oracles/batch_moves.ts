import type { Collecting, Item, KnownBatch } from '../people/collection/collecting.js';
import { AT_ONCE_MS } from '../world/marketplace.js';
import { toLedgerField, toLedgerValue, type Move } from './ledger.js';

/** A write that a batch's plan allows, once. */
export type License = {
  batch: KnownBatch;
  item: Item;
  listing_id: number;
  field: string;
  before: string;
  after: string;
  used: Move | undefined;
};

/** Errors after which nothing was written. */
const WITHOUT_WRITES: ReadonlySet<string> = new Set(['DRIFT', 'LISTING_BUSY', 'FEE_CHANGED']);

/** @param find returns the listing of an item */
export function listLicenses(
  { batches }: Pick<Collecting, 'batches'>,
  find: (item: Item) => number | undefined,
): License[] {
  return [...batches.values()].flatMap((batch) =>
    batch.items.flatMap((item) => {
      const listing_id = find(item);
      if (listing_id === undefined) return [];
      return item.diff.flatMap(({ field: name, before, after }): License[] => {
        const field = toLedgerField(name);
        if (field === undefined || (field === 'state' && before === null)) return [];
        const values = { before: toLedgerValue(field, before), after: toLedgerValue(field, after) };
        return [{ batch, item, listing_id, field, ...values, used: undefined }];
      });
    }),
  );
}

/** Each write belongs to the plan of one batch, and found the value that the plan shows. */
export function judgeMoves(
  { ledger: { moves }, singles }: Pick<Collecting, 'ledger' | 'singles'>,
  licenses: readonly License[],
): string[] {
  const found: string[] = [];
  for (const move of moves) {
    if (move.by !== 'service') continue;
    const { listing_id, field, before, after, at_ms, is_late, is_blind } = move;
    const own = licenses
      .filter((one) => one.listing_id === listing_id && one.field === field && isOpenAt(one.batch, at_ms))
      // Of two identical plans, the one that reports the write.
      .toSorted((a, b) => Number(b.item.status === 'ok') - Number(a.item.status === 'ok'));
    const exact = own.find((one) => one.before === before && one.after === after && !one.used);
    if (exact) exact.used = move;
    if (exact || is_late || field === 'photos') continue;
    if (is_blind && field.startsWith('stock') && moves.some((other) => isUnseenSale(other, move))) continue;
    if (field === 'title' && singles.some(({ title }) => title === after)) continue;
    const since_ms = Math.min(at_ms, ...own.map(({ batch }) => batch.asked_ms ?? at_ms));
    if (moves.some((other) => isMet(other, move, since_ms))) continue;
    if (licenses.some((one) => isRestocking(one, move))) {
      if (field.startsWith('stock')) continue;
      // A price that an earlier batch kept until the listing has stock is written with it.
      const kept = licenses.find(
        (one) => one.listing_id === listing_id && one.field === field && one.after === after && !one.used,
      );
      if (kept) kept.used = move;
      if (kept) continue;
    }
    const what = `${field} of ${listing_id} is changed from ${before} to ${after}`;
    const repeated = own.find((one) => one.after === after && one.used);
    const [other] = own;
    if (repeated) found.push(`${what} once more by ${repeated.batch.batch_id}`);
    else if (other)
      found.push(
        `${what}, and ${other.batch.batch_id} was to change it from ${other.before} to ${other.after}`,
      );
    else found.push(`${what}, which no batch was to do`);
  }
  return found;
}

function isOpenAt({ asked_ms = Infinity, ended_ms = Infinity }: KnownBatch, at_ms: number): boolean {
  return asked_ms <= at_ms && at_ms <= ended_ms;
}

/**
 * Someone else changed the field while a job of the listing ran, or a late request did: either value may
 * remain.
 */
function isMet(other: Move, { listing_id, field, at_ms }: Move, since_ms: number): boolean {
  return (
    other.listing_id === listing_id &&
    other.field === field &&
    (other.is_meddling || other.is_late) &&
    other.at_ms >= since_ms &&
    other.at_ms <= at_ms
  );
}

/** Whether a write restored stock that was sold between the read of the inventory and the write. */
function isUnseenSale(sale: Move, { listing_id, field, after, at_ms }: Move): boolean {
  return (
    sale.by === 'buyer' &&
    sale.listing_id === listing_id &&
    sale.field === field &&
    sale.before === after &&
    sale.at_ms <= at_ms &&
    sale.at_ms >= at_ms - AT_ONCE_MS
  );
}

/** A sold-out listing that is activated gets stock. */
function isRestocking({ batch, listing_id, field, after }: License, move: Move): boolean {
  return (
    field === 'state' && after === 'active' && listing_id === move.listing_id && isOpenAt(batch, move.at_ms)
  );
}

/** An item reported as written was written, and a refused one was not. */
export function judgeItems({ ledger }: Pick<Collecting, 'ledger'>, licenses: readonly License[]): string[] {
  return licenses.flatMap((license) => {
    const { batch, item, listing_id, field, after, used } = license;
    const what = `${field} of ${listing_id} in ${batch.batch_id}`;
    const code = item.issues[0]?.code ?? '';
    if (used) {
      const isWithout =
        item.status === 'refused' ||
        item.status === 'unchanged' ||
        (item.status === 'canceled' && item.job_id === undefined) ||
        (item.status === 'error' && WITHOUT_WRITES.has(code));
      // Someone edited the listing while the batch ran.
      const isEditedMeanwhile =
        code === 'DRIFT' &&
        ledger.moves.some(
          (move) =>
            move.is_meddling &&
            move.listing_id === listing_id &&
            move.at_ms >= (batch.asked_ms ?? Infinity) &&
            move.at_ms <= (batch.ended_ms ?? Infinity),
        );
      return isWithout && !used.is_late && !isEditedMeanwhile
        ? [`${what} is ${item.status} ${code}, and was written`]
        : [];
    }
    if (item.status !== 'ok' || field === 'photos') return [];
    const { moves } = ledger;
    const own = moves.filter((move) => move.listing_id === listing_id && move.field === field);
    // It may have had the value already, or someone else changed it at the same time.
    const isThere =
      own.some((move) => move.after === after || move.before === after) ||
      ledger.read(listing_id)[field] === after;
    const isMeddled = own.some((move) => move.is_meddling || move.is_late);
    // Its price is kept until it has stock.
    const isSoldOut =
      field.startsWith('price') &&
      moves.some((move) => move.listing_id === listing_id && move.after === 'sold_out');
    return isThere || isMeddled || isSoldOut
      ? []
      : [`${what} is reported as ${after}, and was never written`];
  });
}

/** A conflict is reported only if someone changed the listing after the plan was requested. */
export function judgeConflicts(
  { ledger: { moves } }: Pick<Collecting, 'ledger'>,
  batches: Iterable<KnownBatch>,
  find: (item: Item) => number | undefined,
): string[] {
  return [...batches].flatMap(({ batch_id, items, created_ms, undoes }) =>
    items.flatMap((item) => {
      const isConflict = item.issues.some(({ code }) => code === 'DRIFT');
      const listing_id = find(item);
      if (!isConflict || listing_id === undefined) return [];
      // A plan compares with the values the service last wrote or saw, and an undo with those its batch wrote.
      const since_ms = item.status === 'refused' || undoes !== undefined ? 0 : created_ms;
      const isMade = moves.some((move) => move.listing_id === listing_id && move.at_ms >= since_ms);
      return isMade ? [] : [`a conflict in ${listing_id} of ${batch_id} that nobody made`];
    }),
  );
}
