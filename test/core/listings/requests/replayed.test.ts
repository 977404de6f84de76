import type { ListingJobResult } from '../../../answers.js';
import { expect, it, onTestFinished } from 'vitest';
import { buildMug, listTargets, startService } from '../../../service.js';

const SAME = 'The same request was sent before; this is its result. Nothing was done twice.';

it('reports that nothing was done twice, and how to create another listing only if a key creates one', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const [clay, linen] = await listTargets(service);

  /** Makes the same call twice, and returns the second answer's remark about that. */
  async function repeat(operation: string, body: object) {
    const named = { idempotency_key: `${operation}-1` };
    const first = await service.call<ListingJobResult>(operation, body, named);
    const again = await service.call<ListingJobResult>(operation, body, named);
    expect([again.listing_pk, again.job_id]).toEqual([first.listing_pk, first.job_id]);
    const outcome = again.warnings?.filter(({ code }) => code === 'replayed').map(({ reason }) => reason);
    return { first, told: outcome };
  }

  const made = await repeat('listing_create', buildMug([clay as object]));
  expect(made.told).toEqual([`${SAME} To create another listing, send a new idempotency_key.`]);
  const { listing_pk } = made.first;
  const changes = { listing: { title: 'Another mug' } };
  for (const [operation, body] of [
    ['listing_publish', { listing_pk, state: 'publish' }],
    ['listing_update', { listing_pk, changes }],
    ['listing_undo', { listing_pk }],
    ['listing_copy', { listing_pk, shops: [{ ...linen, price: 30 }] }],
  ] as const) {
    expect([operation, (await repeat(operation, body)).told]).toEqual([operation, [SAME]]);
  }
  // The shop of the copy has the listing now, so no key creates another one there.
  const other = { listing_pk, shops: [{ ...linen, price: 30 }] };
  expect((await service.refuse('listing_copy', other, { idempotency_key: 'another' })).code).toBe(
    'ALREADY_IN_SHOP',
  );
});

it('names the answer that started a missing job, whichever operation that was', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  expect(await service.refuse('listing_create_status', { job_id: 'job_none' })).toMatchObject({
    code: 'JOB_NOT_FOUND',
    hint: 'Use a job_id from the answer that started the job.',
  });
});
