import type { ImportJobResult, ListingJobResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StoppedError } from '../../../../src/core/listings/engine/failures.js';
import { CLAY, LINEN, startService, type TestService } from '../../../service.js';
import { createFinder, type CrashPoint } from '../../../wrapped/crash_point.js';
import { watchPorts } from '../../../wrapped/ports.js';

/* A copy that is killed halfway and called again is made once, and its fee is paid once. */

type World = {
  listings: { listing_id: number; shop_id: number; state: string; images: unknown[] }[];
  fees: { listing_id: number; shop_id: number }[];
};

/** The first job to reach this point ends there, as in a power failure. */
let isDeadly: ReturnType<typeof createFinder> | undefined;
let service: TestService;
beforeAll(async () => {
  service = await startService(
    { MAX_ACTIVATIONS_PER_DAY: 'unlimited' },
    {
      wrapPorts: (ports) =>
        watchPorts(ports, (side, call, args) => {
          if (!isDeadly?.(side, call, args)) return;
          isDeadly = undefined;
          throw new StoppedError(`ended ${side} ${call}`);
        }),
    },
  );
});
afterAll(() => service.close());

const readState = () => service.control<World>('GET', '/state');

it.each<CrashPoint>([
  'before store.listings.createJob',
  'after store.listings.createJob',
  'after marketplace.createDraftListing',
  'after marketplace.uploadImage',
  'after marketplace.activateListing',
  'before store.listings.finishJob',
])('makes one copy for one fee when killed at %s', { timeout: 30_000 }, async (point) => {
  const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    is_plain: true,
  });
  const imported = await service.call<ImportJobResult>('listing_import', {
    shop_id: CLAY.shop_id,
    listing_ids,
  });
  const listing_pk = imported.results[0]?.listing_pk ?? 0;
  const input = {
    listing_pk,
    shops: [{ shop_id: LINEN.shop_id, shipping_profile_id: 223915882, shop_section_id: null }],
    changes: { listing: { price: 31 } },
    state: 'active',
  };
  const before = await readState();
  isDeadly = createFinder(point);
  await service.invoke('listing_copy', input);
  expect(isDeadly).toBeUndefined();
  const answer = await service.call<ListingJobResult>('listing_copy', input);

  expect(answer.results).toMatchObject([{ shop_id: String(LINEN.shop_id), status: 'ok' }]);
  const after = await readState();
  const known = new Set(before.listings.map(({ listing_id }) => listing_id));
  const made = after.listings.filter(({ listing_id }) => !known.has(listing_id));
  expect(made).toMatchObject([
    { shop_id: LINEN.shop_id, state: 'active', listing_id: answer.results?.[0]?.listing_id },
  ]);
  const original = after.listings.find(({ listing_id }) => listing_id === listing_ids[0]);
  expect(original).toEqual(before.listings.find(({ listing_id }) => listing_id === listing_ids[0]));
  expect(made[0]?.images).toHaveLength(original?.images.length ?? 0);
  expect(after.fees.slice(before.fees.length)).toMatchObject([{ listing_id: made[0]?.listing_id }]);
  const { request } = await service.call<{ request: { shops: { shop_id: number }[] } }>('listing_get', {
    listing_pk,
  });
  expect(request.shops.map(({ shop_id }) => shop_id)).toEqual([CLAY.shop_id, LINEN.shop_id]);
});
