import { NEVER_MS, type PlannedRotation } from '../plan.js';
import type { Receiver } from '../world/receivers.js';
import type { World } from '../world/world.js';
import type { Ask } from './asking.js';
import { setReceiver } from './restoring.js';

/**
 * Rotates the webhook secret. The receiver learns it later; deliveries until then must be signed with the
 * previous secret, too.
 */
export async function rotateSecret(
  world: World,
  { at_ms, learns_after_ms }: PlannedRotation,
  { ask, receiver }: { ask: Ask; receiver: Receiver },
): Promise<void> {
  const { schedule, journal } = world;
  if (at_ms >= NEVER_MS) return;
  await schedule.pause(at_ms);
  const secret = await setReceiver(world, { ask, receiver }, { rotate_secret: true });
  await schedule.pause(learns_after_ms);
  receiver.secret = secret;
  journal.note('receiver', 'has the new secret');
}
