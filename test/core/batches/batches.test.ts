import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxListing } from '../listings/update/rig.js';
import type { BatchAnswer, BatchItem } from '../../../schemas/batch.js';
import { startService, upload, type TestService } from '../../service.js';
import { countCalls, edit, readListings, makeListing, type Made } from '../listings/update/rig.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

const OFFERINGS = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
  },
};

const UP = [{ field: 'price', op: 'increase_percent', value: 10, round_to: 'x.90' }];

const plan = (made: readonly Made[], edits: object[], more: object = {}) =>
  service.call<BatchAnswer>('batch_create', {
    select: { listing_pks: made.map(({ listing_pk }) => listing_pk) },
    edits,
    ...more,
  });
const start = ({ batch_id }: BatchAnswer) => service.call<BatchAnswer>('batch_start', { batch_id });
const undo = ({ batch_id }: BatchAnswer, more: object = {}) =>
  service.call<BatchAnswer>('batch_undo', { batch_id, ...more });

/** The listing in each of its shops. */
const lookAt = async (made: Made) =>
  (await readListings(service, made)).filter((listing): listing is SandboxListing => listing !== undefined);

/** Prices by shop, of each product. */
const listPrices = async (made: Made) =>
  (await lookAt(made)).map(({ inventory }) =>
    inventory.products.map(({ offering }) => offering.price_amount / 100),
  );
const readProducts = (listing: SandboxListing | undefined) =>
  listing?.inventory.products.map(({ sku, offering }) => [sku, offering.price_amount, offering.quantity]);
const sum = (calls: Record<string, number>) => Object.values(calls).reduce((all, one) => all + one, 0);
const listStatuses = ({ items = [] }: { items?: BatchItem[] | undefined }) =>
  items.map(({ status }) => status);

