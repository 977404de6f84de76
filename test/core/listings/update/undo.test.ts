import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { startService, upload, type TestService } from '../../../service.js';
import { describeListing, edit, readListings, makeListing, type Made } from './rig.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

const VARIED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
  category_attributes: { 357: { value_ids: [2104], values: ['Stoneware'] } },
  personalization: { enabled: true, instructions: 'A name' },
};

const describeAll = async (made: Made) => (await readListings(service, made)).map(describeListing);
const update = (made: Made, changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', { listing_pk: made.listing_pk, changes, ...more });
const undo = (made: Made, more: object = {}) =>
  service.call<UpdateResult>('listing_undo', { listing_pk: made.listing_pk, ...more });
const getRequest = async ({ listing_pk }: Made) =>
  (await service.call<{ request: unknown }>('listing_get', { listing_pk })).request;
const listStatuses = ({ results }: Pick<UpdateResult, 'results'>) => results?.map(({ status }) => status);
const listCodes = ({ results }: Pick<UpdateResult, 'results'>) =>
  results?.map(({ warnings = [] }) => warnings.map(({ code }) => code));

/** A photo's alt text is stored with the photo. */
const listFields = (diff: readonly { field: string }[] = []) =>
  [...new Set(diff.map(({ field }) => field.replace(/\d+/, 'n')))].sort();

async function changeAll(made: Made): Promise<UpdateResult> {
  const photo = await upload(service, 'photo-08.jpg');
  const { images = [] } = (await getRequest(made)) as { images?: { url: string }[] };
  return update(made, {
    listing: { title: 'Stoneware cup', tags: ['cup', 'clay'] },
    images: [{ url: images[1]?.url, alt_text: 'First now' }, { url: photo }],
    offerings: [{ sku: 'W', price: 25, quantity: 7 }],
    personalization: { instructions: 'Two names' },
    category_attributes: { 358: { value_ids: [2140], values: ['Yes'] } },
  });
}

describe('listing_undo', () => {
  it('that failed in one shop explains how to finish it there, and leaves the other one unchanged', async () => {
    const made = await makeListing(service, { photos: 1 });
    const before = await describeAll(made);
    const { job_id } = await update(made, { listing: { title: 'Stoneware cup' } });
    const [, second] = made.shops;
    const action = { type: 'status', status: 503, body: { error: 'not now' } };
    const rules = [{ operation: 'updateListing', shop_id: second?.shop_id, times: 3, action }];
    await service.control('POST', '/faults', { rules });
    const undone = await undo(made);
    expect(listStatuses(undone)?.toSorted()).toEqual(['error', 'ok']);
    const { error } = undone.results?.find(({ status }) => status === 'error') ?? {};
    expect(error).toContain(
      `call listing_undo with job_id ${job_id} and shops [${second?.shop_id}] to finish`,
    );
    const again = await undo(made, { job_id, shops: [second?.shop_id] });
    expect(listStatuses(again)).toEqual(['ok']);
    expect(await describeAll(made)).toEqual(before);
  });

  it('restores everything, in the shops and here; a dry run reports it; it can be undone itself', async () => {
    const made = await makeListing(service, { photos: 3, more: VARIED });
    const de = { title: 'Becher', description: 'Ein Becher.', tags: ['becher'] };
    await edit(service, made, { translations: { de } });
    const [before, request] = [await describeAll(made), await getRequest(made)];
    const changed = await changeAll(made);
    expect(listStatuses(changed)).toEqual(['ok', 'ok']);
    const [after, changed_request] = [await describeAll(made), await getRequest(made)];
    expect(after).not.toEqual(before);

    const shown = await undo(made, { dry_run: true });
    expect(shown.status).toBe('valid');
    const fields = listFields(changed.results?.[0]?.diff);
    expect(listFields(shown.shops?.[0]?.diff)).toEqual(fields);
    expect(await describeAll(made)).toEqual(after);

    const undone = await undo(made);
    expect(listStatuses(undone)).toEqual(['ok', 'ok']);
    expect(await describeAll(made)).toEqual(before);
    expect(await getRequest(made)).toEqual(request);

    const redone = await undo(made);
    expect(listStatuses(redone)).toEqual(['ok', 'ok']);
    const listCodes = ({ results }: typeof redone) => (results?.[0]?.warnings ?? []).map(({ code }) => code);
    expect(listCodes(undone)).not.toContain('redone');
    expect(listCodes(redone)).toContain('redone');
    expect(await describeAll(made)).toEqual(after);
    expect(await getRequest(made)).toEqual(changed_request);
  });

  it('sends photos again that the marketplace no longer has, from the saved bytes', async () => {
    const made = await makeListing(service, { photos: 3 });
    const before = await describeAll(made);
    const { images = [] } = (await getRequest(made)) as { images?: { url: string }[] };
    expect(listStatuses(await update(made, { images: [{ url: images[0]?.url }] }))).toEqual(['ok', 'ok']);
    const action = { type: 'status', status: 404, body: { error: 'Resource not found' } };
    const rules = made.shops.map(({ shop_id }) => ({
      operation: 'uploadListingImage',
      shop_id,
      times: 1,
      action,
    }));
    await service.control('POST', '/faults', { rules });
    expect(listStatuses(await undo(made))).toEqual(['ok', 'ok']);
    await service.control('DELETE', '/faults');
    expect(await describeAll(made)).toEqual(before);
  });

  it('is refused if the same fields were edited manually since, and leaves other edits', async () => {
    const made = await makeListing(service, { more: VARIED });
    await update(made, { listing: { title: 'Stoneware cup' }, offerings: [{ sku: 'W', price: 25 }] });
    const [first, second] = made.shops.map((shop) => ({ ...made, shops: [shop] }));
    if (!first || !second) throw new Error('there are two');
    await edit(service, first, { products: [{ sku: 'W', price: 31 }] });
    await edit(service, second, { products: [{ sku: 'O', price: 32 }] });
    const undone = await undo(made);
    expect(listStatuses(undone)).toEqual(['error', 'ok']);
    const field = 'variations.offerings[Glaze: White].price';
    expect(undone.results?.[0]?.details).toMatchObject({
      code: 'DRIFT',
      drift: [{ field, ours: 25, theirs: 31 }],
    });
    const [a, b] = await readListings(service, made);
    expect(a?.fields.title).toBe('Stoneware cup');
    expect(b?.fields.title).toBe('Stoneware mug');
    const prices = b?.inventory.products.map(({ sku, offering }) => [sku, offering.price_amount]);
    expect(prices).toEqual([
      ['W', 2000],
      ['O', 3200],
    ]);
  });

  it('leaves earlier manual edits unchanged, in the shops and here', async () => {
    const made = await makeListing(service, { more: VARIED });
    const [first] = made.shops.map((shop) => ({ ...made, shops: [shop] }));
    if (!first) throw new Error('there are two');
    const request = (await getRequest(made)) as ListingRequest;
    await edit(service, made, {
      materials: ['theirs'],
      item_weight: 2,
      item_weight_unit: 'kg',
      products: [{ sku: 'O', price: 32 }],
    });
    await edit(service, first, { shop_section_id: 40118202 });
    const before = await describeAll(made);
    const changes = { listing: { title: 'Stoneware cup' }, offerings: [{ sku: 'W', price: 25 }] };
    expect(listStatuses(await update(made, changes))).toEqual(['ok', 'ok']);
    const changed = (await getRequest(made)) as ListingRequest;
    const edits = { materials: ['theirs'], item_weight: 2, item_weight_unit: 'kg' };
    const [own, ...others] = request.shops;
    const expected = {
      ...request,
      listing: { ...request.listing, ...edits },
      variations: {
        ...request.variations,
        offerings: request.variations?.offerings?.map((one) =>
          one.sku === 'O' ? { ...one, price: 32 } : one,
        ),
      },
      shops: [{ ...own, shop_section_id: 40118202 }, ...others],
    };
    expect(listStatuses(await undo(made))).toEqual(['ok', 'ok']);
    expect(await describeAll(made)).toEqual(before);
    expect(await getRequest(made)).toEqual(expected);
    expect(listStatuses(await undo(made))).toEqual(['ok', 'ok']);
    expect(await getRequest(made)).toEqual(changed);
  });

  it('leaves an attribute and a question that were edited manually since', async () => {
    const made = await makeListing(service, { more: VARIED });
    await update(made, {
      personalization: { instructions: 'Two names' },
      category_attributes: { 358: { value_ids: [2140], values: ['Yes'] } },
    });
    const question = {
      question_text: 'Personalization',
      question_type: 'text_input',
      instructions: 'Two names',
      required: true,
      max_allowed_characters: 256,
    };
    const attributes = { 357: { value_ids: [2101], values: ['Porcelain'] } };
    await edit(service, made, { personalization: [question], attributes });
    const undone = await undo(made);
    expect(listStatuses(undone)).toEqual(['ok', 'ok']);
    expect(listFields(undone.results?.[0]?.diff)).toEqual([
      expect.stringMatching(/^category_attributes\./),
      'personalization.instructions',
    ]);
    const [there] = await readListings(service, made);
    expect(there?.personalization).toMatchObject([{ instructions: 'A name', required: true }]);
    expect(there?.properties).toMatchObject([{ property_id: 357, values: ['Porcelain'] }]);
  });

  it('leaves a listing inactive that was deactivated since', async () => {
    const made = await makeListing(service);
    const { job_id } = await update(made, { listing: { title: 'Stoneware cup' } });
    await service.call('listing_publish', { listing_pk: made.listing_pk, state: 'inactive' });
    const undone = await undo(made, { job_id });
    expect(listStatuses(undone)).toEqual(['ok', 'ok']);
    expect((await readListings(service, made)).map((there) => [there?.state, there?.fields.title])).toEqual([
      ['inactive', 'Stoneware mug'],
      ['inactive', 'Stoneware mug'],
    ]);
  });

  it('keeps sold stock, and reports so', async () => {
    const made = await makeListing(service, { more: VARIED });
    await update(made, { offerings: [{ sku: 'W', quantity: 9 }] });
    await service.control('POST', `/listings/${made.shops[0]?.listing_id}/sell`, { sku: 'W', quantity: 2 });
    const undone = await undo(made);
    expect(listStatuses(undone)).toEqual(['ok', 'ok']);
    expect(listCodes(undone)).toEqual([['not_undone'], []]);
    const quantities = (await readListings(service, made)).map(
      (there) => there?.inventory.products[0]?.offering.quantity,
    );
    expect(quantities).toEqual([1, 3]);
  });

  it('names a translation that did not exist before, and undoes only the named shops and job', async () => {
    const made = await makeListing(service, { more: VARIED });
    const first = await update(made, { listing: { title: 'Stoneware cup' } });
    await update(made, { listing: { tags: ['later'] } });
    const [shop] = made.shops;
    const undone = await undo(made, { job_id: first.job_id, shops: [shop?.shop_id] });
    expect(undone.results).toHaveLength(1);
    const [a, b] = await readListings(service, made);
    expect([a?.fields.title, b?.fields.title]).toEqual(['Stoneware mug', 'Stoneware cup']);
    expect(a?.fields['tags']).toEqual(['later']);
  });

  it('has nothing to undo if nothing was changed, and runs one job at a time', async () => {
    const made = await makeListing(service);
    expect(await service.refuse('listing_undo', { listing_pk: made.listing_pk })).toMatchObject({
      code: 'NOTHING_TO_UNDO',
    });
    const same = await update(made, { listing: { title: 'Stoneware mug' } });
    expect(listStatuses(same)).toEqual(['unchanged', 'unchanged']);
    expect(
      await service.refuse('listing_undo', { listing_pk: made.listing_pk, job_id: same.job_id }),
    ).toMatchObject({
      code: 'NOTHING_TO_UNDO',
    });
    expect(
      await service.refuse('listing_undo', { listing_pk: made.listing_pk, job_id: 'job_none' }),
    ).toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
  });

  it('is reported by listing_create_status like any job', async () => {
    const made = await makeListing(service);
    await update(made, { listing: { title: 'Stoneware cup' } });
    const { job_id } = await undo(made);
    const result = await service.call<ListingJobResult>('listing_create_status', { job_id });
    expect(result.results?.map(({ diff }) => diff)).toEqual([
      [{ field: 'listing.title', before: 'Stoneware cup', after: 'Stoneware mug' }],
      [{ field: 'listing.title', before: 'Stoneware cup', after: 'Stoneware mug' }],
    ]);
  });
});
