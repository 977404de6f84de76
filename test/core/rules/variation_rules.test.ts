import { describe, expect, it } from 'vitest';
import { buildPhysical, change, listProblems } from './sample.js';

const SIZE = { property_id: 513, name: 'Size', values: ['S', 'L'] };
const COLOR = { property_id: 514, name: 'Color', values: ['Red', 'Blue'] };

const vary = (variations: unknown) => listProblems(change(buildPhysical(), 'variations', variations));

describe('variations.properties', () => {
  it('are at most two, with different ids and names', () => {
    expect(vary({ properties: [SIZE, COLOR] })).toEqual([]);
    const third = { property_id: 500, name: 'Finish', values: ['Matte'] };
    expect(vary({ properties: [SIZE, COLOR, third] })).toEqual([
      'variations.properties: has 3 properties; at most 2 are allowed',
    ]);
    expect(vary({ properties: [SIZE, { ...COLOR, property_id: 513 }] })).toEqual([
      'variations.properties[1].property_id: is also the id of the other property; use two different properties',
    ]);
    expect(vary({ properties: [SIZE, { ...COLOR, name: ' SIZE ' }] })).toEqual([
      'variations.properties[1].name: is also the name of the other property; use two different names',
    ]);
  });
  it('may be missing or empty', () => {
    for (const none of [{}, { properties: [] }, { properties: [], offerings: [] }])
      expect(vary(none)).toEqual([]);
    expect(vary({ offerings: [{ size: 'S' }] })).toEqual([
      'variations.properties: is missing, but there are offerings; send the properties that the offerings vary by',
    ]);
  });
});

describe('variations.properties[].name', () => {
  it.each([
    ['parentheses', 'Size (cm)', 'size (cm)'],
    ['Japanese', 'サイズ', 'サイズ'],
    ['Arabic', 'مقاس', 'مقاس'],
    ['a capital that grows in lower case', 'İnci', 'i̇nci'],
    ['Greek, with the sigma of its end', 'ΜΈΓΕΘΟΣ', 'μέγεθος'],
    ['an emoji with joiners', '👩‍🍳', '👩‍🍳'],
    ['what every object has', 'constructor', 'constructor'],
    ['what every object has, too', 'toString', 'tostring'],
  ])('accepts %s, and finds it lowercased in the offerings', (_name, name, key) => {
    const properties = [{ ...SIZE, name }];
    expect(vary({ properties, offerings: [{ [key]: 'S' }, { [key]: 'L' }] })).toEqual([]);
    expect(vary({ properties, offerings: [{ other: 'S' }] })).toEqual([
      `variations.offerings[0].${key}: is required: set it to a value of property "${name}"`,
    ]);
  });
  it('cannot be a name that offerings use for another field', () => {
    for (const name of ['Price', 'QUANTITY', 'sku', 'Enabled', 'processing_profile_id']) {
      expect(vary({ properties: [{ ...SIZE, name }] })).toEqual([
        `variations.properties[0].name: cannot be "${name.toLowerCase()}", which is a field of offerings; use another name`,
      ]);
    }
  });
  it('is required', () => {
    expect(vary({ properties: [{ ...SIZE, name: undefined }] })).toEqual([
      'variations.properties[0].name: is required',
    ]);
    expect(vary({ properties: [{ ...SIZE, name: ' ' }] })).toEqual([
      'variations.properties[0].name: is empty',
    ]);
  });
});

const values = (given: unknown) => vary({ properties: [{ ...SIZE, values: given }] });

const many = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

describe('variations.properties[].values', () => {
  it('are 1 to 70', () => {
    expect(values(many(70))).toEqual([]);
    expect(values(many(71))).toEqual([
      'variations.properties[0].values: has 71 values; at most 70 are allowed',
    ]);
    expect(values([])).toEqual(['variations.properties[0].values: is empty; send 1 to 70 values']);
    expect(values(undefined)).toEqual(['variations.properties[0].values: is required']);
  });
  it('contain no parentheses', () => {
    expect(values(['L [large]', 'größer', '大', 'كبير', '👩‍🍳'])).toEqual([]);
    expect(values(['S', 'L (large)', '大（big）'])).toEqual([
      'variations.properties[0].values[1]: has characters that are not allowed: ( (U+0028), ) (U+0029); use only characters other than parentheses',
    ]);
  });
  it('differ in more than case, spaces and composition', () => {
    expect(values(['Red', 'Blue', 'red ', 'caf\u00e9', 'cafe\u0301'])).toEqual([
      'variations.properties[0].values[2]: is the same as values[0]; send each value once',
      'variations.properties[0].values[4]: is the same as values[3]; send each value once',
    ]);
  });
  it('are not empty', () => {
    expect(values(['S', ''])).toEqual(['variations.properties[0].values[1]: is empty']);
  });
});

const offer = (...offerings: object[]) => vary({ properties: [SIZE, COLOR], offerings });

