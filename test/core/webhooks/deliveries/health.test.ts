import { describe, expect, it } from 'vitest';
import { judge, WELL } from '../../../../src/core/webhooks/deliveries/health.js';
import type { EndpointHealth } from '../../../../src/core/ports/index.js';

const HOUR_MS = 60 * 60 * 1000;
const START_MS = Date.parse('2026-11-20T10:00:00.000Z');
const at = (hours: number) => new Date(START_MS + hours * HOUR_MS);
const OK = { is_success: true, response_status_code: 200 };
const BAD = { is_success: false, response_status_code: 500 };
const GONE = { is_success: false, response_status_code: 410 };
const fail = (health: EndpointHealth, hours: number) =>
  judge(health, BAD, { is_by_hand: false, now: at(hours) });

/** Failures at these hours, one after another. */
const failAt = (...hours: number[]) => hours.reduce(fail, WELL);

describe('an endpoint', () => {
  it('is failing from the first failure after its last success', () => {
    const failing = failAt(0, 5, 24);
    expect(failing).toEqual({
      ...WELL,
      failing_since: at(0).toISOString(),
      last_failed_at: at(24).toISOString(),
    });
    expect(judge(failing, OK, { is_by_hand: false, now: at(25) })).toEqual(WELL);
    expect(judge(failing, OK, { is_by_hand: true, now: at(25) })).toEqual(WELL);
  });

  it('is disabled after five days of only failures', () => {
    expect(failAt(0, 24, 48, 72, 96, 119.9)).toMatchObject({ is_enabled: true });
    expect(failAt(0, 24, 48, 72, 96, 120)).toEqual({
      is_enabled: false,
      switched_off_at: at(120).toISOString(),
      switch_off_reason: 'failing',
      failing_since: at(0).toISOString(),
      last_failed_at: at(120).toISOString(),
    });
  });

  it('is not disabled for failures with a long quiet time between them', () => {
    expect(failAt(0, 24, 150)).toMatchObject({ is_enabled: true, failing_since: at(150).toISOString() });
  });

  it('is disabled by 410, also after a manual delivery', () => {
    for (const isByHand of [true, false]) {
      expect(judge(WELL, GONE, { is_by_hand: isByHand, now: at(1) })).toMatchObject({
        is_enabled: false,
        switch_off_reason: 'gone',
        switched_off_at: at(1).toISOString(),
      });
    }
  });

  it('is not failing because of a manual delivery', () => {
    expect(judge(WELL, BAD, { is_by_hand: true, now: at(1) })).toEqual(WELL);
  });

  it('stays disabled after late answers', () => {
    const off = failAt(0, 24, 48, 72, 96, 120);
    for (const outcome of [OK, BAD, GONE]) {
      expect(judge(off, outcome, { is_by_hand: false, now: at(130) })).toEqual(off);
    }
  });
});
