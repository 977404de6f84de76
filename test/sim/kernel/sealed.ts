import { createChance } from './chance.js';
import { createSchedule } from './schedule.js';
import { seal, sealProcess } from './seal.js';

sealProcess();
// Random numbers that modules draw as they are loaded.
const chance = createChance(0, 'modules');
seal({ chance, schedule: createSchedule(0, chance) });
