import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../../service.js';

type Page = { success: boolean; total: number; limit: number; offset: number; deliveries: { id: number }[] };

let service: TestService;

beforeAll(async () => {
  service = await startService();
  const { core } = service.app;
  const { account_id } = await core.accounts.getDefault();
  await core.endpoints.set(account_id, { url: 'https://shop.example/hooks' });
  for (let n = 1; n <= 120; n += 1) {
    await core.events.record({
      account_id,
      event_type: 'order.paid',
      data: { n },
      subject: `order:${n}`,
      change_key: `change:${n}`,
    });
  }
  // No worker runs here: a claimed delivery stays claimed.
  const [claimed] = await service.app.store.webhooks.claimDue(account_id, 60_000, 1);
  const end = {
    status: 'failed',
    response_status_code: 500,
    error: 'status_500',
    completed_at: '9999',
  } as const;
  if (claimed)
    await service.app.store.webhooks.endDelivery(claimed, end, (health) => ({ health, next: null }));
});
afterAll(() => service.close());

const list = (query: object) => service.call<Page>('webhooks_deliveries', query);

describe('webhooks_deliveries', () => {
  it('lists newest first, 25 by default', async () => {
    const page = await list({});
    expect(page).toMatchObject({ success: true, total: 120, limit: 25, offset: 0 });
    expect(page.deliveries.map(({ id }) => id)).toEqual(
      Array.from({ length: 25 }, (_, index) => 120 - index),
    );
    expect(page.deliveries[0]).toEqual({
      id: 120,
      event_type: 'order.paid',
      status: 'pending',
      response_status_code: null,
      created_at: expect.any(String),
      attempt: 1,
    });
  });

  it('clamps a limit above 100', async () => {
    const page = await list({ limit: 1_000, offset: 10 });
    expect(page).toMatchObject({ total: 120, limit: 100, offset: 10 });
    expect(page.deliveries).toHaveLength(100);
    expect(page.deliveries[0]).toMatchObject({ id: 110 });
  });

  it.each(['', 'SUCCESS', 'sent', 'null'])('ignores the status %j', async (status) => {
    expect(await list({ status })).toMatchObject({ total: 120 });
  });

  it('filters by a status it knows', async () => {
    expect(await list({ status: 'failed' })).toMatchObject({
      total: 1,
      deliveries: [{ id: 1, status: 'failed', response_status_code: 500 }],
    });
    expect(await list({ status: 'success' })).toMatchObject({ total: 0, deliveries: [] });
    expect(await list({ status: 'pending', offset: 118 })).toMatchObject({
      total: 119,
      deliveries: [{ id: 2 }],
    });
  });

  it('returns one by its id with its payload, and ignores other filters', async () => {
    const page = await list({ id: 7, status: 'failed', offset: 50 });
    expect(page).toMatchObject({ success: true, total: 1 });
    expect(page.deliveries).toEqual([
      {
        id: 7,
        event_type: 'order.paid',
        status: 'pending',
        response_status_code: null,
        created_at: expect.any(String),
        attempt: 1,
        payload: {
          id: expect.any(String),
          type: 'order.paid',
          created_at: expect.any(String),
          data: { n: 7 },
        },
        error: null,
        event_id: expect.stringMatching(/^evt_/),
        url: 'https://shop.example/hooks',
        due_at: expect.any(String),
        completed_at: null,
      },
    ]);
  });

  it('knows no delivery of another account', async () => {
    const { account_id } = await service.app.core.accounts.create('another');
    const call = { caller: { account_id, credential: 'key' as const, credential_id: 'test' } };
    expect(await service.refuse('webhooks_deliveries', { id: 7 }, call)).toMatchObject({
      code: 'DELIVERY_NOT_FOUND',
    });
    expect(await service.call('webhooks_deliveries', {}, call)).toMatchObject({ total: 0, deliveries: [] });
    expect(await service.refuse('webhooks_deliveries', { id: 121 })).toMatchObject({
      code: 'DELIVERY_NOT_FOUND',
    });
  });
});
