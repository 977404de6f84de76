import type { Schema } from '../../engine/postgres/migrate.js';
import { INITIAL } from './initial/index.js';
import { STEP_2 } from './step_2.js';
import { STEP_3 } from './step_3.js';
import { STEP_4 } from './step_4.js';
import { STEP_5 } from './step_5.js';
import { STEP_6 } from './step_6.js';
import { STEP_7 } from './step_7.js';
import { STEP_8 } from './step_8.js';
import { STEP_9 } from './step_9.js';
import { STEP_10 } from './step_10.js';
import { STEP_11 } from './step_11.js';
import { STEP_12 } from './step_12.js';
import { STEP_13 } from './step_13.js';

/** Of a database on PostgreSQL, with the counters that SQLite keeps in a file of their own. */
export const POSTGRES_SCHEMA: Schema = {
  steps: [
    { sql: INITIAL, usable_from: 1 },
    { sql: STEP_2, usable_from: 1 },
    // An older release saves listings without their words, and no search would find them.
    { sql: STEP_3, usable_from: 3 },
    { sql: STEP_4, usable_from: 3 },
    { sql: STEP_5, usable_from: 3 },
    { sql: STEP_6, usable_from: 3 },
    // An older release reads the files of a listing's progress as a list, and takes jobs over without what guards an undo.
    { sql: STEP_7, usable_from: 7 },
    // An older release counts a manual edit as known once it has shown it.
    { sql: STEP_8, usable_from: 8 },
    // An older release stores bodies of events in clear text, and cannot send the encrypted ones.
    { sql: STEP_9, usable_from: 9 },
    { sql: STEP_10, usable_from: 9 },
    // An older release takes a file for an address whose key was revoked.
    { sql: STEP_11, usable_from: 11 },
    // An older release keeps the sessions of MCP clients in the tables that this step drops.
    { sql: STEP_12, usable_from: 12 },
    // An older release leaves words of SKUs that a listing has no longer.
    { sql: STEP_13, usable_from: 13 },
  ],
};
