import type { UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, upload, type TestService } from '../../../service.js';
import { countCalls, edit, makeListing, type Made } from '../update/rig.js';

/* The calls a dry run reports are those the change makes, for each kind of change. */

let service: TestService;
let photos: string[];
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  photos = [];
  for (const name of ['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg', 'photo-04.jpg']) {
    photos.push(await upload(service, name));
  }
});
afterAll(() => service.close());

type Input = Record<string, unknown>;

/** Returns the calls the operation makes, which its dry run must report. */
async function expectReported(operation: string, input: Input): Promise<number> {
  const shown = await service.call<UpdateResult>(operation, { ...input, dry_run: true });
  expect(shown.shops?.map(({ error }) => error)).toEqual(shown.shops?.map(() => undefined));
  let done: UpdateResult | undefined;
  const calls = await countCalls(service, async () => {
    done = await service.call<UpdateResult>(operation, input);
  });
  expect(done?.results?.map(({ error }) => error) ?? []).not.toContain(expect.any(String));
  const made = Object.values(calls).reduce((total, one) => total + one, 0);
  expect({ reported: shown.marketplace_calls, calls }).toEqual({ reported: made, calls });
  return made;
}

const toFirst = ({ listing_pk, shops }: Made): Made => ({ listing_pk, shops: shops.slice(0, 1) });

/** An update of a listing in one of its shops, and its undo. */
async function expectBothReported(
  made: Made,
  changes: object | ((url: string[]) => object),
): Promise<number> {
  const shops = made.shops.map(({ shop_id }) => shop_id);
  const { listing_pk } = made;
  const own = await service.call<{ request: { images: { url: string }[] } }>('listing_get', { listing_pk });
  const urls = own.request.images.map(({ url }) => url);
  const input = { listing_pk, shops, changes: typeof changes === 'function' ? changes(urls) : changes };
  const calls = await expectReported('listing_update', input);
  await expectReported('listing_undo', { listing_pk, shops });
  return calls;
}

const VARIED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
};
const TRANSLATIONS = {
  translations: { de: { title: 'Becher', description: 'Ein Becher.', tags: [] } },
};

const price = ({ listing_pk, shops }: Made, value: number): Input => ({
  listing_pk,
  shops: shops.map(({ shop_id }) => shop_id),
  changes: { offerings: [{ price: value }] },
});

describe('the calls reported by the dry run of an update', () => {
  it('are a read and a write for the price of a listing with one SKU, whose response is used to read back', async () => {
    const made = toFirst(await makeListing(service));
    expect(await expectReported('listing_update', price(made, 31))).toBe(3);
    expect(await expectReported('listing_update', price(made, 31))).toBe(1);
  });

  it.each<[string, object | ((urls: string[]) => object)]>([
    ['the title', { listing: { title: 'Another mug' } }],
    ['the title and the stock', { listing: { title: 'Another mug', quantity: 7 } }],
    [
      'the alt text of a photo',
      ([a, b]: string[]) => ({ images: [{ url: a, alt_text: 'New' }, { url: b }] }),
    ],
    [
      'the alt texts of two photos',
      ([a, b]: string[]) => ({
        images: [
          { url: a, alt_text: 'New' },
          { url: b, alt_text: 'Newer' },
        ],
      }),
    ],
    ['the order of photos', ([a, b]: string[]) => ({ images: [{ url: b }, { url: a }] })],
    [
      'a photo behind the others',
      ([a, b]: string[]) => ({ images: [{ url: a }, { url: b }, { url: photos[2] }] }),
    ],
    ['a photo in front', ([a, b]: string[]) => ({ images: [{ url: photos[2] }, { url: a }, { url: b }] })],
    ['a photo instead of another', ([a]: string[]) => ({ images: [{ url: a }, { url: photos[2] }] })],
    ['all photos', () => ({ images: [{ url: photos[2] }, { url: photos[3] }] })],
    ['one photo less', ([a]: string[]) => ({ images: [{ url: a }] })],
    ['personalization', { personalization: { enabled: true, instructions: 'A name' } }],
    ['an attribute', { category_attributes: { 357: { value_ids: [2104], values: ['Stoneware'] } } }],
    [
      'several parts',
      ([a]: string[]) => ({
        listing: { title: 'Another mug', price: 33 },
        images: [{ url: a }, { url: photos[3] }],
        personalization: { enabled: true, instructions: 'A name' },
      }),
    ],
    ['all of the stock', { offerings: [{ quantity: 0 }] }],
  ])('match an update of %s, and its undo', async (_name, changes) => {
    await expectBothReported(toFirst(await makeListing(service)), changes);
  });

  it.each<[string, object | ((urls: string[]) => object)]>([
    ['the price of one combination', { offerings: [{ glaze: 'Ochre', price: 41 }] }],
    ['the title', { listing: { title: 'Another mug' } }],
    [
      'a photo behind the others',
      ([a, b]: string[]) => ({ images: [{ url: a }, { url: b }, { url: photos[2] }] }),
    ],
    ['the first photo', ([, b]: string[]) => ({ images: [{ url: photos[2] }, { url: b }] })],
    [
      'prices and photos',
      ([a, b]: string[]) => ({
        offerings: [{ glaze: 'Ochre', price: 41 }],
        images: [{ url: b }, { url: a }],
      }),
    ],
  ])('match an update of %s if variations have photos, and its undo', async (_name, changes) => {
    await expectBothReported(toFirst(await makeListing(service, { more: VARIED })), changes);
  });

  it('include writing translations again that a new title removes', async () => {
    const made = toFirst(await makeListing(service));
    await edit(service, made, TRANSLATIONS);
    await expectBothReported(made, { listing: { title: 'Another mug' } });
  });

  it('match uploading a video, and removing one', async () => {
    const url = await upload(service, 'clip.mp4', 'video');
    const made = toFirst(await makeListing(service));
    await expectBothReported(made, { videos: [{ url }] });
    await expectReported('listing_update', { listing_pk: made.listing_pk, changes: { videos: [{ url }] } });
    await expectBothReported(made, { videos: [] });
  });

  it('match adding and reordering digital files', async () => {
    const file = { url: await upload(service, 'pattern.pdf', 'digital'), name: 'one.pdf' };
    const other = { url: await upload(service, 'pattern.pdf', 'digital'), name: 'two.pdf' };
    const made = toFirst(
      await makeListing(service, {
        more: { digital_files: [file] },
        listing: { listing_type: 'digital', when_made: '2020_2026' },
      }),
    );
    await expectBothReported(made, { digital_files: [file, other] });
    const shops = made.shops.map(({ shop_id }) => shop_id);
    const { listing_pk } = made;
    const turn = (digital_files: object[]) =>
      expectReported('listing_update', { listing_pk, shops, changes: { digital_files } });
    await turn([other, file]);
    await turn([file]);
  });

  it('match updating a sold-out listing, whose price is kept', async () => {
    const made = toFirst(await makeListing(service, { listing: { quantity: 1 } }));
    await service.control('POST', `/listings/${made.shops[0]?.listing_id}/sell`, { quantity: 1 });
    await expectReported('listing_update', price(made, 31));
    const { listing_pk, shops } = made;
    const changes = { offerings: [{ quantity: 4 }] };
    await expectReported('listing_update', {
      listing_pk,
      shops: shops.map(({ shop_id }) => shop_id),
      changes,
    });
  });

  it('are summed across shops', async () => {
    const made = await makeListing(service);
    await expectBothReported(made, { listing: { title: 'Another mug' } });
  });
});
