import { rotateMasterKey as rotate } from '../store/index.js';
import { systemRandomness } from '../world/randomness.js';

/** Rotates to a new random master key; see rotateMasterKey of the store. */
export function rotateMasterKey(
  options: Omit<Parameters<typeof rotate>[0], 'randomness'>,
): ReturnType<typeof rotate> {
  return rotate({ ...options, randomness: systemRandomness });
}
