import type { Schema } from '../../engine/postgres/migrate.js';
import { INITIAL } from './initial/index.js';

/** Of a database on PostgreSQL, with the counters that SQLite keeps in a file of their own. */
export const POSTGRES_SCHEMA: Schema = {
  steps: [{ sql: INITIAL, usable_from: 1 }],
};
