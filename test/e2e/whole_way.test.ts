import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { CLAY, LINEN, upload } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from '../surfaces/faces.js';
import { leaveOut, openMarketplaceView, type MarketplaceView, type Place } from './marketplace_view.js';

/*
 * A listing made on the marketplace is imported, copied, changed in both shops and changed back: the
 * marketplace's data is the same as before.
 */

/** Fields that change with each write of the inventory, and the times of the last write. */
const BY_ITSELF = new Set(['product_id', 'offering_id', 'updated_timestamp', 'last_modified_timestamp']);
const GLAZES = ['Sand', 'Moss'];
const SIZES = ['Small', 'Medium', 'Large'];

let dashboard: TestDashboard;
let marketplace: MarketplaceView;
let faces: Record<'REST' | 'MCP', Face>;

beforeAll(async () => {
  dashboard = await startDashboard();
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { REST: openRest(dashboard.url, key), MCP: await openMcpHttp(dashboard.url, key) };
  await faces.REST.call('stores_list');
  marketplace = await openMarketplaceView(dashboard.service.data_dir);
});
afterAll(async () => {
  await faces.MCP.close();
  await marketplace.close();
  await dashboard.close();
});

const readAll = async (places: readonly Place[]) => {
  const answered: unknown[] = [];
  for (const place of places) answered.push(leaveOut(BY_ITSELF, await marketplace.readAll(place)));
  return answered;
};

describe.each(['REST', 'MCP'] as const)('over %s', (name) => {
  const call = async (id: string, input: Output): Promise<Output> => {
    const answer = await faces[name].call(id, input);
    if (!answer.ok) throw new Error(`${id}: ${JSON.stringify(answer.error)}`);
    return answer.output;
  };

  it('a listing that is imported, copied, changed and changed back is the same as before', async () => {
    const { service } = dashboard;
    const made = await service.control<{ listing_ids: [number] }>('POST', '/listings', {
      shop_id: CLAY.shop_id,
    });
    const clay = { shop_id: CLAY.shop_id, listing_id: made.listing_ids[0] };
    const initial = await readAll([clay]);

    const imported = await call('listing_import', { shop_id: CLAY.shop_id, listing_ids: made.listing_ids });
    const [{ listing_pk }] = imported['results'] as [{ listing_pk: number }];
    expect(await readAll([clay])).toEqual(initial);

    const offerings = GLAZES.flatMap((glaze) =>
      SIZES.map((size, index) => ({ glaze, size, price: 30 + index })),
    );
    const copied = await call('listing_copy', {
      listing_pk,
      shops: [
        {
          shop_id: LINEN.shop_id,
          shipping_profile_id: 223915882,
          return_policy_id: 1158300401,
          shop_section_id: null,
        },
      ],
      changes: { offerings },
      state: 'active',
    });
    const [{ listing_id }] = copied['results'] as [{ listing_id: number }];
    const places = [clay, { shop_id: LINEN.shop_id, listing_id }];
    expect(await readAll([clay])).toEqual(initial);
    for (const { listing_id } of places) {
      for (const [language, title] of [
        ['de', 'Becher'],
        ['fr', 'Tasse'],
      ] as const) {
        await service.control('POST', `/listings/${listing_id}/edit`, {
          translations: { [language]: { title, description: `${title}, von Hand.`, tags: [title] } },
        });
      }
    }
    const before = await readAll(places);

    const { request } = (await call('listing_get', { listing_pk })) as {
      request: { images: { url: string; alt_text: string }[] };
    };
    const [first, second, third] = request.images;
    const url = await upload(service, 'photo-05.jpg');
    const changed = await call('listing_update', {
      listing_pk,
      changes: {
        listing: { title: 'Stoneware mug for two' },
        offerings: [{ sku: `MUG-${clay.listing_id}-5`, price: 44 }],
        images: [third, first, { url, alt_text: 'A new one' }, second],
      },
    });
    expect(changed).toMatchObject({ results: [{ status: 'ok' }, { status: 'ok' }] });
    for (const place of places) {
      const { fields, inventory, images } = (await marketplace.readAll(place)) as unknown as {
        fields: { title: string; translations: object };
        inventory: { products: { sku: string; offerings: [{ price: { amount: number } }] }[] };
        images: { results: { alt_text: string }[] };
      };
      expect(fields.title).toBe('Stoneware mug for two');
      const product = inventory.products.find(({ sku }) => sku === `MUG-${clay.listing_id}-5`);
      expect(product?.offerings[0].price.amount).toBe(4400);
      expect(images.results.map(({ alt_text }) => alt_text)).toEqual([
        third?.alt_text,
        first?.alt_text,
        'A new one',
        second?.alt_text,
      ]);
      expect(fields.translations).toMatchObject({ de: { title: 'Becher' }, fr: { title: 'Tasse' } });
    }

    const undone = await call('listing_undo', { listing_pk });
    expect(undone).toMatchObject({ status: 'completed', results: [{ status: 'ok' }, { status: 'ok' }] });
    expect(await readAll(places)).toEqual(before);
  });
});
