import type { Engine } from '../engine/engine.js';
import type { Hold } from '../engine/holds.js';
import type { RateTables } from '../limits/schema.js';
import type { Tables } from '../schema.js';

/** A value of a column: text, an integer, encrypted bytes. */
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
  /** Whether the database assigns the numbers of its key, and never reuses one. */
  is_numbered: boolean;
};

type Access<Of> = Pick<Engine<Of>, 'read' | 'write'>;

/** A database that rows are moved out of or into; only this process uses it. */
export type MovePlace = {
  /** In sentences: without the password. */
  name: string;
  service: Access<Tables>;
  rates: Access<RateTables>;
  findHold(): Promise<Hold | undefined>;
  setHold(hold: Hold): Promise<void>;
  liftHold(): Promise<void>;
  /** Throws StoreError if something works on the database. Called once it is held. */
  checkAlone(): Promise<void>;
  /** Inserts all of them in one transaction. */
  insertRows(table: TableShape, rows: readonly Row[]): Promise<void>;
  /** The last number that was assigned; 0 if none was. */
  readLastNumber(table: TableShape): Promise<number>;
  setLastNumber(table: TableShape, last: number): Promise<void>;
  /** The move has finished: the service can start on it. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

export function getEngine({ service, rates }: MovePlace, table: TableShape): Access<unknown> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tables are named by their shapes here
  return (table.engine === 'service' ? service : rates) as Access<unknown>;
}
