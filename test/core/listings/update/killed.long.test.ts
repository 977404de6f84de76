import { IS_WHOLE } from '../../../whole.js';
import { describeKills } from './kills.js';

describeKills(IS_WHOLE ? 1 : 4);
