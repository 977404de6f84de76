import { createChance } from './chance.js';
import { createSchedule } from './schedule.js';
import { seal, sealProcess } from './seal.js';

sealProcess();
// What modules draw as they are loaded.
const chance = createChance(0, 'modules');
seal({ chance, schedule: createSchedule(0, chance) });
