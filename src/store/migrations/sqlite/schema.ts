import type { Schema } from '../../engine/sqlite/migrate.js';
import { INITIAL } from './initial/index.js';
import { step42 } from './steps/step_42.js';
import { step43 } from './steps/step_43.js';
import { step44 } from './steps/step_44.js';
import { step45 } from './steps/step_45.js';
import { step46 } from './steps/step_46.js';

/** The schema of service.db. */
export const SERVICE_SCHEMA: Schema = {
  initial: { version: 41, sql: INITIAL },
  later: [step42, step43, step44, step45, step46],
};
