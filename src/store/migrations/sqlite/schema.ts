import type { Schema } from '../../engine/sqlite/migrate.js';
import { from22 } from './from_22.js';
import { INITIAL } from './initial/index.js';
import { step24 } from './step_24.js';
import { step28 } from './step_28.js';

/** Of service.db. */
export const SERVICE_SCHEMA: Schema = {
  initial: { version: 23, sql: INITIAL },
  before: from22,
  later: [step24, step28],
};
