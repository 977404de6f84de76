import { describeKills } from './kills.js';

describeKills(2);
