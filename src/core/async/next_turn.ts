import { setImmediate } from 'node:timers/promises';

/** Lets the event loop do everything else that is due. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}
