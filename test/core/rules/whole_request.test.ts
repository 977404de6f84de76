import { describe, expect, it } from 'vitest';
import { buildDigital, buildPhysical, change, listProblems } from './sample.js';

/*
 * Fields checked against one another, and the files and addresses of a request.
 */

const image = (index: number) => ({ url: `https://shop.example/${index}.jpg` });
const images = (count: number) => Array.from({ length: count }, (_, index) => image(index));
const withImages = (given: unknown) =>
  change(change(buildPhysical(), 'images', given), 'variations.variation_images', undefined);

const shop = (shop_id: number) => ({ shop_id, shipping_profile_id: 2, return_policy_id: 3 });

const shops = (count: number) => Array.from({ length: count }, (_, index) => shop(index + 1));

describe('shops', () => {
  it('are 1 to 50', () => {
    expect(listProblems(change(buildPhysical(), 'shops', shops(50)))).toEqual([]);
    expect(listProblems(change(buildPhysical(), 'shops', shops(51)))).toEqual([
      'shops: has 51 shops; at most 50 are allowed',
    ]);
    expect(listProblems(change(buildPhysical(), 'shops', []))).toEqual([
      'shops: is empty; send 1 to 50 shops',
    ]);
    expect(listProblems(change(buildPhysical(), 'shops', undefined))).toEqual(['shops: is required']);
    expect(listProblems(change(buildPhysical(), 'shops', { shop_id: 1 }))).toEqual([
      'shops: must be an array, not object',
    ]);
  });
  it('are each named once', () => {
    expect(listProblems(change(buildPhysical(), 'shops', [shop(1), shop(2), shop(1), shop(1)]))).toEqual([
      'shops[2].shop_id: is the same shop as shops[0]; send each shop once',
      'shops[3].shop_id: is the same shop as shops[0]; send each shop once',
    ]);
  });
  it('need shipping and returns only for physical listings', () => {
    const bare = [{ shop_id: 1 }, { shop_id: 2, return_policy_id: 3 }];
    expect(listProblems(change(buildPhysical(), 'shops', bare))).toEqual([
      'shops[0].shipping_profile_id: is required for a physical listing; store_sync returns the ids',
      'shops[0].return_policy_id: is required for a physical listing; store_sync returns the ids',
      'shops[1].shipping_profile_id: is required for a physical listing; store_sync returns the ids',
    ]);
    expect(listProblems(change(buildDigital(), 'shops', bare))).toEqual([]);
  });
});

const fields = ['who_made', 'when_made', 'is_supply'];

const without = (left_out: readonly string[]) =>
  left_out.reduce((request, field) => change(request, `listing.${field}`, undefined), buildPhysical());

describe('listing.who_made, listing.when_made, listing.is_supply', () => {
  it('come together or not at all', () => {
    expect(listProblems(without(fields))).toEqual([]);
    expect(listProblems(without([]))).toEqual([]);
  });
  it.each(fields.map((field) => [field]))('refuse %s by itself, and name the missing ones', (field) => {
    const others = fields.filter((other) => other !== field);
    expect(listProblems(without(others))).toEqual(
      others.map(
        (other) =>
          `listing.${other}: is missing; send who_made, when_made, and is_supply together, or none of them`,
      ),
    );
  });
});

describe('listing.price and listing.quantity', () => {
  const bare = change(buildPhysical(), 'variations', undefined);

  it.each(['price', 'quantity'])('%s is required without variations', (field) => {
    expect(listProblems(change(bare, `listing.${field}`, undefined))).toEqual([
      `listing.${field}: is required unless every offering has a ${field}`,
    ]);
  });
  it.each(['price', 'quantity'])('%s of a wrong type in an offering is reported once', (field) => {
    const request = change(buildPhysical(), `listing.${field}`, undefined);
    expect(listProblems(change(request, `variations.offerings[1].${field}`, 'x'))).toEqual([
      `variations.offerings[1].${field}: must be a number, not a string`,
    ]);
  });
  it.each(['price', 'quantity'])('%s is not required if every offering has one', (field) => {
    const request = change(buildPhysical(), `listing.${field}`, undefined);
    expect(listProblems(request)).toEqual([]);
    expect(listProblems(change(request, `variations.offerings[1].${field}`, undefined))).toEqual([
      `listing.${field}: is required unless every offering has a ${field}`,
    ]);
  });
});

