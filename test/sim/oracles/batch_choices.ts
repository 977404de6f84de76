import type { Collecting, KnownBatch } from '../people/collection/collecting.js';
import { toLedgerField, toLedgerValue } from './ledger.js';

/** A plan covers the listings that were chosen, and makes the changes that were asked for. */
export function judgeChoices({ batches, ledger, pieces }: Collecting): string[] {
  return [...batches.values()].flatMap((batch) => [
    ...findUnchosen(batch),
    ...judgeSheet(batch, (listing_pk, field, value) => {
      const listing_id = pieces.find((piece) => piece.listing_pk === listing_pk)?.listing_id;
      return (
        (listing_id !== undefined && ledger.read(listing_id)[field] === value) ||
        ledger.moves.some(
          (move) =>
            move.listing_id === listing_id &&
            move.field === field &&
            (move.after === value || move.before === value),
        )
      );
    }),
    ...findUnagreed(batch),
    ...findCeilings(batch),
  ]);
}

/** A filter finds each listing that matches it, and no other. */
function findUnchosen({ batch_id, plan, chosen }: KnownBatch): string[] {
  if (!chosen || plan.length === 0) return [];
  const { shop_id, may, must } = chosen;
  const found = plan.filter((item) => Number(item.shop_id) !== shop_id || !may.includes(item.listing_pk));
  const missing = must.filter((listing_pk) => plan.every((item) => item.listing_pk !== listing_pk));
  return [
    ...found.map(
      (item) =>
        `${batch_id} is about listing ${item.listing_pk} in ${item.shop_id}, which its filter does not find`,
    ),
    ...missing.map((listing_pk) => `${batch_id} misses listing ${listing_pk}, which its filter finds`),
  ];
}

/** Only edited cells are changes, each to the value in the cell, and stock only from the value in the export. */
function judgeSheet(
  { batch_id, plan, edited }: KnownBatch,
  hasBeen: (listing_pk: number, field: string, value: string) => boolean,
): string[] {
  if (!edited || plan.length === 0) return [];
  const found: string[] = [];
  for (const { listing_pk, diff, status } of plan) {
    const cells = edited.get(listing_pk) ?? [];
    const what = `${batch_id}, of a sheet, `;
    const rows = diff.flatMap(({ field: name, before, after }) => {
      const field = toLedgerField(name);
      return field === undefined
        ? []
        : [{ field, before: toLedgerValue(field, before), after: toLedgerValue(field, after) }];
    });
    for (const { field, before, after } of rows) {
      const cell = cells.find((one) => one.field === field);
      if (!cell) found.push(`${what}changes ${field} of listing ${listing_pk}, and its cell was not edited`);
      else if (cell.value !== after)
        found.push(`${what}changes ${field} of listing ${listing_pk} to ${after} instead of ${cell.value}`);
      else if (field.startsWith('stock') && cell.exported !== before)
        found.push(
          `${what}sets the stock of listing ${listing_pk}, which was ${before} and ${cell.exported} in the export`,
        );
    }
    if (status === 'refused' && cells.length === 0)
      found.push(`${what}refuses listing ${listing_pk}, of which no cell was edited`);
    if (status === 'refused') continue;
    // Stock is given with the state, and not shown, if the listing is sold out.
    for (const { field, value, exported } of cells)
      if (
        rows.every((row) => row.field !== field) &&
        !(field.startsWith('stock') && exported === '0') &&
        !hasBeen(listing_pk, field, value)
      )
        found.push(`${what}leaves out ${field} of listing ${listing_pk}, whose cell says ${value}`);
  }
  for (const listing_pk of edited.keys())
    if (plan.every((item) => item.listing_pk !== listing_pk))
      found.push(`${batch_id} leaves out listing ${listing_pk} of its sheet`);
  return found;
}

/** An undo costs nothing unless it was asked to pay. */
function findUnagreed({ batch_id, undoes, pays, asked_ms, plan, items }: KnownBatch): string[] {
  // If it was asked to pay and refused, it is only planned.
  if (undoes === undefined || pays || asked_ms === undefined) return [];
  const isPaid = [...plan, ...items].some(({ cost_usd = 0 }) => cost_usd > 0);
  return isPaid ? [`the undo ${batch_id} costs a fee, although it was not asked to pay`] : [];
}

/** A batch that has started has claimed all its fees. */
function findCeilings({ batch_id, items }: KnownBatch): string[] {
  // A plan refuses activations that exceed the day's fees.
  const failed = items.filter(({ status }) => status === 'error');
  return failed.flatMap(({ listing_pk, issues }) =>
    issues.some(({ message }) => message.includes('MAX_ACTIVATIONS_PER_DAY'))
      ? [`${batch_id} fails in listing ${listing_pk} for the day's fees, which it has claimed`]
      : [],
  );
}
