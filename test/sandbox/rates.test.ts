import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/sandbox/store/database.js';
import { takeCall } from '../../src/sandbox/requests/rates.js';
import { openRig } from './harness.js';

const NOON = Date.UTC(2026, 10, 20, 12);
const LIMITS = { rate_per_second: 3, rate_per_day: 5 };

describe('takeCall', () => {
  it('lets a sliding second pass as many calls as the limit', () => {
    const db = openDatabase(':memory:');
    for (const at of [0, 400, 800]) expect(takeCall(db, 'app', NOON + at, LIMITS).refused).toBeUndefined();
    expect(takeCall(db, 'app', NOON + 999, LIMITS)).toEqual({
      headers: {
        'x-limit-per-second': '3',
        'x-remaining-this-second': '0',
        'x-limit-per-day': '5',
        'x-remaining-today': '2',
        'retry-after': '1',
      },
      refused: { window: 'second', retry_after_s: 1 },
    });
    expect(takeCall(db, 'app', NOON + 1001, LIMITS).refused).toBeUndefined();
    db.close();
  });

  it('counts a rolling 24 hours, and says when its first call leaves the window', () => {
    const db = openDatabase(':memory:');
    for (const hour of [0, 1, 2, 3, 4]) takeCall(db, 'app', NOON + hour * 3_600_000, LIMITS);
    const at = NOON + 5 * 3_600_000;
    expect(takeCall(db, 'app', at, LIMITS).refused).toEqual({ window: 'day', retry_after_s: 19 * 3600 + 60 });
    expect(takeCall(db, 'app', NOON + 24 * 3_600_000 + 61_000, LIMITS).refused).toBeUndefined();
    db.close();
  });
});

describe('rate limits over HTTP', () => {
  it('report the numbers with each answer and refuse with 429', async () => {
    const rig = await openRig({ rate_per_second: 2, rate_per_day: 50 });
    try {
      const replies = await Promise.all([1, 2, 3, 4].map(() => rig.call('GET', '/openapi-ping')));
      const refused = replies.filter((reply) => reply.status === 429);
      expect(refused).toHaveLength(2);
      expect(refused[0]?.body).toEqual({ error: 'Exceeded per second rate limit' });
      expect(refused[0]?.headers.get('retry-after')).toBe('1');
      const granted = replies.find((reply) => reply.status === 200);
      expect(granted?.headers.get('x-limit-per-second')).toBe('2');
      expect(granted?.headers.get('x-limit-per-day')).toBe('50');
      expect(granted?.headers.get('x-etsy-request-uuid')).toMatch(/^[0-9a-f-]{36}$/);
      expect(granted?.headers.get('date')).toBeTruthy();
      const left = replies.map((reply) => Number(reply.headers.get('x-remaining-today')));
      expect(Math.min(...left)).toBe(48);
    } finally {
      await rig.sandbox.close();
    }
  });

  it('do not count a call refused for its key', async () => {
    const rig = await openRig({ rate_per_second: 2 });
    try {
      for (let round = 0; round < 4; round += 1) {
        await rig.call('GET', '/openapi-ping', { headers: { 'x-api-key': 'nothing' } });
      }
      expect((await rig.call('GET', '/openapi-ping')).headers.get('x-remaining-this-second')).toBe('1');
    } finally {
      await rig.sandbox.close();
    }
  });
});
