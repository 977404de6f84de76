import type { Engine } from '../engine/engine.js';
import type { Hold } from '../engine/holds.js';
import type { RateTables } from '../limits/schema.js';
import type { Tables } from '../schema.js';

/** A value of a column: text, a whole number, sealed bytes. */
type Value = string | number | Buffer | null;
export type Row = Record<string, Value>;

/** A table, as both engines have it. */
export type TableShape = {
  name: string;
  /** Which of the two engines of a store has it. */
  engine: 'service' | 'rates';
  columns: string[];
  /** Its primary key, by which its rows sort the same in both engines. */
  key: string[];
  /** Whether the database gives out the numbers of its key, and never one of a row that is gone. */
  is_numbered: boolean;
};

type Access<Of> = Pick<Engine<Of>, 'read' | 'write'>;

/** A database that rows are moved out of or into, with no process on it but this one. */
export type MovePlace = {
  /** In sentences: without the password. */
  name: string;
  service: Access<Tables>;
  rates: Access<RateTables>;
  findHold(): Promise<Hold | undefined>;
  setHold(hold: Hold): Promise<void>;
  liftHold(): Promise<void>;
  /** Throws StoreError when something works on the database. Asked for once it is held. */
  checkAlone(): Promise<void>;
  /** All of them in one transaction. */
  insertRows(table: TableShape, rows: readonly Row[]): Promise<void>;
  /** The last number that was given out; 0 when none was. */
  readLastNumber(table: TableShape): Promise<number>;
  setLastNumber(table: TableShape, last: number): Promise<void>;
  /** The move is over: it can be started on. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

export function getEngine({ service, rates }: MovePlace, table: TableShape): Access<unknown> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tables are named by their shapes here
  return (table.engine === 'service' ? service : rates) as Access<unknown>;
}