describe('a batch', () => {
  it('plans, makes and undoes a price change in two shops', async () => {
    const plain = await makeListing(service, { photos: 1, listing: { price: 24.5 } });
    const varied = await makeListing(service, { photos: 1, more: OFFERINGS });
    const before = [await listPrices(plain), await listPrices(varied)];
    const planned = await plan([plain, varied], UP);
    expect(planned).toMatchObject({
      status: 'planned',
      cost_usd: 0,
      counts: { listings: 2, items: 4, changed: 4, unchanged: 0, refused: 0 },
    });
    expect(planned.items?.flatMap(({ issues }) => issues)).toEqual([]);
    expect([await listPrices(plain), await listPrices(varied)]).toEqual(before);
    const done = await start(planned);
    expect(done).toMatchObject({ status: 'completed', counts: { ok: 4, error: 0 } });
    expect(await listPrices(plain)).toEqual([[26.9], [26.9]]);
    expect(await listPrices(varied)).toEqual([
      [21.9, 23.9],
      [21.9, 23.9],
    ]);
    const undone = await undo(done);
    expect(undone).toMatchObject({ status: 'completed', undoes: done.batch_id, counts: { ok: 4 } });
    expect([await listPrices(plain), await listPrices(varied)]).toEqual(before);
  });

  it('leaves out listings edited on Etsy between plan and start', async () => {
    const made = await makeListing(service, { photos: 1, listing: { price: 20 } });
    const planned = await plan([made], [{ field: 'title', op: 'append', value: ' in oat' }]);
    const [first] = made.shops;
    await edit(service, { ...made, shops: first ? [first] : [] }, { title: 'Edited by hand' });
    const done = await start(planned);
    expect(listStatuses(done).toSorted()).toEqual(['error', 'ok']);
    const titles = (await lookAt(made)).map(({ fields }) => fields.title);
    expect(titles).toContain('Edited by hand');
    expect(done.items?.find(({ status }) => status === 'error')?.issues[0]?.code).toBe('DRIFT');
  });

  it('refuses a listing with a manual edit in the field, unless it is to be overwritten', async () => {
    const made = await makeListing(service, { photos: 1, listing: { price: 20 } });
    const [first] = made.shops;
    await edit(service, { ...made, shops: first ? [first] : [] }, { title: 'Edited by hand' });
    const edits = [{ field: 'title', op: 'append', value: ' in oat' }];
    const refused = await plan([made], edits);
    expect(refused.counts).toMatchObject({ changed: 1, refused: 1 });
    const item = refused.items?.find(({ status }) => status === 'refused');
    expect(item?.issues[0]?.code).toBe('DRIFT');
    const overwriting = await plan([made], edits, { on_drift: 'overwrite' });
    expect(overwriting.items?.map(({ overwrites = false }) => overwrites).toSorted()).toEqual([false, true]);
    await start(overwriting);
    const titles = (await lookAt(made)).map(({ fields }) => fields.title);
    expect(titles).toContain('Edited by hand in oat');
  });

  it('resumes after a restart where it stopped, and changes nothing twice', async () => {
    const other = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
    const made: Made[] = [];
    for (let index = 0; index < 4; index += 1) {
      made.push(await makeListing(other, { photos: 1, listing: { price: 20, title: `Mug ${index}` } }));
    }
    const select = { listing_pks: made.map(({ listing_pk }) => listing_pk) };
    const planned = await other.call<BatchAnswer>('batch_create', { select, edits: UP });
    await other.control('POST', '/faults', {
      rules: [{ operation: 'updateListingInventory', times: 8, action: { type: 'slow', ms: 400 } }],
    });
    const running = await other.call<BatchAnswer>(
      'batch_start',
      { batch_id: planned.batch_id },
      { wait_ms: 900 },
    );
    expect(running.status).toBe('running');
    await other.close({ keep: true });
    const again = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { data_dir: other.data_dir });
    await again.control('DELETE', '/faults');
    await again.app.core.listings.resume();
    const ask = async () =>
      (await again.call<BatchAnswer>('batch_start', { batch_id: planned.batch_id })).status;
    await expect.poll(ask, { timeout: 20_000 }).toBe('completed');
    const done = await again.call<BatchAnswer>('batch_start', { batch_id: planned.batch_id });
    expect(done.counts).toMatchObject({ ok: 8, error: 0, waiting: 0 });
    for (const one of made) {
      const prices = (await readListings(again, one)).map(
        (listing) => listing?.inventory.products[0]?.offering.price_amount,
      );
      expect(prices).toEqual([2_190, 2_190]);
      const { history } = await again.call<{ history: { jobs: unknown[] } }>('listing_get', {
        listing_pk: one.listing_pk,
        history: true,
      });
      expect(history.jobs).toHaveLength(2);
    }
    await again.close();
  });

  it('stops before the next item when it is canceled, and its undo reverts the completed items', async () => {
    const made = [
      await makeListing(service, { photos: 1, listing: { price: 20, title: 'Bowl 1' } }),
      await makeListing(service, { photos: 1, listing: { price: 20, title: 'Bowl 2' } }),
    ];
    const planned = await plan(made, UP);
    await service.control('POST', '/faults', {
      rules: [{ operation: 'updateListingInventory', times: 1, action: { type: 'slow', ms: 1_500 } }],
    });
    await service.call('batch_start', { batch_id: planned.batch_id }, { wait_ms: 300 });
    await service.call('batch_cancel', { batch_id: planned.batch_id });
    const list = async () => {
      const { batches } = await service.call<{ batches: BatchAnswer[] }>('batches_list', {
        batch_id: planned.batch_id,
      });
      return batches[0];
    };
    await expect.poll(async () => (await list())?.status, { timeout: 20_000 }).toBe('canceled');
    expect((await list())?.counts).toMatchObject({ ok: 2, canceled: 2 });
    await undo(planned);
    expect(await Promise.all(made.map(listPrices))).toEqual([
      [[20], [20]],
      [[20], [20]],
    ]);
  });

  it('uses the live stock, changes single combinations, and leaves the others', async () => {
    const made = await makeListing(service, { photos: 1, more: OFFERINGS });
    const edits = [
      { field: 'quantity', op: 'add', value: 5, where: { sku: 'W' } },
      {
        field: 'price',
        op: 'increase_by',
        value: 1.5,
        currency: 'USD',
        where: { options: { Glaze: 'Ochre' } },
      },
    ];
    const done = await start(await plan([made], edits, { shops: [made.shops[0]?.shop_id] }));
    expect(done.counts).toMatchObject({ items: 1, ok: 1 });
    const [first, second] = await lookAt(made);
    expect(readProducts(first)).toEqual([
      ['W', 2_000, 8],
      ['O', 2_350, 4],
    ]);
    expect(readProducts(second)).toEqual([
      ['W', 2_000, 3],
      ['O', 2_200, 4],
    ]);
  });

  it('makes no further change to a listing in a shop where one of them failed', async () => {
    const made = await makeListing(service, { photos: 1, listing: { price: 20 } });
    const edits = [
      { field: 'title', op: 'append', value: ' in oat' },
      { field: 'state', op: 'inactive' },
    ];
    const planned = await plan([made], edits);
    const [first] = made.shops;
    await edit(service, { ...made, shops: first ? [first] : [] }, { title: 'Edited by hand' });
    const done = await start(planned);
    expect(listStatuses(done).toSorted()).toEqual(['error', 'ok']);
    const states = (await lookAt(made)).map(({ fields, state }) => [
      fields.title === 'Edited by hand',
      state,
    ]);
    expect(states.toSorted((a, b) => Number(b[0]) - Number(a[0]))).toEqual([
      [true, 'active'],
      [false, 'inactive'],
    ]);
  });

  it('starts the undo planned by its dry run', async () => {
    const made = await makeListing(service, { photos: 1, listing: { price: 20 } });
    const done = await start(await plan([made], UP));
    const planned = await undo(done, { dry_run: true });
    expect(planned.status).toBe('planned');
    expect(await listPrices(made)).toEqual([[21.9], [21.9]]);
    const undone = await undo(done);
    expect([undone.batch_id, undone.status]).toEqual([planned.batch_id, 'completed']);
    expect(await listPrices(made)).toEqual([[20], [20]]);
  });

  it('replaces an undo that was only planned by one with other choices', async () => {
    const made = await makeListing(service, { photos: 1, listing: { price: 20 } });
    const done = await start(await plan([made], UP));
    const careful = await undo(done, { dry_run: true });
    const undone = await undo(done, { on_drift: 'overwrite' });
    expect([undone.status, undone.batch_id === careful.batch_id]).toEqual(['completed', false]);
    expect(await listPrices(made)).toEqual([[20], [20]]);
    const { batches } = await service.call<{ batches: { batch_id: string; status: string }[] }>(
      'batches_list',
    );
    const statuses = new Map(batches.map(({ batch_id, status }) => [batch_id, status]));
    expect(statuses.get(careful.batch_id)).toBe('canceled');
  });

  it('adds to stock only what the plan saw', async () => {
    const made = await makeListing(service, { photos: 1, listing: { quantity: 10 } });
    const [first] = made.shops;
    const planned = await plan([made], [{ field: 'quantity', op: 'add', value: 5 }], {
      shops: [first?.shop_id],
    });
    await service.control('POST', `/listings/${first?.listing_id}/sell`, { quantity: 3 });
    const done = await start(planned);
    expect(done.items?.[0]?.issues[0]?.code).toBe('DRIFT');
    expect((await lookAt(made))[0]?.inventory.products[0]?.offering.quantity).toBe(7);
  });

  it('reads each listing once to plan, and makes the calls that the plan reports', async () => {
    const made = [
      await makeListing(service, { photos: 1, listing: { price: 20, title: 'Cup 1' } }),
      await makeListing(service, { photos: 1, listing: { price: 20, title: 'Cup 2' } }),
    ];
    let planned: BatchAnswer | undefined;
    const reads = await countCalls(service, async () => {
      planned = await plan(made, UP);
    });
    expect(sum(reads)).toBe(4);
    const calls = await countCalls(service, async () => {
      if (planned) await start(planned);
    });
    expect(sum(calls)).toBe(planned?.marketplace_calls);
  });

  it('reads the inventories of many listings in one call per shop if more than prices is edited', async () => {
    const make = (number: number) =>
      makeListing(service, { photos: 1, listing: { price: 20, title: `Jug ${number}` } });
    const third = await make(3);
    const made = [await make(1), await make(2), third];
    const places = made.flatMap(({ shops }) => shops).length;
    let planned: BatchAnswer | undefined;
    const reads = await countCalls(service, async () => {
      planned = await plan(made, [...UP, { field: 'title', op: 'append', value: ', blue' }]);
    });
    expect(reads).toEqual({ getListing: places, getListingsInventoryByListingIds: 2 });
    expect(planned?.counts).toMatchObject({ items: places, changed: places });
    const calls = await countCalls(service, async () => {
      if (planned) await start(planned);
    });
    expect(sum(calls)).toBe(planned?.marketplace_calls);
    expect((await lookAt(third)).map(({ fields }) => fields.title)).toEqual(['Jug 3, blue', 'Jug 3, blue']);
  });

  it('accepts numbers and lists that a client sends as text', async () => {
    const made = await makeListing(service, { photos: 1, listing: { price: 20 } });
    const planned = await plan(
      [made],
      [
        { field: 'price', op: 'increase_percent', value: '10' },
        { field: 'tags', op: 'add', value: '["gift", "oat"]' },
        { field: 'title', op: 'set', value: '12' },
      ],
    );
    expect(planned.items?.[0]?.diff.map(({ after }) => after)).toEqual(['12', ['gift', 'oat'], 22]);
  });

  it('edits photos, texts, a section by its name, and any field of a merge patch', async () => {
    const made = await makeListing(service, { photos: 3, listing: { tags: ['mug', 'clay'] } });
    const [first] = made.shops;
    const shops = [first?.shop_id];
    const sync = await service.call<{ shop_sections: { shop_section_id: number; title: string }[] }>(
      'store_sync',
      { shop_id: first?.shop_id },
    );
    const [section] = sync.shop_sections;
    const photo = await upload(service, 'photo-09.jpg');
    const edits = [
      { field: 'images', op: 'remove', value: [2] },
      { field: 'images', op: 'prepend', value: [photo] },
      { field: 'images', op: 'set_alt_text', value: [{ rank: 1, alt_text: 'New' }] },
      { field: 'tags', op: 'replace', find: 'clay', with: 'stoneware' },
      { field: 'tags', op: 'remove', value: ['mug'] },
      { field: 'shop_section_id', op: 'set', value: section?.title },
      { field: 'any', op: 'merge', value: { listing: { materials: ['oak'] } } },
    ];
    const done = await start(await plan([made], edits, { shops }));
    expect(done.counts).toMatchObject({ ok: 1, error: 0 });
    const [listing] = await lookAt(made);
    expect(listing?.images.map(({ alt_text }) => alt_text)).toEqual(['New', 'Photo 1', 'Photo 3']);
    expect(listing?.fields).toMatchObject({
      tags: ['stoneware'],
      materials: ['oak'],
      shop_section_id: section?.shop_section_id,
    });
  });

  it('refuses a name that a shop does not have, and lists its choices', async () => {
    const made = await makeListing(service, { photos: 1 });
    const planned = await plan([made], [{ field: 'shop_section_id', op: 'set', value: 'Nowhere' }]);
    expect(planned.items?.map(({ status, issues }) => [status, issues[0]?.code])).toEqual([
      ['refused', 'item_name_unknown'],
      ['refused', 'item_name_unknown'],
    ]);
  });

  it('does not activate drafts', async () => {
    const made = await makeListing(service, { photos: 1, state: 'publish' });
    const planned = await plan([made], [{ field: 'state', op: 'active' }]);
    expect(planned.items?.map(({ issues }) => issues[0]?.code)).toEqual(['item_is_draft', 'item_is_draft']);
    expect(planned.cost_usd).toBe(0);
  });

  it('reports every problem of its edits at once', async () => {
    const { message } = await service.refuse('batch_create', {
      select: { listing_pks: [1] },
      edits: [
        { field: 'colour', op: 'set' },
        { field: 'price', op: 'raise', value: 1 },
        { field: 'price', op: 'increase_by', value: 'one' },
        { field: 'tags', op: 'add' },
        { field: 'title', op: 'set', value: 'A', round_to: '1' },
        { field: 'who_when_made', op: 'set', value: { who_made: 'i_did', when_made: '1990s', is_supply: 5 } },
      ],
    });
    expect(message.split('\n').map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      'edits[0].field',
      'edits[1].op',
      'edits[2].value',
      'edits[2].currency',
      'edits[3].value',
      'edits[4].round_to',
      'edits[5].value',
    ]);
  });

  it('deactivates and activates again', async () => {
    const made = await makeListing(service, { photos: 1 });
    const off = await start(await plan([made], [{ field: 'state', op: 'inactive' }]));
    expect(listStatuses(off)).toEqual(['ok', 'ok']);
    expect((await lookAt(made)).map(({ state }) => state)).toEqual(['inactive', 'inactive']);
    const on = await start(await plan([made], [{ field: 'state', op: 'active' }]));
    expect(listStatuses(on)).toEqual(['ok', 'ok']);
    expect((await lookAt(made)).map(({ state }) => state)).toEqual(['active', 'active']);
  });
});
