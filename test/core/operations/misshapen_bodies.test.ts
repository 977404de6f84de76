import type { ListingJobResult } from '../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, listTargets, MUGS, startService, type TestService } from '../../service.js';

/*
 * Bodies that assistants often get wrong, as the service answers them.
 */

let service: TestService;
let clay: object;

beforeAll(async () => {
  service = await startService();
  const [target] = await listTargets(service);
  // Nothing is left to choose or unread, so every warning is about keys.
  clay = { ...target, processing_profile_id: 1386200000101 };
  await service.call('listing_schema', { category_id: MUGS });
});
afterAll(() => service.close());

const create = (body: object) => service.call<ListingJobResult>('listing_create', body);

describe('JSON text instead of objects and lists', () => {
  it('creates the intended listing', async () => {
    const { shops, listing } = buildMug([clay]);
    const { listing_pk, status } = await create({
      shops: JSON.stringify(shops),
      listing: JSON.stringify({ ...listing, tags: JSON.stringify(['tea', 'mug']) }),
    });
    expect(status).toBe('draft');
    const { request } = await service.call<{ request: unknown }>('listing_get', { listing_pk });
    expect(request).toEqual({ shops, listing: { ...listing, tags: ['tea', 'mug'] } });
  });
  it('is the same request as one without', async () => {
    const body = buildMug([clay], { note: 'the same' });
    const first = await create(body);
    const again = await create({ ...body, listing: JSON.stringify(body.listing) });
    expect(again.listing_pk).toBe(first.listing_pk);
    expect(again.warnings?.map(({ code }) => code)).toEqual(['replayed', 'unknown_field']);
  });
});

describe('unknown keys', () => {
  it('are kept, and reported', async () => {
    const { warnings, status } = await create(buildMug([clay], { campaign: { name: '冬' }, dry_run: true }));
    expect({ warnings, status }).toEqual({
      warnings: [
        {
          code: 'unknown_field',
          level: 'warning',
          fields: ['campaign'],
          reason: '"campaign" is an unknown key and was ignored.',
        },
      ],
      status: 'valid',
    });
  });
  it.each([
    ['a letter too many', 'personalizations', 'personalization'],
    ['a letter too few', 'varations', 'variations'],
    ['a wrong letter', 'digital_fales', 'digital_files'],
    ['two letters changed over', 'imgaes', 'images'],
    ['another case and separator', 'Category-Attributes', 'category_attributes'],
  ])('are recognized if they differ by one typo: %s', async (_name, key, meant) => {
    const { warnings } = await create(buildMug([clay], { [key]: 1, dry_run: true }));
    expect(warnings).toEqual([
      {
        code: 'unknown_field',
        level: 'warning',
        fields: [key],
        reason: `"${key}" is an unknown key and was ignored; did you mean "${meant}"?`,
      },
    ]);
  });
  it.each([
    ['top', 'image_urls', 'images'],
    ['top', 'variationOptions', 'variations'],
    ['listing', 'weight', 'item_weight'],
    ['listing', 'dimensions-unit', 'item_dimensions_unit'],
    ['shop', 'partner_ids', 'production_partner_ids'],
  ])('are recognized if they have the same words: in %s, %s', async (where, key, meant) => {
    const { listing, shops } = buildMug([where === 'shop' ? { ...clay, [key]: 1 } : clay]);
    const { warnings } = await create({
      shops,
      listing: where === 'listing' ? { ...listing, [key]: 1 } : listing,
      ...(where === 'top' && { [key]: 1 }),
      dry_run: true,
    });
    expect(warnings?.map(({ reason }) => reason)).toEqual([
      `"${key}" is an unknown key and was ignored; did you mean "${meant}"?`,
    ]);
  });
  it('are recognized in objects keyed by ids', async () => {
    const attributes = { 200: { value_id: [1], values: ['Blue'] } };
    const { warnings } = await create(buildMug([clay], { category_attributes: attributes }));
    expect(warnings?.flatMap((warning) => warning.fields)).toEqual(['category_attributes.200.value_id']);
  });
  it('are recognized in objects and lists, and stay with the draft', async () => {
    const { listing, shops } = buildMug([{ ...clay, shop_sections_id: 5 }]);
    const draft = await create({ shops, listing: { ...listing, tag: ['x'], materialz: [] } });
    const fields = ['shops[0].shop_sections_id', 'listing.tag', 'listing.materialz'];
    expect(draft.warnings?.map((warning) => warning.fields)).toEqual(fields.map((field) => [field]));
    const { warnings } = await service.call<ListingJobResult>('listing_get', {
      listing_pk: draft.listing_pk,
    });
    expect(warnings?.flatMap((warning) => warning.fields)).toEqual(fields);
  });
  it('are reported once for all items of a list, and not if a property has that name', async () => {
    const variations = {
      properties: [{ property_id: 513, name: 'Prices', values: ['S', 'M'] }],
      offerings: [
        { prices: 'S', qty: 1, quantity: 1 },
        { prices: 'M', qty: 1, quantity: 1 },
      ],
    };
    const { warnings } = await create(buildMug([clay], { variations, dry_run: true }));
    expect(warnings).toEqual([
      {
        code: 'unknown_field',
        level: 'warning',
        fields: ['variations.offerings[0].qty', 'variations.offerings[1].qty'],
        reason: '"qty" is an unknown key and was ignored (in 2 places); here it is called "quantity".',
      },
    ]);
  });
});
