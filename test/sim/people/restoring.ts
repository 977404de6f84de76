import type { Receiver } from '../world/receivers.js';
import type { World } from '../world/world.js';
import { GONE, NEVER_MS, type PlannedOutage } from '../plan.js';
import type { Ask } from './asking.js';

/**
 * Some time after a receiver has said that it is gone, its seller checks the destination, and sets it again if
 * it is off.
 */
export async function restoreReceiver(
  world: World,
  { at_ms, lasts_ms, status }: PlannedOutage,
  { ask, receiver }: { ask: Ask; receiver: Receiver },
): Promise<void> {
  if (status !== GONE || at_ms >= NEVER_MS) return;
  await world.schedule.pause(at_ms + lasts_ms + LOOKS_AFTER_MS);
  await switchOn(world, { ask, receiver });
}

const LOOKS_AFTER_MS = 5 * 60_000;

/** Sets a destination again that was switched off. */
export async function switchOn(
  world: World,
  { ask, receiver }: { ask: Ask; receiver: Receiver },
): Promise<void> {
  const seen = await ask('seller', 'webhook_endpoint_get', {}, { face: 'rest' });
  if (seen.kind !== 'told' || seen.output['enabled'] === true) return;
  const reason = String(seen.output['switch_off_reason']);
  if (reason !== 'gone') throw new Error(`the destination is off, as ${reason}`);
  await setReceiver(world, { ask, receiver });
}

/** Sets it, or its new secret, which the answer contains. It is on from then. */
export async function setReceiver(
  { schedule, journal }: World,
  { ask, receiver }: { ask: Ask; receiver: Receiver },
  change: { rotate_secret?: boolean } = {},
): Promise<string> {
  const input = { url: receiver.url, ...change };
  const key = change.rotate_secret === true ? 'rotation' : undefined;
  const result = await ask('seller', 'webhook_endpoint_set', input, { face: 'rest', key });
  if (result.kind !== 'told') throw new Error(`the destination is not set: ${JSON.stringify(result)}`);
  receiver.gone = undefined;
  if (receiver.on_since_ms !== undefined) receiver.on_since_ms = schedule.now();
  journal.note('seller', 'has set the destination');
  return String(result.output['secret']);
}
