import type { ListingJobResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { SANDBOX_SHOPS } from '../../../../src/sandbox/world/shops.js';
import { buildMug, startService, TARGETS, type TestService } from '../../../service.js';
import { connectShop, FERN, MAPLE } from './connect_shop.js';

/* Which values of its first shop a copy carries over, and what is reported if a shop cannot be reached. */

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const { clay, linen } = TARGETS;

it('carries overrides only to shops of the same currency, unless they are given', async () => {
  const maple = await connectShop(service, MAPLE.shop_id);
  const fern = await connectShop(service, FERN.shop_id);
  const overrides = { listing: { title: 'Mug of one shop' } };
  const { listing_pk } = await service.call<ListingJobResult>(
    'listing_create',
    buildMug([{ ...clay, overrides }], { idempotency_key: 'copied-values' }),
  );
  const read = async () => {
    const { request } = await service.call<{ request: ListingRequest }>('listing_get', { listing_pk });
    return request.shops.map(({ shop_id, overrides }) => [shop_id, overrides?.listing?.title]);
  };
  await service.call('listing_copy', { listing_pk, shops: [maple, { ...fern, price: 21 }] });
  expect(await read()).toEqual([
    [clay.shop_id, 'Mug of one shop'],
    [maple.shop_id, 'Mug of one shop'],
    [fern.shop_id, undefined],
  ]);
  const given = { listing: { title: 'Linen mug', price: 21 } };
  await service.call('listing_copy', { listing_pk, shops: [{ ...linen, overrides: given }] });
  expect((await read()).at(-1)).toEqual([linen.shop_id, 'Linen mug']);
});

it('names the call for the other shops if one has revoked its grant', async () => {
  const { listing_pk } = await service.call<ListingJobResult>(
    'listing_create',
    buildMug([clay, linen], { state: 'publish', idempotency_key: 'revoked' }),
  );
  const shop = SANDBOX_SHOPS.find(({ shop_id }) => shop_id === linen.shop_id);
  await service.control('POST', '/tokens/revoke', { user_id: shop?.user_id });
  await service.refuse('store_sync', { shop_id: linen.shop_id });
  const { code, hint } = await service.refuse('listing_update', {
    listing_pk,
    changes: { listing: { title: 'New' } },
  });
  expect(code).toBe('STORE_RECONNECT_REQUIRED');
  expect(hint).toContain(`call again with shops [${clay.shop_id}]`);
});
