import type { ListingJobResult } from '../../../answers.js';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MediaChange, ShopChanges } from '../../../../src/core/ports/listing/changes.js';
import type { OnDrift } from '../../../../src/core/ports/listing/plan.js';
import { startService, upload, type TestService } from '../../../service.js';
import type { CrashPoint } from '../../../wrapped/crash_point.js';
import { createPowerCut, finish, readListings, makeJob, makeListing, type Made } from './rig.js';

type Counted = { calls: Record<string, number> };

const power = createPowerCut();
let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { wrapPorts: power.wrapPorts });
});
afterAll(() => service.close());
afterEach(() => service.control('DELETE', '/faults'));

const VARIED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
  },
};

/** A listing in one shop. */
async function makeOne(more: object = {}, photos = 2): Promise<Made & { listing_id: number }> {
  const { listing_pk, shops } = await makeListing(service, { more, photos });
  const [shop] = shops;
  if (!shop) throw new Error('there is one');
  return { listing_pk, shops: [shop], listing_id: shop.listing_id };
}

async function start(made: Made, changes: ShopChanges, on_drift: OnDrift): Promise<string> {
  const { job_id } = await makeJob(service, made, { kind: 'change', changes, on_drift });
  await service.app.core.listings.resume();
  return job_id;
}

/** Runs `work` while the job, which ended at the point, waits for a process to resume it. */
async function meddleWhileWaiting(
  made: Made,
  changes: ShopChanges,
  point: CrashPoint,
  work: () => Promise<unknown>,
  on_drift: OnDrift = 'refuse',
): Promise<ListingJobResult> {
  power.setPoint(point);
  const job_id = await start(made, changes, on_drift);
  expect(await power.waitForJob(service)).toBe(job_id);
  await work();
  power.setPoint(undefined);
  return finish(service, job_id);
}

/** Runs `work` while a photo is being sent. */
async function meddleWhileSending(
  made: Made,
  changes: ShopChanges,
  work: () => Promise<unknown>,
  on_drift: OnDrift = 'refuse',
): Promise<ListingJobResult> {
  const count = async () =>
    (await service.control<Counted>('GET', '/state')).calls['uploadListingImage'] ?? 0;
  const before = await count();
  const rules = [{ operation: 'uploadListingImage', times: 1, action: { type: 'slow', ms: 800 } }];
  await service.control('POST', '/faults', { rules });
  const job_id = await start(made, changes, on_drift);
  await expect.poll(count, { interval: 5 }).toBe(before + 1);
  await work();
  return finish(service, job_id);
}

async function planPhoto(name: string): Promise<MediaChange> {
  const { account_id } = await service.app.core.accounts.getDefault();
  const url = await upload(service, name);
  const file = await service.app.core.uploads.findByUrl(account_id, url);
  if (!file) throw new Error('it was just uploaded');
  return { url, path: 'changes.images[0]', id: null, file: { ...file, url }, alt_text: 'New' };
}

async function listPhotos(made: Made): Promise<number[]> {
  const [there] = await readListings(service, made);
  return (there?.images ?? [])
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ listing_image_id }) => listing_image_id);
}

const editOne = ({ listing_id }: { listing_id: number }, body: object) =>
  service.control('POST', `/listings/${listing_id}/edit`, body);

/** The seller adds a photo manually. @returns its id */
async function addPhoto(made: Made & { listing_id: number }, alt_text = 'By hand'): Promise<number> {
  const before = await listPhotos(made);
  await editOne(made, {
    images: [...before.map((listing_image_id) => ({ listing_image_id })), { alt_text }],
  });
  return (await listPhotos(made)).find((id) => !before.includes(id)) ?? 0;
}

const listCodes = ({ results }: ListingJobResult) =>
  results?.map(({ status, details }) => details?.['code'] ?? status);
const listDrift = ({ results }: ListingJobResult) =>
  results?.flatMap(({ details }) =>
    ((details?.['drift'] ?? []) as { field: string }[]).map(({ field }) => field),
  );

function meddleAt(point: CrashPoint): typeof meddleWhileSending {
  return (made, changes, work, on_drift) => meddleWhileWaiting(made, changes, point, work, on_drift);
}

