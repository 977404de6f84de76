import { describe, expect, it } from 'vitest';
import { findFields, toOurField } from '../../src/marketplace/http/error_fields.js';

describe('fields named in a sentence', () => {
  it.each([
    ['All offerings need readiness state', []],
    ['The shop_section_id does not belong to the shop.', ['shop_section_id']],
    ["Expected float value for 'price' (got NULL).", ['price']],
    ['Invalid tag: #1', ['tags']],
    ['Materials and styles are too long', ['materials', 'styles']],
    ['item_weight_unit is needed with item_weight', ['item_weight_unit', 'item_weight']],
    // A name that is unambiguous wins over a word that could be one.
    ['The title of the section in shop_section_id is gone', ['shop_section_id']],
    ['There was a problem with /type : not allowed', ['listing_type']],
    ['Server Error', []],
    ['', []],
  ])('are recognized: %s', (sentence, fields) => {
    expect(findFields(sentence)).toEqual(fields);
  });
});

describe('the field of a path', () => {
  it.each([
    ['/image', 'images'],
    ['/image_ids/0', 'images'],
    ['/tags/3', 'tags'],
    ['/production_partner_ids[2]', 'production_partner_ids'],
    ['title', 'title'],
    ['/', undefined],
    ['', undefined],
    ['/<script>', undefined],
  ])('is recognized: %s', (path, field) => {
    expect(toOurField(path)).toBe(field);
  });
});
