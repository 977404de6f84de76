import type { Chance } from '../kernel/chance.js';
import { GONE, MANY_A_DAY, type PlannedOrder, type PlannedOutage, type PlannedRotation } from '../plan.js';
import { drawMany, HOUR_MS, MINUTE_MS } from './times.js';

export function drawOrder(chance: Chance, span_ms: number): PlannedOrder {
  const way = chance.pick([
    ['paid'],
    ['paid', 'shipped'],
    ['paid', 'shipped', 'delivered'],
    ['paid', 'canceled'],
  ] as const);
  return {
    at_ms: chance.below(span_ms * 0.8),
    shop: chance.oneIn(2) ? 0 : 1,
    changes: way.map((change) => ({
      after_ms: chance.below(span_ms / 8),
      change,
    })),
  };
}

/** Mostly more than a world asks for, and sometimes so few that a product is not finished within the day. */
export function drawDay(chance: Chance): number {
  return chance.oneIn(6) ? chance.between(40, 250) : MANY_A_DAY;
}

/** At most one, which the receiver learns well within the 24 hours in which both secrets are valid. */
export function drawRotations(chance: Chance, span_ms: number): PlannedRotation[] {
  return drawMany(chance.oneIn(3) ? 1 : 0, () => ({
    at_ms: chance.below(span_ms),
    learns_after_ms: chance.pick([0, chance.below(HOUR_MS), chance.below(23 * HOUR_MS)]),
  }));
}

export function drawOutage(chance: Chance, span_ms: number): PlannedOutage {
  const kind = chance.pick(['refused', 'lost', 'silent', 'slow', 'status', 'status'] as const);
  return {
    at_ms: chance.below(span_ms),
    lasts_ms: chance.pick([20_000, 10 * MINUTE_MS, 2 * HOUR_MS]),
    kind,
    ...(kind === 'status' && {
      status: chance.pick([500, 503, 404, 302, 429]),
      headers: chance.oneIn(3) ? { 'retry-after': String(chance.between(1, 600)) } : {},
    }),
  };
}

/** At most once, a receiver says that it is gone. Its seller finds out, and sets it again. */
export function drawGone(chance: Chance, span_ms: number): PlannedOutage[] {
  return drawMany(chance.oneIn(6) ? 1 : 0, () => ({
    at_ms: chance.below(span_ms),
    lasts_ms: chance.between(HOUR_MS / 4, 4 * HOUR_MS),
    kind: 'status',
    status: GONE,
  }));
}
