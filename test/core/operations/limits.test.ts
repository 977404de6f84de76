import { afterEach, beforeEach, expect, it } from 'vitest';
import { startService, type TestService } from '../../service.js';

let service: TestService;
beforeEach(async () => {
  service = await startService({ RATE_LIMIT_PER_SECOND: '2' });
});
afterEach(() => service.close());

it('makes a caller on this computer wait for its turn, and refuses others with the seconds to wait', async () => {
  const local = await Promise.all([1, 2, 3].map(() => service.invoke('stores_list')));
  expect(local.map(({ ok }) => ok)).toEqual([true, true, true]);

  const { account_id } = await service.app.core.accounts.getDefault();
  const caller = { account_id, credential: 'key', credential_id: 'test' } as const;
  const remote = await Promise.all(
    [1, 2, 3, 4].map(() => service.invoke('stores_list', {}, { caller, face: 'rest' })),
  );
  const refused = remote.filter((outcome) => !outcome.ok);
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(refused[0]).toMatchObject({
    error: { error: { code: 'RATE_LIMIT_SECOND', status: 429 } },
    retry_after_seconds: 1,
  });
});

it('does not count calls of the dashboard', async () => {
  const { account_id } = await service.app.core.accounts.getDefault();
  const person = { account_id, credential: 'session', credential_id: 'test' } as const;
  const outcomes = await Promise.all(
    [1, 2, 3, 4].map(() => service.invoke('stores_list', {}, { caller: person, face: 'dashboard' })),
  );
  const limits = { limit_second: 2, remaining_second: 2, limit_day: 10_000_000, remaining_day: 10_000_000 };
  expect(outcomes.map((outcome) => outcome.limits)).toEqual([limits, limits, limits, limits]);
});
