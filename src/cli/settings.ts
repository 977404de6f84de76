import { listSettings } from '../config.js';
import { print } from './output.js';

export function printSettings(): void {
  for (const { variable, default: fallback, description } of listSettings()) {
    print(`${variable.padEnd(24)} ${description}${fallback === '' ? '' : ` (${fallback})`}`);
  }
}
