import { describe, expect, it } from 'vitest';
import { buildIntent, getSettle_ms, renewDeadline } from '../../../../src/core/listings/engine/intents.js';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const SETTLE_MS = 30_000;
/** Calls that make or activate a listing end by then. */
const CALL_DEADLINE_MS = 20_000;

/** How long is waited before what was not found is made again, in ms from the take-up. */
function wait(isAlone: boolean, settle_ms: number): number {
  const intent = buildIntent('create', new Date(NOW.getTime() - 100), 1);
  renewDeadline(intent, NOW, { is_alone: isAlone, settle_ms });
  return getSettle_ms(intent, NOW, settle_ms);
}

describe('what a process had under way when it ended', () => {
  it('is waited for as long as any call that was sent a moment ago', () => {
    expect(wait(true, SETTLE_MS)).toBe(CALL_DEADLINE_MS + SETTLE_MS);
  });

  it('is waited for longer where the process may still be sending', () => {
    expect(wait(false, SETTLE_MS)).toBeGreaterThan(wait(true, SETTLE_MS));
  });

  it('is waited for less where calls are set to settle sooner', () => {
    expect(wait(true, 50)).toBe(100);
  });
});
