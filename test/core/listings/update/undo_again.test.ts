import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, listTargets, startService, type TestService } from '../../../service.js';
import { describeListing, edit, readListings, makeListing, type Made } from './rig.js';

/* An undo that is repeated, and one of fields that someone else has edited since. */

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
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
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
};
const PRICE = 'variations.offerings[Glaze: White].price';

async function make(photos = 2): Promise<Made> {
  const { listing_pk, shops } = await makeListing(service, { photos, more: VARIED });
  return { listing_pk, shops: shops.slice(0, 1) };
}

const describeIt = async (made: Made) => (await readListings(service, made)).map(describeListing);
const call = (operation: string, { listing_pk, shops }: Made, more: object) =>
  service.call<UpdateResult>(operation, { listing_pk, shops: shops.map(({ shop_id }) => shop_id), ...more });
const update = (made: Made, changes: object) => call('listing_update', made, { changes });
const undo = (made: Made, more: object = {}) => call('listing_undo', made, more);
const strike = ({ shops }: Made, rule: object) =>
  service.control('POST', '/faults', {
    rules: shops.map(({ shop_id }) => ({ operation: 'uploadListingImage', shop_id, ...rule })),
  });
const refusing = (status: number) => ({ type: 'status', status, body: { error: 'not now' } });

async function keepFirstPhoto(made: Made): Promise<string | undefined> {
  const { listing_pk } = made;
  const { request } = await service.call<{ request: { images: { url: string }[] } }>('listing_get', {
    listing_pk,
  });
  const changed = await update(made, {
    images: request.images.slice(0, 1),
    offerings: [{ sku: 'W', quantity: 9 }],
  });
  expect(changed.results).toMatchObject([{ status: 'ok' }]);
  return changed.job_id;
}

async function makeEdited(): Promise<Made> {
  const made = await make();
  await update(made, {
    listing: { title: 'Stoneware cup' },
    offerings: [
      { sku: 'W', price: 25 },
      { sku: 'O', price: 26 },
    ],
  });
  await edit(service, made, { products: [{ sku: 'W', price: 31 }] });
  return made;
}
const read = async (made: Made) => {
  const [there] = await readListings(service, made);
  return [there?.fields.title, there?.inventory.products.map(({ offering }) => offering.price_amount)];
};

describe('a repeated undo', () => {
  it('finishes the photos of one that failed midway', async () => {
    const made = await make(4);
    const before = await describeIt(made);
    const job_id = await keepFirstPhoto(made);
    await strike(made, { after: 1, times: 2, action: refusing(409) });
    expect((await undo(made, { job_id })).results).toMatchObject([{ status: 'error' }]);
    const again = await undo(made, { job_id });
    expect(again.results).toMatchObject([{ status: 'ok' }]);
    expect(await describeIt(made)).toEqual(before);
  });

  it('finishes the photos even if the state they were left in could not be read', async () => {
    const made = await make(4);
    const before = await describeIt(made);
    const job_id = await keepFirstPhoto(made);
    await strike(made, { after: 1, times: 2, action: refusing(409) });
    await strike(made, { operation: 'getListing', after: 1, times: 9, action: refusing(503) });
    expect((await undo(made, { job_id })).results).toMatchObject([{ status: 'error' }]);
    await service.control('DELETE', '/faults');
    expect((await undo(made, { job_id })).results).toMatchObject([{ status: 'ok' }]);
    expect(await describeIt(made)).toEqual(before);
  });

  it('changes nothing after one whose photos had to be sent again, and restores no sold piece', async () => {
    const made = await make(4);
    const before = await describeIt(made);
    const job_id = await keepFirstPhoto(made);
    await strike(made, { times: 1, action: refusing(404) });
    expect((await undo(made, { job_id })).results).toMatchObject([{ status: 'ok' }]);
    expect(await describeIt(made)).toEqual(before);
    const { listing_id } = made.shops[0] ?? { listing_id: 0 };
    await service.control('POST', `/listings/${listing_id}/sell`, { sku: 'W', quantity: 2 });
    const sold = await describeIt(made);
    expect((await undo(made, { job_id })).results).toMatchObject([{ status: 'unchanged' }]);
    expect(await describeIt(made)).toEqual(sold);
  });

  it('undoes an update again that an undo of the undo has made again', async () => {
    const made = await make();
    const before = await describeIt(made);
    const { job_id } = await update(made, { listing: { title: 'Stoneware cup' } });
    await undo(made);
    await undo(made);
    expect(await describeIt(made)).not.toEqual(before);
    expect((await undo(made, { job_id })).results).toMatchObject([{ status: 'ok' }]);
    expect(await describeIt(made)).toEqual(before);
  });
});

describe('an undo of a field that someone else has edited since', () => {
  it('is refused, and names both ways to proceed', async () => {
    const made = await makeEdited();
    const { results } = await undo(made);
    expect(results).toMatchObject([
      { status: 'error', details: { code: 'DRIFT', drift: [{ field: PRICE, ours: 25, theirs: 31 }] } },
    ]);
    expect(results?.[0]?.error).toContain(
      'set on_drift to overwrite, or to skip, which keeps the edit and undoes the rest',
    );
    expect(await read(made)).toEqual(['Stoneware cup', [3100, 2600]]);
  });

  it('leaves that field and reverts the rest with skip, as shown by the dry run', async () => {
    const made = await makeEdited();
    const fields = ['listing.title', 'variations.offerings[Glaze: Ochre].price'];
    const shown = await undo(made, { on_drift: 'skip', dry_run: true });
    expect(shown.shops?.[0]?.diff.map(({ field }) => field)).toEqual(fields);
    const { results } = await undo(made, { on_drift: 'skip' });
    expect(results).toMatchObject([
      { status: 'ok', warnings: [{ code: 'not_undone', fields: [PRICE] }, { code: 'taken_over' }] },
    ]);
    expect(results?.[0]?.diff?.map(({ field }) => field)).toEqual(fields);
    expect(await read(made)).toEqual(['Stoneware mug', [3100, 2200]]);
  });

  it('overwrites it with overwrite, and reports so', async () => {
    const made = await makeEdited();
    const { results } = await undo(made, { on_drift: 'overwrite' });
    expect(results).toMatchObject([{ status: 'ok', warnings: [{ code: 'overwritten', fields: [PRICE] }] }]);
    expect(await read(made)).toEqual(['Stoneware mug', [2000, 2200]]);
  });
});

it('reports that earlier versions of a saved draft are not kept', async () => {
  const { listing_pk } = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(await listTargets(service), { idempotency_key: 'saved' }),
  );
  await service.call('listing_update', { listing_pk, changes: { listing: { title: 'Stoneware cup' } } });
  expect(await service.refuse('listing_undo', { listing_pk })).toMatchObject({
    code: 'NOTHING_TO_UNDO',
    message: `Listing ${listing_pk} is saved only here (it is not on the marketplace), and its earlier versions are not kept; set the earlier values with listing_update.`,
  });
});
