import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, listTargets, startService, type TestService } from '../../../service.js';

/* An undo that is repeated with its key is not an undo of the undo. */

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('binds an undo to a key in the body, like an update', async () => {
  const { listing_pk } = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(await listTargets(service), { state: 'publish' }),
  );
  await service.call('listing_update', { listing_pk, changes: { listing: { title: 'Another mug' } } });
  const undo = (more: object) => service.call<UpdateResult>('listing_undo', { listing_pk, ...more });
  const undone = await undo({ idempotency_key: 'undo-1' });
  expect(undone.status).toBe('completed');
  expect((await undo({ idempotency_key: 'undo-1' })).job_id).toBe(undone.job_id);
  const { request } = await service.call<{ request: { listing: { title: string } } }>('listing_get', {
    listing_pk,
  });
  expect(request.listing.title).toBe('Stoneware mug');
  const { code, message } = await service.refuse('listing_undo', {
    listing_pk,
    idempotency_key: 'x'.repeat(300),
  });
  expect([code, message]).toEqual(['VALIDATION_FAILED', expect.stringContaining('idempotency_key')]);
});
