import { rotateMasterKey as rotate } from '../store/index.js';
import { systemRandomness } from '../world/randomness.js';

/** With a key by the operating system's chance; see the store's own. */
export function rotateMasterKey(
  options: Omit<Parameters<typeof rotate>[0], 'randomness'>,
): ReturnType<typeof rotate> {
  return rotate({ ...options, randomness: systemRandomness });
}
