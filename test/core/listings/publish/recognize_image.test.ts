import { describe, expect, it } from 'vitest';
import { recognizeImage } from '../../../../src/core/listings/steps/photos/recognize.js';

const NOW_S = 1_790_000_000;
const SENT = { width: 400, height: 320, since_epoch_s: NOW_S };
const IMAGE = {
  listing_image_id: 20,
  url_fullxfull: 'u',
  rank: 2,
  created_at_epoch_s: NOW_S,
  width: 400,
  height: 320,
  alt_text: '',
};
const BEFORE = [{ ...IMAGE, listing_image_id: 10, rank: 1, created_at_epoch_s: NOW_S - 1 }];

describe('the image at the position a photo was sent to', () => {
  it.each([
    { what: 'as it was sent', image: {}, verdict: 'ours' },
    { what: 'turned upright', image: { width: 320, height: 400 }, verdict: 'ours' },
    { what: 'of another size', image: { width: 500 }, verdict: 'undecided' },
    { what: 'without a size yet', image: { width: null, height: null }, verdict: 'unprocessed' },
    { what: 'with a text, which none of ours has', image: { alt_text: 'Mine' }, verdict: 'not_ours' },
    { what: 'from before it was sent', image: { created_at_epoch_s: NOW_S - 60 }, verdict: 'not_ours' },
  ])('is $verdict if it is $what', ({ image, verdict }) => {
    expect(recognizeImage({ ...IMAGE, ...image }, SENT, BEFORE)).toBe(verdict);
  });

  it('is a duplicate of an earlier photo if it is older than that', () => {
    const before = [{ ...IMAGE, listing_image_id: 21, created_at_epoch_s: NOW_S + 1 }];
    expect(recognizeImage(IMAGE, SENT, before)).toBe('not_ours');
  });

  it('may be a duplicate of an earlier photo if it has a lower id within its second', () => {
    const before = [{ ...IMAGE, listing_image_id: 21 }];
    expect(recognizeImage(IMAGE, SENT, before)).toBe('undecided');
  });

  it('is smaller if the marketplace resized it', () => {
    const sent = { ...SENT, width: 4_000, height: 2_250 };
    expect(recognizeImage({ ...IMAGE, width: 3_000, height: 1_688 }, sent, BEFORE)).toBe('ours');
    expect(recognizeImage({ ...IMAGE, width: 3_000, height: 2_250 }, sent, BEFORE)).toBe('undecided');
  });

  it('is never taken for a photo whose own size is unknown', () => {
    expect(recognizeImage(IMAGE, { ...SENT, width: null, height: null }, BEFORE)).toBe('undecided');
  });
});
