import { describe, expect, it } from 'vitest';
import { writeWarnings } from '../../../../src/core/issues/answers.js';
import { z } from 'zod/v3';
import { listingRequest } from '../../../../schemas/listing_request.js';
import { createKeyRules, publishKeyRules } from '../../../../src/core/listings/requests/key_rules.js';
import { publishRequest } from '../../../../schemas/job.js';
import { listUnknownKeys, toWarnings } from '../../../../src/core/operations/unknown_keys/unknown_keys.js';
import { buildPhysical, change } from '../../rules/sample.js';

const request = buildPhysical();

/** The warning about one key added to a valid request. */
function say(path: string, value: unknown = 'x'): string {
  const unknown = listUnknownKeys(listingRequest, change(request, path, value), createKeyRules);
  const warnings = writeWarnings(toWarnings(unknown));
  expect(warnings.map(({ code, fields }) => ({ code, fields }))).toEqual([
    { code: 'unknown_field', fields: [path] },
  ]);
  return warnings[0]?.reason.replace(/^"[^"]*" is an unknown key and was ignored[;.] ?/, '') ?? '';
}

describe('a key that belongs in another place', () => {
  it.each([
    ['listing.variations', 'it belongs next to "listing", as "variations".'],
    ['listing.personalization', 'it belongs next to "listing", as "personalization".'],
    ['listing.images', 'it belongs next to "listing", as "images".'],
    ['shops[0].state', 'it belongs next to "shops", as "state".'],
    ['variations.offerings[1].dry_run', 'it belongs next to "variations", as "dry_run".'],
    ['title', 'it belongs in listing.title.'],
    ['tags', 'it belongs in listing.tags.'],
    ['price', 'it belongs in listing.price, shops[].price, or variations.offerings[].price.'],
    ['quantity', 'it belongs in listing.quantity or variations.offerings[].quantity.'],
    ['sku', 'it belongs in listing.sku or variations.offerings[].sku.'],
    [
      'shops[0].quantity',
      'it belongs in shops[].overrides.listing.quantity or shops[].overrides.offerings[].quantity.',
    ],
    ['listing.shipping_profile_id', 'it belongs in shops[].shipping_profile_id.'],
    ['listing.shippingProfileId', 'it belongs in shops[].shipping_profile_id.'],
    ['listing.offerings', 'it belongs in variations.offerings.'],
  ])('at %s is answered with: %s', (path, said) => {
    expect(say(path)).toBe(said);
  });
});

describe("the marketplace's own name, or a common one", () => {
  it.each([
    ['shops[0].readiness_state_id', 'here it is called "processing_profile_id".'],
    ['variations.offerings[0].readiness_state_id', 'here it is called "processing_profile_id".'],
    [
      'listing.readiness_state_id',
      'it belongs in shops[].processing_profile_id or variations.offerings[].processing_profile_id.',
    ],
    ['variations.offerings[0].qty', 'here it is called "quantity".'],
    ['variations.offerings[0].stock', 'here it is called "quantity".'],
    [
      'shops[0].qty',
      'it belongs in shops[].overrides.listing.quantity or shops[].overrides.offerings[].quantity.',
    ],
    [
      'shops[0].stock',
      'it belongs in shops[].overrides.listing.quantity or shops[].overrides.offerings[].quantity.',
    ],
    ['variants', 'here it is called "variations".'],
    ['options', 'here it is called "variations".'],
    ['listing.variants', 'it belongs next to "listing", as "variations".'],
    ['photos', 'here it is called "images".'],
    ['images[0].is_primary', 'here it is called "rank".'],
    ['status', 'here it is called "state".'],
    ['category_id', 'it belongs in listing.taxonomy_id.'],
    ['listing.category_id', 'here it is called "taxonomy_id".'],
    ['personalization.questions', 'here it is called "instructions".'],
    ['listing.is_personalizable', 'it belongs in personalization.enabled.'],
    ['validateOnly', 'here it is called "dry_run".'],
    ['currency', "prices are in each shop's own currency."],
  ])('at %s is answered with: %s', (path, said) => {
    expect(say(path)).toBe(said);
  });
});

describe('a typo', () => {
  it.each([
    ['dryRun', 'did you mean "dry_run"?'],
    ['shop', 'did you mean "shops"?'],
    ['idempotencyKey', 'did you mean "idempotency_key"?'],
    ['listing.titel', 'did you mean "title"?'],
    ['titel', 'did you mean "listing.title"?'],
    ['shops[0].titel', 'did you mean "shops[].overrides.listing.title"?'],
    ['listing.varations', 'did you mean "variations"?'],
    ['variations.offerings[0].Siez', 'did you mean "size"?'],
  ])('at %s is answered with: %s', (path, said) => {
    expect(say(path)).toBe(said);
  });
});

describe('several candidates', () => {
  it.each([
    ['listing_dry_run', 'did you mean "dry_run"?'],
    ['listing.is_dry_run', 'did you mean "dry_run"?'],
    ['listing.weight', 'did you mean "item_weight"?'],
    ['shops[0].shop_name', ''],
  ])('are reduced to the one that shares most words for %s: %s', (path, said) => {
    expect(say(path)).toBe(said);
  });
});

it.each(['state ', 'sta\u200bte'])('reports invisible characters in a key: %j', (key) => {
  const unknown = listUnknownKeys(listingRequest, { ...request, [key]: 'draft' }, createKeyRules);
  const [warning] = writeWarnings(toWarnings(unknown));
  expect(warning?.reason).toBe(
    '"state" is an unknown key and was ignored; did you mean "state", without the invisible characters in the key?',
  );
});

describe('a meaningless key', () => {
  it.each([
    ['campaign', ''],
    ['images[0].watermark', 'Known keys: url, rank, alt_text.'],
    ['constructor', ''],
    ['listing.__lookupGetter__', ''],
  ])('at %s is answered with: %s', (path, said) => {
    expect(say(path)).toBe(said);
  });
  it('is quoted without characters that could reverse or break a line, and truncated', () => {
    const key = `a\n\u202e${'b'.repeat(200)}`;
    const [warning] = writeWarnings(toWarnings(listUnknownKeys(z.object({}), { [key]: 1 })));
    expect(warning).toEqual({
      code: 'unknown_field',
      level: 'warning',
      fields: [`a ${'b'.repeat(98)}…`],
      reason: `"a ${'b'.repeat(98)}…" is an unknown key and was ignored.`,
    });
  });
});

describe('a key without a meaning here', () => {
  it('is reported if it belongs to another operation', () => {
    const input = { listing_pk: 1, state: 'active', images: [], status: 'active' };
    expect(
      listUnknownKeys(publishRequest, input, publishKeyRules).keys.map(({ key, meaning }) => [key, meaning]),
    ).toEqual([
      ['images', { is: 'of_operation', operation_id: 'listing_create', name: 'images' }],
      ['status', { is: 'alias', name: 'state' }],
    ]);
  });
  it('is never reported in a valid request', () => {
    expect(listUnknownKeys(listingRequest, request, createKeyRules)).toEqual({
      keys: [],
      left_out: 0,
      comparisons: 0,
    });
  });
});
