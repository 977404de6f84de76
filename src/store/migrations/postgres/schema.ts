import type { Schema } from '../../engine/postgres/migrate.js';
import { INITIAL } from './initial/index.js';
import { STEP_14 } from './step_14.js';
import { STEP_15 } from './step_15.js';
import { STEP_16 } from './step_16.js';
import { STEP_17 } from './step_17.js';
import { STEP_18 } from './step_18.js';

/** The schema of a PostgreSQL database, including the counters that SQLite keeps in a file of their own. */
export const POSTGRES_SCHEMA: Schema = {
  initial: { version: 13, sql: INITIAL },
  later: [
    // An older release counts calls to the marketplace in the table that this step drops.
    { sql: STEP_14, usable_from: 14 },
    // An older release does not know the jobs of batches, and would fail on them.
    { sql: STEP_15, usable_from: 15 },
    // An older release treats a download address as an upload address, and cannot plan a sheet.
    { sql: STEP_16, usable_from: 16 },
    // An older release leaves the new columns empty.
    { sql: STEP_17, usable_from: 16 },
    // An older release does not read the new table.
    { sql: STEP_18, usable_from: 16 },
    // An older release cannot read the plans of publishing that this one stores.
    { sql: [], usable_from: 19 },
  ],
};
