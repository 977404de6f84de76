import { describe, expect, it } from 'vitest';
import { toFieldWords } from '../../src/dashboard/words/fields.js';
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
      'images: is required for state active; give 1 to 10 images',
      'It has no photos. A listing needs 1 to 10 of them before it can be put live.',
    ],
    [
      'listing.title: has % and : more than once; each of % : & + at most once',
      'Title: has % and : more than once; each of % : & + at most once',
    ],
    ['images[0].url: could not be downloaded', 'Photo 1: could not be downloaded'],
    ['listing.tags: has 15 tags; at most 13', 'Tags: have 15 tags; at most 13'],
    [
      'shops[0].shipping_profile_id: is required for a physical listing; store_sync lists the ids',
      'Shop 1, shipping profile: is required for a physical listing; the page of the shop shows which it has',
    ],
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
    ['stock: must be at least 1', 'Stock: must be at least 1'],
    ['events: is empty', 'Events: are empty'],
    ['file: is required', 'File: is required'],
    ['url: must be an https address', 'Address: must be an https address'],
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
    const message =
      'state: active would be more than 20 activations in 24 hours (1 more are asked for); use publish, wait, or raise MAX_ACTIVATIONS_PER_DAY';
    const hint = 'Correct the fields named in the message and send the request again.';
    expect(describeRefusal({ code: 'VALIDATION_FAILED', status: 400, message, hint, docs })).toEqual({
      lines: [
        'Your limit of 20 listing fees in 24 hours is reached. Try again later, or publish it as a draft.',
      ],
      hint: 'Nothing was done, and nothing was paid.',
    });
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
