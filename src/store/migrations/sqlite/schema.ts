import type { Schema } from '../../engine/sqlite/migrate.js';
import { from22 } from './from_22.js';
import { INITIAL } from './initial/index.js';
import { step24 } from './step_24.js';
import { step25 } from './step_25.js';
import { step26 } from './step_26.js';
import { step27 } from './step_27.js';
import { step28 } from './step_28.js';
import { step29 } from './step_29.js';
import { step30 } from './step_30.js';
import { step31 } from './step_31.js';
import { step32 } from './step_32.js';
import { step33 } from './step_33.js';
import { step34 } from './step_34.js';
import { step35 } from './step_35.js';
import { step36 } from './step_36.js';
import { step37 } from './step_37.js';
import { step38 } from './step_38.js';
import { step39 } from './step_39.js';
import { step40 } from './step_40.js';
import { step41 } from './step_41.js';

/** Of service.db. */
export const SERVICE_SCHEMA: Schema = {
  initial: { version: 23, sql: INITIAL },
  before: from22,
  later: [
    step24,
    step25,
    step26,
    step27,
    step28,
    step29,
    step30,
    step31,
    step32,
    step33,
    step34,
    step35,
    step36,
    step37,
    step38,
    step39,
    step40,
    step41,
  ],
};