describe('images', () => {
  it('are 1 to 10', () => {
    expect(listProblems(withImages(images(10)))).toEqual([]);
    expect(listProblems(withImages(images(11)))).toEqual(['images: has 11 images; at most 10 are allowed']);
    expect(listProblems(withImages([]))).toEqual(['images: is empty; send 1 to 10 images']);
    expect(listProblems(withImages(undefined))).toEqual([]);
  });
  it('are required for state active', () => {
    expect(listProblems(change(withImages(undefined), 'state', 'active'))).toEqual([
      'images: is required for state active; send 1 to 10 images',
    ]);
    expect(listProblems(change(withImages(undefined), 'state', 'publish'))).toEqual([]);
  });
});

const ranked = (ranks: readonly (number | undefined)[]) =>
  withImages(ranks.map((rank, index) => ({ ...image(index), rank })));

describe('images[].rank', () => {
  it('may have gaps and any order', () => {
    expect(listProblems(ranked([7, 2, 10]))).toEqual([]);
  });
  it('is given for all images or for none', () => {
    expect(listProblems(ranked([undefined, 1, undefined]))).toEqual([
      'images[0].rank: is missing; set a rank for every image, or for none',
      'images[2].rank: is missing; set a rank for every image, or for none',
    ]);
  });
  it('does not repeat', () => {
    expect(listProblems(ranked([3, 1, 3, 3]))).toEqual([
      'images[2].rank: is 3, the same as images[0].rank; use each rank once',
      'images[3].rank: is 3, the same as images[0].rank; use each rank once',
    ]);
  });
});

const OWN_FILE =
  'is a file path, not a URL; upload the file with file_upload and use the url that it returns';
const NO_SCHEME = 'must start with https://, http://, or service-upload:// (which file_upload returns)';

describe.each([
  ['images[].url', 'images[0].url', buildPhysical],
  ['videos[].url', 'videos[0].url', buildPhysical],
  ['digital_files[].url', 'digital_files[0].url', buildDigital],
] as const)('%s', (_field, path, build) => {
  it.each([
    ['https', 'https://shop.example/a.jpg?b=1#c'],
    ['http', 'http://shop.example/a.jpg'],
    ['an upload', 'service-upload://upl_1/a.jpg'],
    ['upper case', 'HTTPS://SHOP.EXAMPLE/A.JPG'],
    ['another script', 'https://例え.テスト/写真.jpg'],
    ['2048 characters', `https://shop.example/${'a'.repeat(2027)}`],
    ['2048 characters with emoji', `https://shop.example/${'🍵'.repeat(2027)}`],
  ])('accepts %s', (_name, url) => {
    expect(listProblems(change(build(), path, url))).toEqual([]);
  });
  it.each([
    [
      '2049 characters',
      `https://shop.example/${'a'.repeat(2028)}`,
      'has 2049 characters; at most 2048 are allowed',
    ],
    ['a path', '/home/me/a.jpg', OWN_FILE],
    ['a path of the home folder', '~/a.jpg', OWN_FILE],
    ['a path from here', '../a.jpg', OWN_FILE],
    ['a path of Windows', 'C:\\me\\a.jpg', OWN_FILE],
    ['a file', 'file:///etc/passwd', OWN_FILE],
    ['data', 'data:image/png;base64,AA', OWN_FILE],
    ['much data', `data:image/png;base64,${'A'.repeat(3000)}`, OWN_FILE],
    ['a name', 'a.jpg', NO_SCHEME],
    ['another scheme', 'ftp://shop.example/a.jpg', NO_SCHEME],
    ['no host', 'https://', 'is not a complete URL'],
    ['a space in the host', 'https://shop .example/', 'is not a complete URL'],
    ['nothing', '', NO_SCHEME],
  ])('refuses %s', (_name, url, message) => {
    expect(listProblems(change(build(), path, url))).toEqual([`${path}: ${message}`]);
  });
  it('is required', () => {
    expect(listProblems(change(build(), path, undefined))).toEqual([`${path}: is required`]);
  });
});

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ url: `https://shop.example/${index}.pdf` }));

