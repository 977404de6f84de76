import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeliveryDetail } from '../../../schemas/delivery.js';
import { startService, type TestService } from '../../service.js';
import { makeListings, OFF_SALE, openBatches, slow, UP } from './rig.js';

const URL = 'https://shop.example/hooks';

let service: TestService;
let batches: ReturnType<typeof openBatches>;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  batches = openBatches(service);
});
afterAll(() => service.close());

const setEvents = (events?: string[]) => service.call('webhook_endpoint_set', { url: URL, events });

/** The recorded bodies of batch.finished, oldest first. */
async function listFinished() {
  const { deliveries } = await service.call<{ deliveries: { id: number; event_type: string }[] }>(
    'webhooks_deliveries',
    { limit: 100 },
  );
  const bodies = deliveries
    .filter(({ event_type }) => event_type === 'batch.finished')
    .map(async ({ id }) => {
      const page = await service.call<{ deliveries: DeliveryDetail[] }>('webhooks_deliveries', { id });
      return page.deliveries[0]?.payload as unknown as { data: { batch: object } };
    });
  return (await Promise.all(bodies)).map(({ data }) => data.batch).toReversed();
}

it('sends batch.finished once for each batch that ran, with its counts, to a destination that subscribes to it', async () => {
  const [one, two] = await makeListings(service, 2);
  if (!one || !two) throw new Error('two were made');
  expect(await setEvents()).toMatchObject({ events: expect.not.arrayContaining(['batch.finished']) });
  await batches.start(await batches.plan([one], [{ field: 'tags', op: 'add', value: ['oat'] }]));
  expect(await listFinished()).toEqual([]);

  await setEvents(['batch.finished']);
  const planned = await batches.plan([one, two], UP);
  const done = await batches.start(planned);
  await batches.start(planned);
  const undone = await batches.undo(done);
  await batches.cancel(await batches.plan([one], UP));
  const midway = await batches.plan([one, two], [...UP, OFF_SALE]);
  await slow(service, 'updateListingInventory', 1_000);
  await batches.start(midway, { wait_ms: 200 });
  await batches.cancel(midway);
  const { counts } = await batches.follow(midway, 'canceled');
  expect(counts).toMatchObject({ error: 2, canceled: 2, waiting: 0 });
  expect(await listFinished()).toEqual([
    {
      batch_id: done.batch_id,
      undoes: null,
      status: 'completed',
      counts: done.counts,
      started_at: done.started_at,
    },
    expect.objectContaining({ batch_id: undone.batch_id, undoes: done.batch_id, status: 'completed' }),
    expect.objectContaining({ batch_id: midway.batch_id, status: 'canceled', counts }),
  ]);
});
