import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/media/identify/identify.js';
import { findImageSize } from '../../src/media/identify/image_size.js';
import { fixture, readerOf } from './sample.js';

const nothing = {
  content_type: null,
  extension: null,
  width: null,
  height: null,
  may_be_transparent: false,
  video: null,
};

describe('identify', () => {
  it.each([
    ['mug-front.jpg', 'image/jpeg', 'jpg', 1000, 800],
    ['mug-detail.png', 'image/png', 'png', 1000, 800],
    ['animation.gif', 'image/gif', 'gif', 120, 90],
    ['photo-07.jpg', 'image/jpeg', 'jpg', 400, 320],
    ['picture.webp', 'image/webp', 'webp', null, null],
    ['pattern.pdf', 'application/pdf', 'pdf', null, null],
    ['archive.zip', 'application/zip', 'zip', null, null],
  ])('identifies %s', async (name, content_type, extension, width, height) => {
    expect(await identify(fixture(name))).toEqual({
      content_type,
      extension,
      width,
      height,
      may_be_transparent: extension === 'gif',
      video: null,
    });
  });

  it.each(['fake.jpg', 'drawing.svg', 'notes.txt'])(
    'judges by the bytes, so %s is not recognized',
    async (name) => {
      expect(await identify(fixture(name))).toEqual(nothing);
    },
  );

  it.each([
    ['clip.mp4', 'video/mp4', 'mp4', 3, false, 768, 576],
    ['clip.mov', 'video/quicktime', 'mov', 3, false, 768, 576],
    ['clip-with-sound.mp4', 'video/mp4', 'mp4', 3, true, 768, 576],
    ['clip-long.mp4', 'video/mp4', 'mp4', 16, false, 768, 576],
    ['clip-fragmented.mp4', 'video/mp4', 'mp4', 3, false, 768, 576],
    ['clip-rotated.mp4', 'video/mp4', 'mp4', 3, false, 576, 768],
  ])('measures %s', async (name, content_type, extension, seconds, hasSound, width, height) => {
    const { video, ...rest } = await identify(fixture(name));
    expect(rest).toEqual({
      content_type,
      extension,
      width: null,
      height: null,
      may_be_transparent: false,
    });
    expect(video).toEqual({
      duration_seconds: expect.closeTo(seconds, 1),
      has_sound: hasSound,
      width,
      height,
    });
  });
});

describe('findImageSize', () => {
  it('finds the frame of a JPEG after long segments, fill bytes and a restart marker', async () => {
    const long_segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xfffd, 0xff)]);
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      ...Array.from({ length: 40 }, () => long_segment),
      Buffer.from([0xff, 0xff, 0xff, 0xd0]),
      Buffer.from([0xff, 0xc2, 0, 11, 8, 0x0f, 0xa0, 0x17, 0x70, 1, 1, 0x11, 0]),
    ]);
    expect(await findImageSize(readerOf(bytes), 'image/jpeg')).toEqual({ width: 6000, height: 4000 });
  });

  it('does not mistake tables for a frame', async () => {
    const tables = Buffer.from([0xff, 0xd8, 0xff, 0xc4, 0, 7, 1, 2, 3, 4, 5, 0xff, 0xd9]);
    expect(await findImageSize(readerOf(tables), 'image/jpeg')).toBeUndefined();
  });

  it('gives up on endless fill bytes after a bounded number of reads', async () => {
    const reader = readerOf(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(200_000, 0xff)]));
    expect(await findImageSize(reader, 'image/jpeg')).toBeUndefined();
    expect(reader.count()).toBeLessThanOrEqual(20_000);
  });

  it.each([
    ['image/jpeg', 'photo-01.jpg'],
    ['image/png', 'mug-detail.png'],
    ['image/gif', 'animation.gif'],
  ])('returns for any mutation of a %s, in a bounded number of reads', async (content_type, name) => {
    const original = (await readFile(fixture(name))).subarray(0, 2_000);
    const mutation = fc.array(fc.tuple(fc.nat(original.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 20,
    });
    let sized_count = 0;
    await fc.assert(
      fc.asyncProperty(mutation, fc.nat(original.length), async (changes, length) => {
        const bytes = Buffer.from(original);
        for (const [offset, value] of changes) bytes[offset] = value;
        const reader = readerOf(bytes.subarray(0, Math.max(length, 300)));
        const size = await findImageSize(reader, content_type);
        if (size !== undefined) sized_count += 1;
        const { width = 1, height = 1 } = size ?? {};
        expect(width > 0 && height > 0).toBe(true);
        expect(reader.count()).toBeLessThanOrEqual(20_000);
      }),
      { numRuns: 2_000 },
    );
    expect(sized_count).toBeGreaterThan(100);
  });
});
