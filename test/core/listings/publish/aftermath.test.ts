import { describe, expect, it } from 'vitest';
import { buildIntent, getSettle_ms, renewDeadline } from '../../../../src/core/listings/engine/intents.js';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const SETTLE_MS = 30_000;
/** By then, calls that create or activate a listing have ended. */
const CALL_DEADLINE_MS = 20_000;

/**
 * How long to wait before a listing that was not found is created again, in ms from the start of the recovery.
 */
function wait(isAlone: boolean, settle_ms: number): number {
  const intent = buildIntent('create', new Date(NOW.getTime() - 100), 1);
  renewDeadline(intent, NOW, { is_alone: isAlone, settle_ms });
  return getSettle_ms(intent, NOW, settle_ms);
}

describe('an unfinished call of a process that ended', () => {
  it('is waited for as long as any call sent a moment ago', () => {
    expect(wait(true, SETTLE_MS)).toBe(CALL_DEADLINE_MS + SETTLE_MS);
  });

  it('is waited for longer if the process may still be sending', () => {
    expect(wait(false, SETTLE_MS)).toBeGreaterThan(wait(true, SETTLE_MS));
  });

  it('is waited for less if calls are set to settle sooner', () => {
    expect(wait(true, 50)).toBe(100);
  });
});