describe('digital_files[].url', () => {
  it('occurs 1 to 5 times in a digital listing', () => {
    expect(listProblems(change(buildDigital(), 'digital_files', files(5)))).toEqual([]);
    expect(listProblems(change(buildDigital(), 'digital_files', files(6)))).toEqual([
      'digital_files: has 6 digital files; at most 5 are allowed',
    ]);
    for (const none of [undefined, []]) {
      expect(listProblems(change(buildDigital(), 'digital_files', none))).toEqual([
        'digital_files: is required for a digital listing; send 1 to 5 files',
      ]);
    }
  });
  it('is refused for a physical listing, which it would turn digital', () => {
    expect(listProblems(change(buildPhysical(), 'digital_files', files(1)))).toEqual([
      'digital_files: is only for digital listings: a file would make this listing digital; remove the files',
    ]);
    expect(listProblems(change(buildPhysical(), 'digital_files', []))).toEqual([]);
  });
});

describe('listing.listing_type', () => {
  it('digital accepts no variations', () => {
    const { variations } = buildPhysical();
    expect(listProblems(change(buildDigital(), 'variations', variations))).toEqual([
      'variations: is only for physical listings: the marketplace does not support variations on digital listings; remove the variations',
    ]);
  });
});

describe('videos[].url', () => {
  it('occurs once', () => {
    const videos = [{ url: 'https://shop.example/1.mp4' }, { url: 'https://shop.example/2.mp4' }];
    expect(listProblems(change(buildPhysical(), 'videos', videos))).toEqual([
      'videos: has 2 videos; at most 1 are allowed',
    ]);
    expect(listProblems(change(buildPhysical(), 'videos', []))).toEqual([]);
  });
});

const attribute = (key: string, value: unknown) =>
  change(buildPhysical(), 'category_attributes', { [key]: value });

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, { value_ids: [1] }]));

describe('category_attributes', () => {
  it('has property ids as keys', () => {
    expect(listProblems(attribute('46803063659', { value_ids: [35] }))).toEqual([]);
    for (const key of ['0', '01', 'color', '-1', '2 00', '２００', 'a.b[0]']) {
      expect(listProblems(attribute(key, { value_ids: [35] }))).toEqual([
        `category_attributes.${key}: is not a property id; use the property ids that listing_schema returns`,
      ]);
    }
  });
  it('has at most 200 keys', () => {
    expect(listProblems(change(buildPhysical(), 'category_attributes', many(200)))).toEqual([]);
    expect(listProblems(change(buildPhysical(), 'category_attributes', many(201)))).toEqual([
      'category_attributes: has 201 attributes; at most 200 are allowed',
    ]);
  });
  it('is an object', () => {
    expect(listProblems(change(buildPhysical(), 'category_attributes', []))).toEqual([
      'category_attributes: must be an object, not array',
    ]);
    expect(listProblems(attribute('200', 5))).toEqual([
      'category_attributes.200: must be an object, not number',
    ]);
  });
  it('category_attributes.<property_id>.value_ids: integers, at least one unless there are values', () => {
    expect(listProblems(attribute('200', { value_ids: [1, 2] }))).toEqual([]);
    expect(listProblems(attribute('200', { value_ids: ['1'] }))).toEqual([
      'category_attributes.200.value_ids[0]: must be a number without quotation marks, not a string',
    ]);
    for (const none of [{}, { value_ids: [] }, { value_ids: [], values: [] }]) {
      expect(listProblems(attribute('200', none))).toEqual([
        'category_attributes.200: has no value; set value_ids to ids that listing_schema returns',
      ]);
    }
  });
  it('category_attributes.<property_id>.values: one for each value id, or alone', () => {
    expect(listProblems(attribute('200', { values: ['Beige'] }))).toEqual([]);
    expect(listProblems(attribute('200', { value_ids: [1, 2], values: ['Beige'] }))).toEqual([
      'category_attributes.200.values: has 1 value for 2 value ids; send one value for each id',
    ]);
    expect(listProblems(attribute('200', { values: 'Beige' }))).toEqual([
      'category_attributes.200.values: must be an array, not a string',
    ]);
  });
  it('category_attributes.<property_id>.scale_id: an integer', () => {
    expect(listProblems(attribute('200', { value_ids: [1], scale_id: 5 }))).toEqual([]);
    expect(listProblems(attribute('200', { value_ids: [1], scale_id: 'inches' }))).toEqual([
      'category_attributes.200.scale_id: must be a number, not a string',
    ]);
  });
});