describe('a photo that a proxy sends twice', () => {
  it.each(['first', 'second', 'lost'])(
    'is there once, and is not drift (the %s answer arrives)',
    async (answer) => {
      const made = await makeOne();
      const rules = [{ operation: 'uploadListingImage', times: 1, action: { type: 'double', answer } }];
      await service.control('POST', '/faults', { rules });
      const images = [await planPhoto('photo-07.jpg'), await planPhoto('photo-08.jpg')];
      const ended = await finish(service, await start(made, { images }, 'refuse'));
      expect([listCodes(ended), listDrift(ended)]).toEqual([['ok'], []]);
      expect(await listPhotos(made)).toHaveLength(2);
      const [there] = await readListings(service, made);
      expect(new Set(there?.images.map(({ sha256 }) => sha256)).size).toBe(2);
    },
  );

  it('is not taken for the next photo, whose answer is lost', async () => {
    const made = await makeOne();
    const rules = [
      { operation: 'uploadListingImage', times: 1, action: { type: 'double', answer: 'first' } },
      { operation: 'uploadListingImage', times: 1, action: { type: 'commit_then_reset' } },
    ];
    await service.control('POST', '/faults', { rules });
    const images = [await planPhoto('photo-07.jpg'), await planPhoto('photo-08.jpg')];
    const ended = await finish(service, await start(made, { images }, 'refuse'));
    expect(listCodes(ended)).toEqual(['ok']);
    const [there] = await readListings(service, made);
    const sent = images.map(({ file }) => file?.sha256);
    const shown = (there?.images ?? []).toSorted((a, b) => a.rank - b.rank);
    expect(shown.map(({ sha256 }) => sha256)).toEqual(sent);
  });

  it('is not confused with a photo of the seller with the same text', async () => {
    const made = await makeOne();
    const rules = [
      { operation: 'uploadListingImage', times: 1, action: { type: 'double', answer: 'first' } },
      { operation: 'uploadListingImage', times: 1, action: { type: 'slow', ms: 800 } },
    ];
    await service.control('POST', '/faults', { rules });
    const calls = async () =>
      (await service.control<Counted>('GET', '/state')).calls['uploadListingImage'] ?? 0;
    const before = await calls();
    const images = [await planPhoto('photo-07.jpg'), await planPhoto('photo-08.jpg')];
    const job_id = await start(made, { images }, 'refuse');
    await expect.poll(calls, { interval: 5 }).toBeGreaterThan(before + 1);
    const added = await addPhoto(made, 'New');
    expect(listDrift(await finish(service, job_id))).toEqual(['images']);
    expect(await listPhotos(made)).toContain(added);
  });
});

describe('a photo added manually while photos are updated', () => {
  const WAYS = {
    'before anything was sent': meddleAt('before marketplace.uploadImage'),
    'after one was sent': meddleAt('after marketplace.uploadImage'),
    'before their order was written': meddleAt('before marketplace.updateListing'),
    'while one is being sent': meddleWhileSending,
  };

  it.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('stays, and is reported (%s)', async (way) => {
    const made = await makeOne();
    const images = [await planPhoto('photo-07.jpg')];
    let added = 0;
    const ended = await WAYS[way](made, { images }, async () => {
      added = await addPhoto(made);
    });
    expect(await listPhotos(made)).toContain(added);
    expect([listCodes(ended), listDrift(ended)]).toEqual([['DRIFT'], ['images']]);
    const job_id = await start(made, { images }, 'refuse');
    const again = await finish(service, job_id);
    expect(listDrift(again)).toEqual(['images']);
    expect(await listPhotos(made)).toContain(added);
  });

  it.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
    'is removed if drift is overwritten (%s)',
    async (way) => {
      const made = await makeOne();
      const images = [await planPhoto('photo-07.jpg')];
      let added = 0;
      const ended = await WAYS[way](
        made,
        { images },
        async () => {
          added = await addPhoto(made);
        },
        'overwrite',
      );
      expect(listCodes(ended)).toEqual(['ok']);
      expect(added).not.toBe(0);
      const [there] = await readListings(service, made);
      expect(there?.images.map(({ alt_text }) => alt_text)).toEqual(['New']);
    },
  );
});

