import type { ListingJobResult } from '../../../answers.js';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

/** A write its caller gave up arrives well after its repeat was answered, as late as possible. */
const SETTINGS = { RECONCILE_SETTLE_MS: '1500' };
const IMPATIENT = { call_timeout_ms: 500, upload_timeout_ms: 500 };
const LATE_MS = 1_700;

type World = {
  calls: Record<string, number>;
  listings: {
    listing_id: number;
    state: string;
    variation_images: { value: string }[];
    inventory: { products: { sku: string; offering: { quantity: number } }[] };
  }[];
};

let service: TestService;
let body: ReturnType<typeof buildMug>;
beforeEach(async () => {
  service = await startService(SETTINGS);
  const [target] = await listTargets(service);
  const urls = [await upload(service, 'photo-01.jpg'), await upload(service, 'photo-02.jpg')];
  body = buildMug([target as object], {
    state: 'active',
    idempotency_key: 'mug',
    images: urls.map((url) => ({ url })),
    variations: {
      properties: [{ property_id: 514, name: 'Glaze', values: ['White', 'Ochre'] }],
      offerings: [
        { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
        { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
      ],
      variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
    },
  });
  // Makes the faults affect only the job.
  await service.call('listing_schema', { category_id: 1062 });
  await restart();
});
afterEach(() => service.close());

async function restart(): Promise<void> {
  const { data_dir } = service;
  await service.close({ keep: true });
  service = await startService(SETTINGS, { data_dir, timeouts: IMPATIENT });
}

const create = () => service.call<ListingJobResult>('listing_create', body);
const readWorld = () => service.control<World>('GET', '/state');

describe('an inventory that arrives after its repeat was answered', () => {
  beforeEach(() =>
    service.control('POST', '/faults', {
      rules: [{ operation: 'updateListingInventory', action: { type: 'slow', ms: LATE_MS } }],
    }),
  );

  it('is awaited before photos of variations are set, and before buyers can buy', async () => {
    const { results } = await create();
    expect(results?.map(({ status, activated }) => [status, activated])).toEqual([['ok', true]]);
    const [listing] = (await readWorld()).listings;
    for (const [sku, quantity] of [
      ['W', 3],
      ['O', 4],
    ]) {
      await service.control('POST', `/listings/${listing?.listing_id}/sell`, { sku, quantity });
    }
    await delay(LATE_MS);
    expect(await readStock()).toEqual([0, 0]);
    const [later] = (await readWorld()).listings;
    expect(later?.variation_images.map(({ value }) => value).sort()).toEqual(['Ochre', 'White']);
  });

  it('is awaited before a failure is reported, because the seller may set another stock then', async () => {
    const refusal = { type: 'status', status: 400, body: { error: 'no' } };
    await service.control('POST', '/faults', {
      rules: [{ operation: 'updateListingInventory', action: refusal }],
    });
    const { results } = await create();
    expect(results?.[0]?.status).toBe('error');
    expect(await readStock()).toEqual([3, 4]);
  });
});

async function readStock(): Promise<number[] | undefined> {
  const [listing] = (await readWorld()).listings;
  return listing?.inventory.products.map(({ offering }) => offering.quantity);
}
