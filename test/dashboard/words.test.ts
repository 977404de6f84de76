import { describe, expect, it } from 'vitest';
import { toFieldWords } from '../../src/core/issues/field_words.js';
import type { Issue } from '../../schemas/issue.js';
import type { Refused } from '../../src/core/errors.js';
import { describeRefusal } from '../../src/dashboard/words/refusals.js';
import { toSellerSentence, toSellerWords } from '../../src/dashboard/words/sentences.js';

describe('a field', () => {
  it.each([
    ['images[0].alt_text', 'photo 1, description of the picture'],
    ['shops[1].shop_section_id', 'shop 2, section'],
    ['listing.title', 'title'],
    ['variations.offerings[2].price', 'combination 3, price'],
    ['images', 'photos'],
    ['category_attributes.200', 'category details, 200'],
  ])('%s is told as %s', (path, words) => {
    expect(toFieldWords(path)).toBe(words);
  });
});

describe('a sentence', () => {
  it.each([
    [
      'No processing profile was named; 1386200000101 ("1 - 2 days") is used.',
      'No processing profile was named; "1 - 2 days" is used.',
    ],
    [
      'None of the three was given; i_did, made_to_order and false are used.',
      'Who made it and when was not said. It is listed as made by you, to order, and not as a craft supply.',
    ],
    [
      'None of the three was given; i_did, 2020_2026 and false are used.',
      'Who made it and when was not said. It is listed as made by you, 2020 to 2026, and not as a craft supply.',
    ],
    [
      'Draft not made: the marketplace has a fault of its own (it answered 503 "Later."); call listing_publish to finish',
      'Draft not made: the marketplace did not answer; finish it here when it does',
    ],
    [
      'Image 1: the marketplace answered 400 "No taxonomy_id."',
      'Photo 1: the marketplace said "No taxonomy_id."',
    ],
    [
      'The marketplace took it; listing_publish sends it again',
      'The marketplace took it; publishing again sends it again',
    ],
  ])('%s', (text, words) => {
    expect(toSellerWords(text)).toBe(words);
  });
});

it('a sentence of its own begins large and ends with a stop', () => {
  expect(
    toSellerSentence('the marketplace did not answer ("fetch failed"); call listing_publish to finish'),
  ).toBe('The marketplace did not answer; finish it here when it does.');
});

describe('a refusal', () => {
  const docs = '';

  it('by the limit of fees is no mistake to correct', () => {
    const refused: Refused = {
      code: 'VALIDATION_FAILED',
      status: 400,
      message: 'state: …',
      hint: 'Correct the fields named in the message and send the request again.',
      docs,
      issues: [{ code: 'activations_limit', at: 'state', params: { most: 20, wanted: 1 } }],
    };
    expect(describeRefusal(refused)).toEqual({
      lines: [
        'Your limit of 20 listing fees in 24 hours is reached. Try again later, or save it as a draft on Etsy.',
      ],
      hint: 'Nothing was done, and nothing was paid.',
    });
  });

  it('shows its problems in the words of a seller', () => {
    const issues: Issue[] = [
      { code: 'photos_required', at: 'images', params: {} },
      { code: 'list_too_long', at: 'listing.tags', params: { count: 15, most: 13, items: 'tags' } },
      { code: 'physical_required', at: 'shops[0].shipping_profile_id', params: {} },
    ];
    const { lines } = describeRefusal({
      code: 'VALIDATION_FAILED',
      status: 400,
      message: '…',
      hint: '…',
      docs,
      issues,
    });
    expect(lines).toEqual([
      'It has no photos. A listing needs 1 to 10 photos before it can be published as active.',
      'Tags: there are 15. At most 13 are allowed.',
      'Shop 1, shipping profile: a physical listing needs one. The page of the shop shows the choices.',
    ]);
  });

  it('by a full account says what makes room', () => {
    const message = 'The account has 1,000 saved drafts, as many as it may have.';
    const hint = 'Delete drafts that nobody needs (listing_delete) or publish them.';
    const told = describeRefusal({ code: 'QUOTA_EXCEEDED', status: 400, message, hint, docs });
    expect(told.lines).toEqual(['You have 1,000 saved drafts, as many as you may have.']);
    expect(told.hint).toMatch(/^Delete drafts and uploads that are no longer needed/);
  });
  it('says of an outage one thing, once', () => {
    const message = 'The marketplace could not be reached: "fetch failed".';
    const hint = 'The marketplace did not answer. Repeat the request in a minute.';
    expect(describeRefusal({ code: 'MARKETPLACE_UNAVAILABLE', status: 500, message, hint, docs })).toEqual({
      lines: ['The marketplace is not answering right now.'],
      hint: 'What is saved here is safe. Try again in a few minutes.',
    });
  });

  it('keeps a hint that says more, and names no operation', () => {
    const hint = 'The page Access lists your keys.';
    expect(describeRefusal({ code: 'NOT_FOUND', status: 404, message: 'No key.', hint, docs }).hint).toBe(
      hint,
    );
    const told = describeRefusal({
      code: 'VALIDATION_FAILED',
      status: 400,
      message: 'listing.title: is empty',
      hint: 'Correct the saved listing with listing_update, whose changes take these fields, then call listing_publish again.',
      docs,
    });
    expect(told).toEqual({
      lines: ['Title: is empty'],
      hint: 'Your assistant can correct it: tell it what is written here. Then try again.',
    });
  });
});
