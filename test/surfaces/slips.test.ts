import type { ListingJobResult, UpdateResult } from '../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, TARGETS, upload, type TestService } from '../service.js';
import { BOTH, startBoth, type Caller } from './both_faces.js';

/* Mistakes that callers make about an existing listing: each answer says what is wrong and what to do. */

let both: Awaited<ReturnType<typeof startBoth>>;
let service: TestService;
beforeAll(async () => {
  both = await startBoth();
  ({ service } = both);
});
afterAll(() => both.close());

const { clay, linen } = TARGETS;
let names = 0;
async function make(more: object = {}, listing: object = {}) {
  const mug = buildMug([clay, linen], { state: 'publish', ...more });
  return service.call<ListingJobResult>('listing_create', {
    ...mug,
    listing: { ...mug.listing, title: `Slip ${(names += 1)}`, ...listing },
  });
}

describe.each(BOTH)('over %s', (name) => {
  let api: Caller;
  beforeAll(() => {
    api = both[name];
  });

  it('two entries of changes.offerings for one combination are refused', async () => {
    const { listing_pk } = await make({}, { sku: 'MUG' });
    const offerings = [
      { sku: 'MUG', price: 30 },
      { sku: 'MUG', price: 31 },
    ];
    const { message } = await api.refuse('listing_update', { listing_pk, changes: { offerings } });
    expect(message).toContain('changes.offerings[1]: is for the same combination as changes.offerings[0]');
  });

  it('images: null is refused for a listing on the marketplace, as an empty list is', async () => {
    const { listing_pk } = await make({ images: [{ url: await upload(service, 'photo-01.jpg') }] });
    const { code, message } = await api.refuse('listing_update', { listing_pk, changes: { images: null } });
    expect([code, message]).toEqual([
      'VALIDATION_FAILED',
      expect.stringContaining('changes.images: cannot be null'),
    ]);
  });

  it('the error names the key if changes hold nothing that a listing has', async () => {
    const { listing_pk } = await make();
    const { message } = await api.refuse('listing_update', { listing_pk, changes: { discount: 10 } });
    expect(message).toContain('changes: has only "discount"');
  });

  it('the answer says that nothing had to change if every shop is unchanged', async () => {
    const { listing_pk } = await make({}, { title: 'Slip unchanged' });
    const changes = { listing: { title: 'Slip unchanged' } };
    const { results, message } = await api.call<UpdateResult>('listing_update', { listing_pk, changes });
    expect(results?.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
    expect(message).toBe('Nothing had to be changed: all 2 shops already have the requested values.');
  });

  it('the error names the listing_pk if a marketplace listing_id was sent as one', async () => {
    const { listing_pk, results } = await make();
    const listing_id = results?.[0]?.listing_id ?? 0;
    const known = await api.refuse('listing_get', { listing_pk: listing_id });
    expect(known.message).toContain(`its listing_pk here is ${listing_pk}`);
    const unknown = await api.refuse('listing_get', { listing_pk: 1_999_999_999_999 });
    expect(unknown.message).toContain('listing_import');
  });

  it("a change of all shops' price reports that a shop keeps its own price", async () => {
    const { listing_pk } = await make({ shops: [{ ...clay, price: 40 }, linen] }, { price: 20 });
    const changes = { listing: { price: 30 } };
    const { shops } = await api.call<UpdateResult>('listing_update', {
      listing_pk,
      changes,
      dry_run: true,
    });
    const [warning] = shops?.find(({ shop_id }) => shop_id === String(clay.shop_id))?.warnings ?? [];
    expect(warning).toMatchObject({ code: 'ignored_field', fields: ['changes.listing.price'] });
    expect(warning?.reason).toContain(`Shop ${clay.shop_id} has its own price, 40, which is kept.`);
  });

  it('a shop that is not connected is only reported as such, without questions about anything else', async () => {
    const { message } = await api.refuse('listing_create', buildMug([{ shop_id: 9 }]));
    expect(message.split('\n').map((line) => line.split(': ')[0])).toEqual(['shops[0].shop_id']);
  });

  it('deactivating a draft is answered with the fact that it is not active', async () => {
    const { listing_pk } = await make();
    const { warnings } = await api.call<ListingJobResult>('listing_publish', {
      listing_pk,
      state: 'inactive',
    });
    expect(warnings?.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/the listing is a draft, so there is nothing to deactivate\.$/),
      expect.stringMatching(/the listing is a draft, so there is nothing to deactivate\.$/),
    ]);
  });

  it('a listing made with the defaults is copied, and nothing is reported as not copied', async () => {
    const mug = buildMug([clay], { state: 'publish' });
    const { who_made: _w, when_made: _m, is_supply: _s, ...listing } = mug.listing;
    const { listing_pk } = await api.call<ListingJobResult>('listing_create', {
      ...mug,
      listing: { ...listing, title: 'Slip with defaults' },
    });
    const { warnings = [] } = await api.call<ListingJobResult>('listing_copy', {
      listing_pk,
      shops: [{ ...linen, price: 21 }],
      dry_run: true,
    });
    expect(warnings.filter(({ code }) => code === 'not_copied')).toEqual([]);
  });

  describe('a name in place of an id', () => {
    const CONNECTED = `connected: ${clay.shop_id} ("ClayAndOak"), ${linen.shop_id} ("NordLinen")`;

    it.each(['listing_update', 'listing_undo', 'listing_publish'])(
      'is answered by %s with the shops',
      async (id) => {
        const input = {
          listing_pk: 1,
          state: 'publish',
          changes: { listing: { price: 9 } },
          shops: ['NordLinen'],
        };
        const { code, message } = await api.refuse(id, input);
        expect([code, message]).toEqual(['VALIDATION_FAILED', expect.stringContaining(`shops[0]: must be`)]);
        expect(message).toContain(CONNECTED);
      },
    );

    it('is answered by listing_update with the choices of that shop', async () => {
      const changes = {
        listing: { taxonomy_id: 'Mugs' },
        shops: [
          { shop_id: 'NordLinen', shop_section_id: 'Mugs' },
          { shop_id: linen.shop_id, shop_section_id: 'Mugs', shipping_profile_id: 'Parcel' },
        ],
      };
      const { message } = await api.refuse('listing_update', { listing_pk: 1, changes });
      const lines = message.split('\n');
      const find = (path: string) => lines.find((line) => line.startsWith(`${path}: `));
      expect(find('changes.shops[0].shop_id')).toContain(CONNECTED);
      expect(find('changes.shops[1].shop_section_id')).toMatch(/not a string; .*\d+ \("\w+/);
      expect(find('changes.shops[1].shipping_profile_id')).toContain(`${linen.shipping_profile_id} (`);
      expect(find('changes.listing.taxonomy_id')).toContain('categories_search');
    });

    it('is answered by listing_copy with the shops and their choices', async () => {
      const shops = [{ shop_id: 'NordLinen' }, { shop_id: linen.shop_id, return_policy_id: '30 days' }];
      const { message } = await api.refuse('listing_copy', { listing_pk: 1, shops });
      expect(message).toContain(CONNECTED);
      expect(message).toMatch(new RegExp(`shops\\[1\\]\\.return_policy_id: .*${linen.return_policy_id} \\(`));
    });
  });

  // Over REST, it is in the path.
  it.runIf(name === 'mcp').each(['listing_id', 'id', 'pk'])(
    'the error says that listing_pk was sent as %s',
    async (key) => {
      const { message } = await api.refuse('listing_get', { [key]: 7 });
      expect(message).toBe(`listing_pk: is required; it was sent as ${key}`);
    },
  );

  it('a listing is shown as gone once an update has found that it is', async () => {
    const { listing_pk, results } = await make();
    const [there, gone] = results ?? [];
    await api.call('listing_get', { listing_pk });
    const notThere = { type: 'status', status: 404 };
    const rules = ['getListing', 'getListingInventory'].map((operation) => ({
      operation,
      shop_id: Number(gone?.shop_id),
      times: 9,
      action: notThere,
    }));
    await service.control('POST', '/faults', { rules });
    const changes = { listing: { title: 'Slip of one that is gone' } };
    const updated = await api.call<UpdateResult>('listing_update', { listing_pk, changes });
    expect(updated.results).toMatchObject([
      { shop_id: there?.shop_id, status: 'ok' },
      { shop_id: gone?.shop_id, status: 'error', marketplace_status: 404 },
    ]);
    await service.control('DELETE', '/faults');
    const { shops } = await api.call<{ shops: object[] }>('listing_get', { listing_pk });
    expect(shops).toMatchObject([{ state: 'draft' }, { state: 'gone' }]);
  });
});
