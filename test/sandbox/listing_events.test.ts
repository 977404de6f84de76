import { describe, expect, it } from 'vitest';
import { CLAY, CLAY_READINESS } from './harness.js';
import { openSubscribed, PATIENT } from './subscriber.js';

const API = 'https://api.etsy.com/v3/application';

/** A mug, the messages since its creation, and a function that writes its inventory. */
async function openMug() {
  const rig = await openSubscribed();
  const listing_id = await rig.createMug();
  await expect.poll(() => rig.taken.length, PATIENT).toBe(2);
  const made = rig.taken.splice(0);
  return {
    ...rig,
    listing_id,
    made: made.map(({ message }) => message),
    /** Resolves with the events since the last call, once there are this many. */
    async take(count: number) {
      await expect.poll(() => rig.taken.length, PATIENT).toBe(count);
      return rig.taken.splice(0).map(({ message }) => message);
    },
    write: (products: object[]) =>
      rig.call('PUT', `/listings/${listing_id}/inventory`, {
        json: { products, sku_on_property: [513], price_on_property: [513], quantity_on_property: [513] },
      }),
  };
}

const build = (value: string, offering: object = {}, sku = value) => ({
  sku,
  property_values: [{ property_id: 513, property_name: 'Glaze', value_ids: [], values: [value] }],
  offerings: [{ price: 20, quantity: 3, is_enabled: true, readiness_state_id: CLAY_READINESS, ...offering }],
});

const listTypes = (messages: { event_type: string }[]) => messages.map(({ event_type }) => event_type).sort();

describe("the sandbox's messages about a listing", () => {
  it('report its creation with its one product', async () => {
    const { made, listing_id } = await openMug();
    expect(made.map(({ event_type, shop_id }) => [event_type, shop_id])).toEqual([
      ['listing.created', CLAY.shop_id],
      ['inventory.created', CLAY.shop_id],
    ]);
    expect(made[0]?.resource_url).toBe(`${API}/listings/${listing_id}`);
    expect(made[1]?.resource_url).toMatch(
      new RegExp(`^${API}/listings/${listing_id}/inventory/products/\\d+$`),
    );
  });

  it('report each change visible to buyers, and no other', async () => {
    const { call, control, take, listing_id, taken } = await openMug();
    const path = `/shops/${CLAY.shop_id}/listings/${listing_id}`;
    await call('PATCH', path, { form: { title: 'Another Mug' } });
    expect(await take(1)).toEqual([
      { event_type: 'listing.updated', resource_url: `${API}/listings/${listing_id}`, shop_id: CLAY.shop_id },
    ]);
    await control('POST', `/listings/${listing_id}/state`, { state: 'expired' });
    expect(listTypes(await take(1))).toEqual(['listing.updated']);
    await call('PATCH', path, { form: { title: 'Another Mug', tags: 'mug' } });
    await call('GET', `/listings/${listing_id}`);
    await call('PATCH', path, { form: { title: 'Mug %% %%' } });
    await call('PATCH', path, { form: { description: 'The last.' } });
    expect(listTypes(await take(1))).toEqual(['listing.updated']);
    expect(taken).toEqual([]);
  });

  it('report products that are added, changed, sold out and removed, matched by their values', async () => {
    const { write, take } = await openMug();
    expect((await write([build('Oat'), build('Sea')])).status).toBe(200);
    expect(listTypes(await take(3))).toEqual(['inventory.created', 'inventory.created', 'inventory.deleted']);
    await write([build('Oat', { price: 25 }), build('Sea')]);
    expect(listTypes(await take(1))).toEqual(['inventory.updated']);
    await write([build('Oat', { price: 25 }), build('Sea', { quantity: 0 })]);
    expect(listTypes(await take(1))).toEqual(['inventory.out_of_stock']);
    await write([build('Oat', { price: 25 })]);
    expect(listTypes(await take(1))).toEqual(['inventory.deleted']);
  });

  it('report its deletion with its products', async () => {
    const { call, take, listing_id } = await openMug();
    expect((await call('DELETE', `/listings/${listing_id}`)).status).toBe(204);
    expect(listTypes(await take(2))).toEqual(['inventory.deleted', 'listing.deleted']);
  });
});
