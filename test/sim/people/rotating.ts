import { NEVER_MS, type PlannedRotation } from '../plan.js';
import type { Receiver } from '../world/receivers.js';
import type { World } from '../world/world.js';
import type { Ask } from './asking.js';

/** Changes the secret of webhooks. The receiver is told later, and what comes until then must be signed with the one before too. */
export async function rotateSecret(
  { schedule, journal }: World,
  { at_ms, learns_after_ms }: PlannedRotation,
  { ask, receiver }: { ask: Ask; receiver: Receiver },
): Promise<void> {
  if (at_ms >= NEVER_MS) return;
  await schedule.pause(at_ms);
  const { url } = receiver;
  const input = { url, rotate_secret: true };
  const told = await ask('seller', 'webhook_endpoint_set', input, { face: 'rest', key: 'rotation' });
  if (told.kind !== 'told') throw new Error(`the secret is not changed: ${JSON.stringify(told)}`);
  await schedule.pause(learns_after_ms);
  receiver.secret = String(told.output['secret']);
  journal.note('receiver', 'has the new secret');
}
