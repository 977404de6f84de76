import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import {
  buildMug,
  CLAY,
  LINEN,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';
import { edit, makeListing, type Made } from './rig.js';

/* The operation listing_update, end to end, against the sandbox. */

let service: TestService;

beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

const update = (listing_pk: number, changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', { listing_pk, changes, ...more });

const refuse = (listing_pk: number, changes: object, more: object = {}) =>
  service.refuse('listing_update', { listing_pk, changes, ...more });

async function getRequest(listing_pk: number): Promise<ListingRequest> {
  return (await service.call<{ request: ListingRequest }>('listing_get', { listing_pk })).request;
}

const VARIED = {
  variations: {
    properties: [
      { property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] },
      { property_id: 514, name: 'Size', values: ['Small', 'Large'] },
    ],
    offerings: [
      { glaze: 'Sand', size: 'Small', price: 20, quantity: 5, sku: 'A' },
      { glaze: 'Sand', size: 'Large', price: 30, quantity: 5, sku: 'B' },
      { glaze: 'Moss', size: 'Small', price: 20, quantity: 5, sku: 'C' },
      { glaze: 'Moss', size: 'Large', price: 30, quantity: 5, sku: 'D' },
    ],
    variation_images: { property: 'Glaze', mapping: { Sand: 0, Moss: 1 } },
  },
};

describe('an update of a saved draft', () => {
  let listing_pk: number;
  let keys = 0;

  async function makeDraft(more: Record<string, unknown> = {}): Promise<number> {
    keys += 1;
    const request = buildMug(await listTargets(service), { idempotency_key: `draft-${keys}`, ...more });
    return (await service.call<ListingJobResult>('listing_create', request)).listing_pk ?? 0;
  }

  beforeAll(async () => {
    listing_pk = await makeDraft();
  });

  it('changes the named fields at once, and nothing else', async () => {
    const before = await getRequest(listing_pk);
    const answer = await update(listing_pk, { listing: { title: 'Blue mug', tags: ['blue'], price: 30 } });
    expect(answer).toMatchObject({ status: 'draft', listing_pk, shops_count: 2 });
    expect(await getRequest(listing_pk)).toEqual({
      ...before,
      listing: { ...before.listing, title: 'Blue mug', tags: ['blue'], price: 30 },
    });
    expect(await service.call('listings_list', { limit: 1 })).toMatchObject({
      listings: [{ title: 'Blue mug', status: 'draft' }],
    });
  });

  it('removes fields set to null, and refuses to remove required ones', async () => {
    await update(listing_pk, { listing: { tags: null, materials: ['clay'] } });
    expect((await getRequest(listing_pk)).listing).not.toHaveProperty('tags');
    const { code, message } = await refuse(listing_pk, { listing: { title: null } });
    expect([code, message]).toEqual([
      'VALIDATION_FAILED',
      expect.stringContaining('changes.listing.title: cannot be null'),
    ]);
  });

  it('changes values of single shops by shop_id', async () => {
    await update(listing_pk, { shops: [{ shop_id: LINEN.shop_id, price: 28 }] });
    const { shops } = await getRequest(listing_pk);
    expect(shops.map(({ price }) => price)).toEqual([undefined, 28]);
    const { message } = await refuse(listing_pk, { shops: [{ shop_id: 1, price: 3 }] });
    expect(message).toMatch(
      /^changes\.shops\[0\]\.shop_id: this listing is not in shop 1; it is in 48213377, 52660914/,
    );
  });

  it('is checked like a creation, with all problems at once and the paths of the update', async () => {
    const { message } = await refuse(listing_pk, {
      listing: { price: 0.1, tags: ['ok', '§§'] },
      shops: [{ shop_id: CLAY.shop_id, shipping_profile_id: 7 }],
    });
    const lines = message.split('\n').map((line) => line.slice(0, line.indexOf(':')));
    expect(lines.toSorted()).toEqual([
      'changes.listing.price',
      'changes.listing.tags[1]',
      'changes.shops[0].shipping_profile_id',
    ]);
  });

  it.each([
    [{ listing: { titel: 'x' } }, 'changes.listing.titel: is unknown; did you mean "title"?'],
    [{ title: 'x' }, 'changes.title: is unknown; it belongs in changes.listing.title'],
    [{ photos: [] }, 'changes.photos: is unknown; here it is called "images"'],
    [
      { offerings: [{ sku: 'A', stock: 3 }] },
      'changes.offerings[0].stock: is unknown; here it is called "quantity"',
    ],
    [
      { listing: { price: '24' } },
      'changes.listing.price: must be a number without quotation marks, not a string',
    ],
    [{}, 'changes: does not change anything'],
    [{ offerings: [{ sku: 'A' }] }, 'changes.offerings[0]: does not change anything'],
  ])('refuses %j, which would change nothing', async (changes, message) => {
    expect((await refuse(listing_pk, changes)).message).toContain(message);
  });

  it('accepts a patch sent as text, and names the place of one outside of changes', async () => {
    await service.call('listing_update', {
      listing_pk,
      changes: JSON.stringify({ listing: { quantity: 7 } }),
    });
    expect((await getRequest(listing_pk)).listing.quantity).toBe(7);
    const { message } = await service.refuse('listing_update', {
      listing_pk,
      changes: {},
      listing: { quantity: 8 },
    });
    expect(message).toContain('listing: is unknown; it belongs in changes.listing');
  });

  it('shows the draft changed in a dry run, and leaves it unchanged', async () => {
    const before = await getRequest(listing_pk);
    const answer = await update(listing_pk, { listing: { price: 31 } }, { dry_run: true });
    expect(answer).toMatchObject({ status: 'valid', cost_usd: 0, marketplace_calls: 0 });
    expect(answer.shops?.map(({ diff }) => diff)).toEqual(
      [CLAY, LINEN].map(() => [{ field: 'listing.price', before: 30, after: 31 }]),
    );
    expect(await getRequest(listing_pk)).toEqual(before);
  });

  it("keeps a shop's own price if its only offering is changed, and reports so", async () => {
    const own = await makeDraft();
    const readPrices = async () => {
      const { listing, shops } = await getRequest(own);
      return [listing.price, ...shops.map(({ price }) => price)];
    };
    await update(own, { shops: [{ shop_id: LINEN.shop_id, price: 28 }] });
    const changes = { offerings: [{ quantity: 3, price: 12 }] };
    const shown = await update(own, changes, { dry_run: true });
    expect(shown.shops?.map(({ diff }) => diff?.map(({ field }) => field))).toEqual(
      [CLAY, LINEN].map(() => ['listing.price', 'listing.quantity']),
    );
    const done = await update(own, changes);
    for (const { warnings = [] } of [shown, done]) {
      expect(warnings.filter(({ code }) => code === 'ignored_field')).toEqual([
        {
          code: 'ignored_field',
          fields: ['changes.offerings[0].price'],
          level: 'warning',
          reason: expect.stringContaining(`Shop ${LINEN.shop_id} has its own price, 28, which is kept`),
        },
      ]);
    }
    expect(await readPrices()).toEqual([12, undefined, 28]);

    const both = await update(own, {
      offerings: [{ price: 13 }],
      shops: [{ shop_id: LINEN.shop_id, price: 29 }],
    });
    expect(both.warnings?.map(({ code }) => code)).not.toContain('ignored_field');
    expect(await readPrices()).toEqual([13, undefined, 29]);
  });

  it('changes single offerings by SKU or by values', async () => {
    const varied = await makeDraft(
      VARIED.variations ? { variations: { ...VARIED.variations, variation_images: undefined } } : {},
    );
    await update(varied, {
      offerings: [
        { sku: 'A', price: 21, sku_new: 'AA' },
        { glaze: 'Moss', size: 'Large', quantity: 0, enabled: false },
      ],
    });
    const { variations } = await getRequest(varied);
    expect(variations?.offerings).toEqual([
      { glaze: 'Sand', size: 'Small', price: 21, quantity: 5, sku: 'AA' },
      VARIED.variations.offerings[1],
      VARIED.variations.offerings[2],
      { glaze: 'Moss', size: 'Large', price: 30, quantity: 0, sku: 'D', enabled: false },
    ]);
    expect((await refuse(varied, { offerings: [{ sku: 'A', price: 3 }] })).message).toContain(
      'it has "AA", "B", "C", "D"',
    );
    expect((await refuse(varied, { offerings: [{ glaze: 'Sand', price: 3 }] })).message).toContain(
      'matches 2 combinations, each of which needs its own entry; send the option values of only one: ',
    );
    expect((await refuse(varied, { offerings: [{ sku: 'B', sku_new: 'C' }] })).message).toContain(
      'is also the SKU of',
    );
  });

  it('fixes a mistake that prevents publishing in one call', async () => {
    const { code, hint } = await service.refuse('listing_publish', { listing_pk, state: 'active' });
    expect([code, hint]).toEqual(['VALIDATION_FAILED', expect.stringContaining('listing_update')]);
    await update(listing_pk, { images: [{ url: await upload(service, 'photo-01.jpg'), alt_text: 'A mug' }] });
    const published = await service.call<ListingJobResult>('listing_publish', {
      listing_pk,
      state: 'active',
    });
    expect(published).toMatchObject({ status: 'completed', message: 'Live in 2 of 2 shops.' });
  });

  it('removes a saved key that nothing reads with null', async () => {
    const odd = await makeDraft({ shop: 7, listing: { ...buildMug([]).listing, variations: [] } });
    expect((await service.refuse('listing_publish', { listing_pk: odd, state: 'active' })).message).toContain(
      'Correct it with listing_update',
    );
    await update(odd, { shop: null, listing: { variations: null } });
    const request = await getRequest(odd);
    expect(request).not.toHaveProperty('shop');
    expect(request.listing).not.toHaveProperty('variations');
  });

  it('is made once per key, and a key stands for one update', async () => {
    const keyed = await makeDraft();
    const more = { idempotency_key: 'change-once' };
    await update(keyed, { listing: { quantity: 9 } }, more);
    await update(keyed, { listing: { quantity: 3 } });
    const again = await update(keyed, { listing: { quantity: 9 } }, more);
    expect(again.warnings).toMatchObject([{ code: 'replayed' }]);
    expect((await getRequest(keyed)).listing.quantity).toBe(3);
    expect((await refuse(keyed, { listing: { quantity: 8 } }, more)).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('keeps the changes of many calls made at once', async () => {
    const busy = await makeDraft();
    const fields = { title: 'T', description: 'D', price: 9, quantity: 2 };
    const calls = Object.entries(fields).map(([key, value]) => update(busy, { listing: { [key]: value } }));
    await Promise.all(calls);
    expect((await getRequest(busy)).listing).toMatchObject(fields);
  });
});

/** Results of an update that adopts manual edits of these fields. */
const adopted = (...fields: string[]) => [{ warnings: [{ code: 'taken_over', fields }] }];

describe('an update of a listing in its shops', () => {
  let made: Made;

  beforeAll(async () => {
    made = await makeListing(service, { more: VARIED });
  });

  it('shows its changes per shop, and then makes them, also in the saved copy', async () => {
    const changes = { offerings: [{ sku: 'A', price: 21.5 }] };
    const field = 'variations.offerings[Glaze: Sand, Size: Small].price';
    const shown = await update(made.listing_pk, changes, { dry_run: true });
    expect(shown).toMatchObject({ status: 'valid', cost_usd: 0 });
    expect(shown.shops).toMatchObject(
      [CLAY, LINEN].map(({ shop_name }) => ({
        shop_name,
        status: 'ok',
        diff: [{ field, before: 20, after: 21.5 }],
      })),
    );
    expect((await getRequest(made.listing_pk)).variations?.offerings?.[0]).toMatchObject({ price: 20 });
    const done = await update(made.listing_pk, changes);
    expect(done).toMatchObject({ status: 'completed', message: 'Done in 2 of 2 shops.' });
    expect(done.results).toMatchObject(
      [CLAY, LINEN].map(() => ({ status: 'ok', diff: [{ field, before: 20, after: 21.5 }] })),
    );
    expect((await getRequest(made.listing_pk)).variations?.offerings?.[0]).toMatchObject({ price: 21.5 });
    expect((await update(made.listing_pk, changes)).results).toMatchObject([
      { status: 'unchanged' },
      { status: 'unchanged' },
    ]);
  });

  it('changes only one shop if asked', async () => {
    const done = await update(
      made.listing_pk,
      { listing: { title: 'In one shop' } },
      { shops: [CLAY.shop_id] },
    );
    expect(done.results).toMatchObject([{ shop_id: String(CLAY.shop_id), status: 'ok' }]);
    const own = await update(made.listing_pk, { shops: [{ shop_id: LINEN.shop_id, shop_section_id: null }] });
    expect(own.results).toMatchObject([{ shop_id: String(LINEN.shop_id) }]);
    const { message } = await refuse(made.listing_pk, { listing: { title: 'x' } }, { shops: [7] });
    expect(message).toContain('shops[0]: this listing is not in shop 7');
  });

  it('is refused for impossible values, and reports what is kept', async () => {
    expect((await refuse(made.listing_pk, { listing: { listing_type: 'digital' } })).message).toContain(
      'changes.listing.listing_type: is digital, but the listing is physical',
    );
    expect((await refuse(made.listing_pk, { listing: { who_made: null } })).message).toContain(
      'requires this field; send a value, or omit the field',
    );
    const result = await update(made.listing_pk, { listing: { styles: ['Boho'] } }, { dry_run: true });
    expect(result.warnings).toMatchObject([{ code: 'not_changeable', fields: ['changes.listing.styles'] }]);
    expect(result.shops).toMatchObject([{ status: 'unchanged' }, { status: 'unchanged' }]);
  });

  it("ignores the listing's own mistakes in fields it does not touch", async () => {
    const { listing_id } = made.shops[0] ?? { listing_id: 0 };
    await service.control('POST', `/listings/${listing_id}/edit`, { should_auto_renew: true });
    const done = await update(made.listing_pk, { listing: { materials: ['clay'] } });
    expect(done.results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });

  it('is refused for manual edits with both values, until a dry run of the call has shown the edit', async () => {
    const [first] = made.shops;
    await service.control('POST', `/listings/${first?.listing_id}/edit`, {
      products: [{ sku: 'B', price: 33 }],
    });
    const changes = { offerings: [{ sku: 'B', price: 35 }] };
    const field = 'variations.offerings[Glaze: Sand, Size: Large].price';
    const refused = await update(made.listing_pk, changes, { shops: [first?.shop_id] });
    expect(refused.results).toMatchObject([
      { status: 'error', details: { code: 'DRIFT', drift: [{ field, ours: 30, theirs: 33 }] } },
    ]);
    const shown = await update(made.listing_pk, changes, { shops: [first?.shop_id], dry_run: true });
    expect(shown.shops).toMatchObject([
      { status: 'ok', diff: [{ field, before: 33, after: 35, manual_edit: true }] },
    ]);
    const done = await update(made.listing_pk, changes, { shops: [first?.shop_id] });
    expect(done.results).toMatchObject([{ status: 'ok', diff: [{ field, before: 33, after: 35 }] }]);
  });

  it('reports manual edits in other fields in every dry run, and once more when it adopts them', async () => {
    const own = await makeListing(service, { more: VARIED });
    const [first] = own.shops;
    const only = { shops: [first?.shop_id] };
    const editThere = (body: object) => service.control('POST', `/listings/${first?.listing_id}/edit`, body);
    const change = (changes: object, more: object = {}) =>
      update(own.listing_pk, changes, { ...only, ...more });
    const repriced = { offerings: [{ sku: 'A', price: 25 }] };

    await editThere({ tags: ['theirs'], description: 'Theirs.' });
    for (let round = 0; round < 2; round += 1) {
      const { shops } = await change(repriced, { dry_run: true });
      expect(shops).toMatchObject(adopted('listing.description', 'listing.tags'));
    }
    await editThere({ materials: ['theirs'] });
    expect((await change(repriced)).results).toMatchObject(
      adopted('listing.description', 'listing.tags', 'listing.materials'),
    );
    await editThere({ materials: ['other'] });
    const sold = await service.call<UpdateResult>('listing_publish', {
      listing_pk: own.listing_pk,
      state: 'inactive',
      ...only,
    });
    expect(sold.results).toMatchObject(adopted('listing.materials'));
  });

  it('reports a manual edit again after an update that failed, whether it wrote that part of the listing or not', async () => {
    const own = await makeListing(service);
    await edit(service, own, { tags: ['theirs'], item_weight: 2, item_weight_unit: 'kg' });
    const refusal = { type: 'status', status: 400, body: { error: 'Not today' } };
    const fail = (operation: string) =>
      service.control('POST', '/faults', {
        rules: own.shops.map(({ shop_id }) => ({ operation, shop_id, times: 1, action: refusal })),
      });
    // The title is written before the inventory is refused; personalization is written separately.
    await fail('updateListingInventory');
    const failed = await update(own.listing_pk, { listing: { title: 'Ours', price: 30 } });
    expect(failed.results?.map(({ status }) => status)).toEqual(['error', 'error']);
    await fail('updateListingPersonalization');
    await update(own.listing_pk, { personalization: { enabled: true, instructions: 'A name' } });
    const refused = await update(own.listing_pk, { listing: { tags: ['ours'], item_weight: 3 } });
    const drift = [{ field: 'listing.tags' }, { field: 'listing.item_weight' }];
    expect(refused.results).toMatchObject(own.shops.map(() => ({ details: { code: 'DRIFT', drift } })));
  });

  it('that failed in one shop saves the listing as that shop has it', async () => {
    const own = await makeListing(service);
    const refusal = { type: 'status', status: 400, body: { error: 'Not today' } };
    await service.control('POST', '/faults', {
      rules: [{ operation: 'updateListingInventory', times: 1, action: refusal }],
    });
    const shops = own.shops.map(({ shop_id }, index) => ({ shop_id, price: 61 + index }));
    const { results } = await update(own.listing_pk, { shops });
    const failed = results?.findIndex(({ status }) => status === 'error') ?? -1;
    expect(results?.map(({ status }) => status).toSorted()).toEqual(['error', 'ok']);
    const { shops: saved } = await getRequest(own.listing_pk);
    expect(saved.map(({ price }) => price)).toEqual(
      shops.map(({ price }, index) => (index === failed ? undefined : price)),
    );
  });

  it('adds photos in their order, keeps the photo of each value, and knows a photo by either address', async () => {
    const { images = [], variations } = await getRequest(made.listing_pk);
    expect(variations?.variation_images?.mapping).toEqual({ Sand: 0, Moss: 1 });
    const url = await upload(service, 'photo-03.jpg');
    const changes = { images: [{ url, alt_text: 'New' }, { url: images[1]?.url }, { url: images[0]?.url }] };
    const done = await update(made.listing_pk, changes);
    expect(done.results?.map(({ status, warnings }) => [status, warnings])).toEqual([
      ['ok', []],
      ['ok', []],
    ]);
    const after = await getRequest(made.listing_pk);
    expect(after.images).toMatchObject([
      { url, alt_text: 'New' },
      { url: images[1]?.url },
      { url: images[0]?.url },
    ]);
    expect(after.variations?.variation_images?.mapping).toEqual({ Sand: 2, Moss: 1 });
    const { app } = service;
    const { account_id } = await app.core.accounts.getDefault();
    const snapshots = await app.store.listings.listSnapshots(account_id, made.listing_pk);
    const [shown] = snapshots[0]?.snapshot.images ?? [];
    const named = [{ url: shown?.url_fullxfull }, ...(after.images ?? []).slice(1)];
    const again = await update(made.listing_pk, { images: named }, { dry_run: true });
    expect(again.shops?.map(({ status, error }) => [status, error])).toEqual([
      ['unchanged', undefined],
      ['unchanged', undefined],
    ]);
  });

  it('that leaves nothing to sell deactivates the listing, as announced', async () => {
    const own = await makeListing(service);
    const changes = { offerings: [{ quantity: 0 }] };
    const shown = await update(own.listing_pk, changes, { dry_run: true });
    const isOffSale = {
      diff: [{ field: 'state', before: 'active', after: 'inactive' }],
      warnings: [{ code: 'off_sale' }],
    };
    expect(shown.shops).toMatchObject([isOffSale, isOffSale]);
    const done = await update(own.listing_pk, changes);
    expect(done.results).toMatchObject([isOffSale, isOffSale]);
    expect((await getRequest(own.listing_pk)).listing.quantity).toBe(4);
    expect((await refuse(own.listing_pk, { listing: { quantity: 0 } })).message).toContain(
      'to deactivate it, call listing_publish with state inactive',
    );
  });

  it('runs one job at a time: another call names the running one, an equal call joins it', async () => {
    const own = await makeListing(service);
    const changes = { listing: { title: 'Joined' } };
    const rules = [{ operation: 'updateListing', action: { type: 'slow', ms: 1_500 }, times: 1 }];
    await service.control('POST', '/faults', { rules });
    const first = service.call<UpdateResult>('listing_update', { listing_pk: own.listing_pk, changes });
    const countRunning = async () => (await service.app.store.getFigures()).jobs.processing;
    await expect.poll(countRunning).toBeGreaterThan(0);
    const outcomes = await Promise.all(
      [changes, { listing: { title: 'Other' } }].map((other) =>
        service.invoke('listing_update', { listing_pk: own.listing_pk, changes: other }),
      ),
    );
    const { job_id } = await first;
    const [joined, other] = outcomes;
    expect(joined).toMatchObject({ ok: true, output: { job_id, warnings: [{ code: 'replayed' }] } });
    expect(other).toMatchObject({ ok: false, error: { error: { code: 'LISTING_BUSY' } } });
    const later = await update(own.listing_pk, changes);
    expect(later.job_id).not.toBe(job_id);
    expect(later.results).toMatchObject([{ status: 'unchanged' }, { status: 'unchanged' }]);
  });

  it('is made once per key', async () => {
    const own = await makeListing(service);
    const more = { idempotency_key: 'price-once' };
    const first = await update(own.listing_pk, { listing: { price: 40 } }, more);
    await update(own.listing_pk, { listing: { price: 41 } });
    const again = await update(own.listing_pk, { listing: { price: 40 } }, more);
    expect(again).toMatchObject({ job_id: first.job_id, warnings: [{ code: 'replayed' }] });
    expect((await getRequest(own.listing_pk)).listing.price).toBe(41);
    expect((await refuse(own.listing_pk, { listing: { price: 42 } }, more)).code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('is refused for the number of a listing that is not ours', async () => {
    expect((await refuse(999_999, { listing: { title: 'x' } })).code).toBe('LISTING_NOT_FOUND');
  });
});