it('reports photos sent before drift was found even if lists lag, and reports none as removed', async () => {
  const usual = service;
  service = await startService({ RECONCILE_SETTLE_MS: '1500' });
  const media_list_lag_ms = 700;
  try {
    const made = await makeOne();
    // Longer than the lag of the list, so that it shows the first photos.
    await pause(media_list_lag_ms);
    await service.control('POST', '/settings', { media_list_lag_ms });
    const images = [await planPhoto('photo-07.jpg')];
    const ended = await meddleWhileSending(made, { images }, () => addPhoto(made));
    expect(listDrift(ended)).toEqual(['images']);
    const [result] = ended.results ?? [];
    const [told, ...others] = (result?.diff ?? []) as { field: string; before: string[]; after: string[] }[];
    expect(others).toEqual([]);
    expect(told).toMatchObject({ field: 'images' });
    expect(told?.after.filter((url) => !told.before.includes(url))).toHaveLength(1);
    expect(result?.warnings?.map(({ code }) => code)).not.toContain('is_lost');
  } finally {
    await service.close();
    service = usual;
  }
});

/** The first stays first, the last comes before the second, and one is new. */
async function planOrder(made: Made): Promise<{ before: number[]; changes: ShopChanges }> {
  const before = await listPhotos(made);
  const known = [before[0], before[2], before[1]].map((id = 0, index) => ({
    url: `photo ${id}`,
    path: `changes.images[${index}]`,
    id,
    file: null,
  }));
  const sent = await planPhoto('photo-07.jpg');
  return { before, changes: { images: [...known, { ...sent, path: 'changes.images[3]' }] } };
}

describe('photos reordered manually while photos are updated', () => {
  const WAYS = {
    'before anything was sent': meddleAt('before marketplace.uploadImage'),
    'after one was sent': meddleAt('after marketplace.uploadImage'),
    'before their order was written': meddleAt('before marketplace.updateListing'),
    'while one is being sent': meddleWhileSending,
  };
  const TURNED = [1, 2, 0];

  const turn = async (made: Made & { listing_id: number }, before: readonly number[]) => {
    const others = (await listPhotos(made)).filter((id) => !before.includes(id));
    const turned = TURNED.map((index) => before[index] ?? 0);
    const images = [...turned, ...others].map((listing_image_id) => ({ listing_image_id }));
    await editOne(made, { images });
    return turned;
  };

  it.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
    'keep their order, and are reported (%s)',
    async (way) => {
      const made = await makeOne({}, 3);
      const { before, changes } = await planOrder(made);
      const listOld = async () => (await listPhotos(made)).filter((id) => before.includes(id));
      let turned: number[] = [];
      const ended = await WAYS[way](made, changes, async () => {
        turned = await turn(made, before);
      });
      expect([listCodes(ended), listDrift(ended)]).toEqual([['DRIFT'], ['images']]);
      expect(await listOld()).toEqual(turned);
      const again = await finish(service, await start(made, changes, 'refuse'));
      expect(listDrift(again)).toEqual(['images']);
      expect(await listOld()).toEqual(turned);
    },
  );

  it('are overwritten if requested', async () => {
    const made = await makeOne({}, 3);
    const { before, changes } = await planOrder(made);
    const ended = await meddleWhileSending(made, changes, () => turn(made, before), 'overwrite');
    expect(listCodes(ended)).toEqual(['ok']);
    const there = await listPhotos(made);
    expect(there.slice(0, 3)).toEqual([before[0], before[2], before[1]]);
    expect(there).toHaveLength(4);
  });
});

const describeProducts = async (made: Made) =>
  (await readListings(service, made))[0]?.inventory.products.map(({ sku, offering }) => [
    sku,
    offering.price_amount,
    offering.quantity,
  ]);

const setOffering = (set: { price?: number; quantity?: number }): ShopChanges['inventory'] => ({
  kind: 'offerings',
  offerings: [{ path: 'changes.offerings[0]', match: { sku: 'W' }, set }],
});

