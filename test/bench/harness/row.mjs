// Measures one file of rows (or the costs), and sends its lines to the process that started this one.
import { shorten } from './numbers.mjs';

const [name, quick] = process.argv.slice(2);
const isQuick = quick === 'quick';
if (isQuick) shorten(2);
const { measure } = await import(name === 'costs' ? '../costs.mjs' : `../rows/${name}.mjs`);
process.send(await measure({ is_quick: isQuick }));
process.disconnect();
