// Must come first, so that no module finds the process's own clock.
import './kernel/sealed.js';
import { work } from './work.js';

await work(process.argv[2] ?? '');
process.exit(0);
