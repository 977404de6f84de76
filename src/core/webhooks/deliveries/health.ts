import type { EndpointHealth } from '../../ports/index.js';

const HOUR_MS = 60 * 60 * 1000;
/** An endpoint whose deliveries all failed for this time is switched off. */
const FAILING_MS = 5 * 24 * HOUR_MS;
/** More than the longest pause of a schedule: a failure after a longer pause proves nothing about the days between. */
const QUIET_MS = 30 * HOUR_MS;

export const WELL: EndpointHealth = {
  is_enabled: true,
  switched_off_at: null,
  switch_off_reason: null,
  failing_since: null,
  last_failed_at: null,
};

/**
 * The health of an endpoint after an answer. 410 switches it off, and so do five days in which all deliveries failed, without
 * a pause longer than 30 hours. A manual delivery can restore its health, or switch it off with a 410, but does not count as
 * a failure.
 */
export function judge(
  before: EndpointHealth,
  outcome: { is_success: boolean; response_status_code: number | null },
  options: { is_by_hand: boolean; now: Date },
): EndpointHealth {
  const now = options.now.toISOString();
  if (!before.is_enabled) return before;
  if (outcome.is_success) return WELL;
  if (outcome.response_status_code === 410) return switchOff(before, 'gone', now);
  if (options.is_by_hand) return before;
  const { failing_since, last_failed_at } = before;
  const isGoingOn =
    failing_since !== null && options.now.getTime() - Date.parse(last_failed_at ?? '') <= QUIET_MS;
  const since = isGoingOn ? failing_since : now;
  const health = { ...before, failing_since: since, last_failed_at: now };
  return options.now.getTime() - Date.parse(since) >= FAILING_MS ? switchOff(health, 'failing', now) : health;
}

function switchOff(
  health: EndpointHealth,
  switch_off_reason: 'gone' | 'failing',
  switched_off_at: string,
): EndpointHealth {
  return { ...health, is_enabled: false, switched_off_at, switch_off_reason };
}