describe('variations.offerings', () => {
  it('name one value of every property', () => {
    expect(offer({ size: 'S', color: 'Red' }, { size: 'L', color: 'Blue' })).toEqual([]);
    expect(offer({ size: 'S' }, { size: 'XL', color: 'Red' }, { size: 5, color: 'red' })).toEqual([
      'variations.offerings[0].color: is required: set it to a value of property "Color"',
      'variations.offerings[1].size: is "XL"; must be one of "S", "L"',
      'variations.offerings[2].size: is 5; must be one of "S", "L"',
      'variations.offerings[2].color: is "red"; must be one of "Red", "Blue"',
    ]);
  });
  it('are different combinations', () => {
    expect(offer({ size: 'S', color: 'Red' }, { color: 'Red', size: 'S' })).toEqual([
      'variations.offerings[1]: is the same combination as offerings[0]; send each combination once',
    ]);
  });
  it('are at most 4,900', () => {
    const offerings = Array.from({ length: 4901 }, () => ({ size: 'S', color: 'Red' }));
    const result = vary({ properties: [SIZE, COLOR], offerings });
    expect(result[0]).toBe('variations.offerings: has 4901 offerings; at most 4900 are allowed');
    expect(result).toHaveLength(4901);
  });
  it('must have something to sell', () => {
    const nothing =
      'variations.offerings: has nothing to sell; enable at least one offering that has a quantity greater than 0';
    expect(offer({ size: 'S', color: 'Red', quantity: 0 })).toEqual([nothing]);
    expect(offer({ size: 'S', color: 'Red', enabled: false })).toEqual([nothing]);
    expect(offer({ size: 'S', color: 'Red', quantity: 0 }, { size: 'L', color: 'Red', quantity: 1 })).toEqual(
      [],
    );
    // A missing quantity has an issue of its own.
    const variations = { properties: [SIZE, COLOR], offerings: [{ size: 'S', color: 'Red' }] };
    const varied = change(buildPhysical(), 'variations', variations);
    expect(listProblems(change(varied, 'listing.quantity', undefined))).toEqual([
      'listing.quantity: is required unless every offering has a quantity',
    ]);
  });
  it('report a key in capital letters', () => {
    expect(offer({ Size: 'S', color: 'Red' })).toEqual([
      'variations.offerings[0].size: is required: set it to a value of property "Size"; the key must be "size", not "Size"',
    ]);
  });
  it('refuse a key that is a prototype, not a property', () => {
    expect(vary({ properties: [{ ...SIZE, name: '__proto__' }], offerings: [{ size: 'S' }] })).toEqual([
      'variations.offerings[0].__proto__: is required: set it to a value of property "__proto__"',
    ]);
  });
});

const skus = (first: string, second: string) =>
  vary({
    properties: [SIZE],
    offerings: [
      { size: 'S', sku: first },
      { size: 'L', sku: second },
    ],
  });

describe('variations.offerings[].sku', () => {
  const cut =
    'variations.offerings[1].sku: has the same first 32 characters as offerings[0].sku, and the marketplace keeps only those; make the first 32 characters different';

  it('is unique', () => {
    expect(skus('A', 'B')).toEqual([]);
    expect(skus('', '')).toEqual([]);
    expect(skus('A', 'A')).toEqual([
      'variations.offerings[1].sku: is also the SKU of offerings[0]; each offering needs its own SKU',
    ]);
  });
  it.each([
    ['letters', 'a'],
    ['emoji', '🍵'],
    ['Japanese', '器'],
  ])('is also unique after truncation to 32 characters, in %s', (_name, char) => {
    expect(skus(`${char.repeat(31)}1`, `${char.repeat(31)}2`)).toEqual([]);
    expect(skus(`${char.repeat(32)}1`, `${char.repeat(32)}2`)).toEqual([cut]);
    expect(skus(char.repeat(32), `${char.repeat(32)}2`)).toEqual([cut]);
  });
});

const photos = (variation_images: unknown) => vary({ properties: [SIZE, COLOR], variation_images });

describe('variations.variation_images.property', () => {
  it('names a property in any case', () => {
    for (const property of ['size', 'SIZE', ' Color']) expect(photos({ property, mapping: {} })).toEqual([]);
  });
  it('is one of the properties', () => {
    expect(photos({ property: 'Glaze', mapping: { S: 0 } })).toEqual([
      'variations.variation_images.property: is not one of the variation properties ("Size", "Color")',
    ]);
  });
  it('is required with a mapping', () => {
    expect(photos({})).toEqual([]);
    expect(photos({ mapping: { S: 0 } })).toEqual([
      'variations.variation_images.property: is required when mapping is sent; set it to the name of a variation property',
    ]);
  });
  it('is one name', () => {
    expect(photos({ property: ['size', 'color'] })).toEqual([
      'variations.variation_images.property: must be a string, not array',
    ]);
  });
});

describe('variations.variation_images.mapping', () => {
  const two = [{ url: 'https://a.example/1.jpg' }, { url: 'https://a.example/2.jpg' }];
  const map = (mapping: unknown, images: unknown = two) => {
    const variations = { properties: [SIZE], variation_images: { property: 'Size', mapping } };
    return listProblems(
      change(change(buildPhysical(), 'variations', variations), 'images', images || undefined),
    );
  };

  it('counts images[] from 0', () => {
    expect(map({ S: 0, L: 1 })).toEqual([]);
    expect(map({ S: 2, L: -1 })).toEqual([
      'variations.variation_images.mapping.S: is 2; images[] has indexes 0 to 1',
      'variations.variation_images.mapping.L: is -1; images[] has indexes 0 to 1',
    ]);
    expect(map({ S: 0 }, false)).toEqual([
      'variations.variation_images.mapping.S: is 0; there are no images',
    ]);
  });
  it('has values of the property as keys', () => {
    expect(map({ s: 0, 'a.b': 1 })).toEqual([
      'variations.variation_images.mapping.s: is not a value of property "Size"; use one of "S", "L"',
      'variations.variation_images.mapping.a.b: is not a value of property "Size"; use one of "S", "L"',
    ]);
  });
  it('has integers as values', () => {
    expect(map({ S: 'first' })).toEqual([
      'variations.variation_images.mapping.S: must be a number, not a string',
    ]);
    expect(map({ S: 0.5 })).toEqual(['variations.variation_images.mapping.S: must be an integer, not float']);
  });
});
