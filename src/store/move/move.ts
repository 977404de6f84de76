import type { Progress } from '../../core/ports/index.js';
import { describeHold, type Hold } from '../engine/holds.js';
import { StoreError } from '../store_error.js';
import type { MovePlace, TableShape } from './place.js';
import { countRows, digestRows, findLastRow, readPages } from './rows.js';

type Options = {
  from: MovePlace;
  to: MovePlace;
  /** The tables to move, each after those that it refers to. */
  tables: readonly TableShape[];
  /** The id for a new move; a move that is continued keeps its own. */
  move_id: string;
  now: () => Date;
  report: (progress: Progress) => void;
  /** Also moves the files, before the service can start on the target. It may be called again after an interruption. */
  moveFiles: () => Promise<void>;
};

export type Moved = { rows: number; tables: number };

/**
 * Copies all rows from one database to another, with their numbers. Both databases are held first, so that the service can
 * start on neither; at the end it can start only on the target. A source that is changed between two attempts, or two live
 * copies, would do the same work twice. Rows come in the order of their keys, one transaction per batch, so the rows in the
 * target show where to resume after an interruption. At the end every row of both is compared. Throws StoreError if one of
 * the two cannot be used.
 */
export async function moveRows(options: Options): Promise<Moved> {
  const { from, to, tables, report } = options;
  const move_id = await beginMove(options);
  let rows = 0;
  for (const table of tables) {
    const total = await countRows(from, table);
    let done = await countRows(to, table);
    const last = done === 0 ? undefined : await findLastRow(to, table);
    for await (const page of readPages(from, table, last)) {
      await to.insertRows(table, page);
      done += page.length;
      report({ done, total, message: `rows of ${table.name}` });
    }
    rows += total;
  }
  await options.moveFiles();
  for (const table of tables) {
    if (table.is_numbered) await to.setLastNumber(table, await from.readLastNumber(table));
  }
  await compare(options);
  await from.setHold({ ...buildHold('moved_out', to, options), move_id });
  await to.finish();
  return { rows, tables: tables.length };
}

function buildHold(
  reason: Hold['reason'],
  place: MovePlace,
  { move_id, now }: Pick<Options, 'move_id' | 'now'>,
): Hold {
  return { reason, place: place.name, move_id, since: now().toISOString() };
}

/** Holds both databases, or finds that this move already holds them. Returns the id of the move. */
async function beginMove(options: Options): Promise<string> {
  const { from, to, tables } = options;
  const left = await from.findHold();
  const found = await to.findHold();
  const isSame = left?.move_id != null && found?.reason === 'moving_in' && found.move_id === left.move_id;
  if (left && left.reason !== 'moving_out' && !isSame) throw new StoreError(describeHold(left, from.name));
  if (found && !isSame) {
    throw new StoreError(
      found.reason === 'moving_in'
        ? `${to.name} is being filled from ${found.place} by another move. Name an empty database.`
        : describeHold(found, to.name),
    );
  }
  if (!found) await checkEmpty(to, tables);
  const move_id = left?.move_id ?? options.move_id;
  if (left?.reason !== 'moved_out') {
    await from.setHold(buildHold('moving_out', to, { ...options, move_id }));
    await from.checkAlone().catch(async (error: unknown) => {
      if (!left) await from.liftHold();
      throw error;
    });
  }
  if (!found) await to.setHold(buildHold('moving_in', from, { ...options, move_id }));
  await to.checkAlone();
  return move_id;
}

async function checkEmpty(to: MovePlace, tables: readonly TableShape[]): Promise<void> {
  for (const table of tables) {
    if ((await findLastRow(to, table)) === undefined) continue;
    throw new StoreError(`${to.name} is not empty: ${table.name} has rows. Name an empty database.`);
  }
}

async function compare({ from, to, tables, report }: Options): Promise<void> {
  for (const table of tables) {
    const total = 2 * (await countRows(from, table));
    let done = 0;
    const count = (rows: number): void => {
      done += rows;
      report({ done, total, message: `rows of ${table.name} compared` });
    };
    const [there, here] = [await digestRows(from, table, count), await digestRows(to, table, count)];
    if (there.total === here.total && there.sha256 === here.sha256) continue;
    throw new StoreError(
      `${table.name} has ${there.total} rows in ${from.name} and ${here.total} in ${to.name}, or others: the move is not right, and neither can be started on. Make the target empty and run the move again, or give it up with listing-service move --lift-mark.`,
    );
  }
}