describe('prices, SKUs and stock edited manually while photos are sent', () => {
  it.each<[object, string, unknown[][]]>([
    [
      { sku: 'W', price: 31 },
      'price',
      [
        ['W', 3100, 3],
        ['O', 2200, 4],
      ],
    ],
    [
      { sku: 'W', quantity: 5 },
      'quantity',
      [
        ['W', 2000, 5],
        ['O', 2200, 4],
      ],
    ],
  ])('are not overwritten if the update touches them (%j)', async (by_hand, field, there) => {
    const made = await makeOne(VARIED);
    const changes = {
      images: [await planPhoto('photo-07.jpg')],
      inventory: setOffering({ price: 25, quantity: 7 }),
    };
    const ended = await meddleWhileSending(made, changes, () => editOne(made, { products: [by_hand] }));
    expect([listCodes(ended), listDrift(ended)]).toEqual([
      ['DRIFT'],
      [`variations.offerings[Glaze: White].${field}`],
    ]);
    expect(await describeProducts(made)).toEqual(there);
  });

  it('are overwritten if requested, and stay if the update does not touch them', async () => {
    const made = await makeOne(VARIED);
    const changes = {
      images: [await planPhoto('photo-07.jpg')],
      inventory: setOffering({ price: 25, quantity: 7 }),
    };
    const by_hand = [
      { sku: 'W', price: 31 },
      { sku: 'O', price: 33, sku_new: 'O2', quantity: 9 },
    ];
    const ended = await meddleWhileSending(
      made,
      changes,
      () => editOne(made, { products: by_hand }),
      'overwrite',
    );
    expect(listCodes(ended)).toEqual(['ok']);
    expect(await describeProducts(made)).toEqual([
      ['W', 2500, 7],
      ['O2', 3300, 9],
    ]);
    const fields = ended.results?.[0]?.diff?.map(({ field }) => field);
    expect(fields).not.toContain('variations.offerings[Glaze: Ochre].price');
  });
});

/** Edits the title manually while a photo is sent. */
async function changeMeddled(
  fields: ShopChanges['fields'],
  on_drift: OnDrift = 'refuse',
): Promise<[unknown, unknown, unknown]> {
  const made = await makeOne();
  const changes = { images: [await planPhoto('photo-07.jpg')], fields };
  const ended = await meddleWhileSending(made, changes, () => editOne(made, { title: 'By hand' }), on_drift);
  const [there] = await readListings(service, made);
  return [listCodes(ended), listDrift(ended), there?.fields.title];
}

describe('a title edited manually while photos are sent', () => {
  it('is not overwritten, unless requested', async () => {
    expect(await changeMeddled({ title: 'Ours' })).toEqual([['DRIFT'], ['listing.title'], 'By hand']);
    expect(await changeMeddled({ title: 'Ours' }, 'overwrite')).toEqual([['ok'], [], 'Ours']);
  });

  it('stays if the update does not touch it', async () => {
    expect(await changeMeddled({ description: 'Ours' })).toEqual([['ok'], [], 'By hand']);
  });
});

it('does not set stock again that was set and sold from while the job waited, and reports it', async () => {
  const made = await makeOne(VARIED);
  const changes = { inventory: setOffering({ quantity: 7 }) };
  const ended = await meddleWhileWaiting(made, changes, 'after marketplace.updateInventory', () =>
    service.control('POST', `/listings/${made.listing_id}/sell`, { sku: 'W', quantity: 1 }),
  );
  expect(listCodes(ended)).toEqual(['ok']);
  expect((await describeProducts(made))?.[0]).toEqual(['W', 2000, 6]);
  expect(ended.results?.[0]?.warnings?.map(({ code }) => code)).toContain('sold_meanwhile');
});

it('does not set stock again that was set and then sold down to its earlier value', async () => {
  const made = await makeOne(VARIED);
  const changes = { inventory: setOffering({ price: 25, quantity: 7 }) };
  const ended = await meddleWhileWaiting(made, changes, 'after marketplace.updateInventory', () =>
    service.control('POST', `/listings/${made.listing_id}/sell`, { sku: 'W', quantity: 4 }),
  );
  expect(listCodes(ended)).toEqual(['ok']);
  expect((await describeProducts(made))?.[0]).toEqual(['W', 2500, 3]);
});
