import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAY, startService, TARGETS, buildMug, upload, type TestService } from '../../service.js';
import { makeListing } from '../listings/update/rig.js';

let service: TestService;
let image: string;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  image = await upload(service, 'photo-01.jpg');
});
afterAll(() => service.close());

const countFees = async () => (await service.control<{ fees: unknown[] }>('GET', '/state')).fees.length;
const goAway = async (...vacation_shop_ids: number[]) => {
  await service.control('POST', '/settings', { vacation_shop_ids });
  await service.call('store_sync', { shop_id: CLAY.shop_id });
};
const build = (more: object = {}) => {
  const { listing, ...rest } = buildMug([{ ...TARGETS.clay }], { state: 'active', images: [{ url: image }] });
  return { ...rest, listing: { ...listing, ...more } };
};

describe('a shop on vacation', () => {
  it('pays no fee: nothing is activated there, whether it is new or was inactive', async () => {
    const { listing_pk } = await makeListing(service);
    await service.call('listing_publish', { listing_pk, state: 'inactive' });
    const before = await countFees();
    await goAway(CLAY.shop_id);
    const away = `"ClayAndOak" is on vacation, so its listings cannot be activated; turn off vacation mode in Shop Manager, then call store_sync`;
    expect(await service.refuse('listing_create', build())).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: `shops[0].shop_id: ${away}`,
    });
    const { message } = await service.refuse('listing_publish', {
      listing_pk,
      state: 'active',
      shops: [CLAY.shop_id],
    });
    expect(message).toContain(away);
    expect(await countFees()).toBe(before);
    await goAway();
  });

  it('is also refused by the marketplace if the vacation is unknown here', async () => {
    const before = await countFees();
    await service.control('POST', '/settings', { vacation_shop_ids: [CLAY.shop_id] });
    const { results } = await service.call<{ results: object[] }>('listing_create', build());
    expect(results).toMatchObject([
      { status: 'error', error: expect.stringContaining('while the shop is on vacation') as string },
    ]);
    expect(await countFees()).toBe(before);
    await goAway();
  });
});

describe("a price above the marketplace's maximum", () => {
  it('is refused before anything is sent', async () => {
    expect((await service.refuse('listing_create', build({ price: 50_000.01 }))).message).toBe(
      'listing.price: is 50000.01; the marketplace allows at most 50000 USD',
    );
    expect(
      await service.call('listing_create', { ...build({ price: 50_000 }), dry_run: true }),
    ).toMatchObject({
      status: 'valid',
    });
  });
});
