import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeHeic, type HeicBounds } from '../../src/media/photos/heic.js';
import { fixture, makeFolder, makeMedia, type SampleMedia } from './sample.js';

/*
 * The photos of test/fixtures that are named phone.*: red on the left and blue on the right as they lie in the file, 96 × 64 pixels,
 * with a place (GPS) and the maker `Phone` in their EXIF. phone.heic has Display P3 and lies on its side by `irot`, phone.webp by its
 * EXIF orientation; phone.avif stands. large.heic is 4,000 × 3,000 pixels of one colour.
 */

async function turn({ media }: SampleMedia, path: string, content_type: string, max_side?: number) {
  const staged = await media.stage(createReadStream(path), { limit_bytes: 100_000_000 });
  const turned = await media.turnPhoto(staged, { content_type, max_side });
  if ('problem' in turned) return turned;
  return { ...turned, bytes: await readFile(turned.staged.path) };
}

async function pickColours(bytes: Buffer): Promise<string[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const name = (at: number) => ((data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue');
  const last = (info.height - 1) * info.width * info.channels;
  return [name(0), name((info.width - 1) * info.channels), name(last)];
}

describe('a photo becomes a JPEG', () => {
  it.each([
    // Upright, the colours lie one above the other.
    ['phone.heic', 'image/heic', [64, 96], ['red', 'red', 'blue'], true],
    ['phone.webp', 'image/webp', [64, 96], ['red', 'red', 'blue'], false],
    ['phone.avif', 'image/avif', [96, 64], ['red', 'blue', 'red'], false],
  ])('of %s, upright and without what it tells', async (name, content_type, size, colours, has_profile) => {
    expect((await readFile(fixture(name))).includes('Phone')).toBe(true);
    const turned = await turn(await makeMedia(), fixture(name), content_type);
    if ('problem' in turned) throw new Error(turned.problem);
    expect([turned.width, turned.height]).toEqual(size);
    const { format, width, height, orientation, exif, xmp, icc } = await sharp(turned.bytes).metadata();
    expect([format, width, height, orientation, exif, xmp]).toEqual([
      'jpeg',
      ...size,
      undefined,
      undefined,
      undefined,
    ]);
    expect(await pickColours(turned.bytes)).toEqual(colours);
    // Other colours are meant by the same numbers, and a JPEG says so as well.
    expect(icc !== undefined).toBe(has_profile);
    expect(turned.bytes.includes('Phone')).toBe(false);
  });

  it('with the same bytes each time', async () => {
    const sample = await makeMedia();
    const one = await turn(sample, fixture('phone.heic'), 'image/heic');
    const other = await turn(sample, fixture('phone.heic'), 'image/heic');
    expect('staged' in one && 'staged' in other && one.staged.sha256 === other.staged.sha256).toBe(true);
  });

  it('on white where it is transparent', async () => {
    const path = join(await makeFolder(), 'glass.webp');
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    await sharp({ create: { width: 8, height: 8, channels: 4, background } })
      .webp()
      .toFile(path);
    const turned = await turn(await makeMedia(), path, 'image/webp');
    if ('problem' in turned) throw new Error(turned.problem);
    expect([...(await sharp(turned.bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it('no larger than asked for, of more than the hundred megapixels that are kept', async () => {
    const path = join(await makeFolder(), 'large.png');
    const create = { width: 11_000, height: 10_000, channels: 3 as const, background: '#a33' };
    await sharp({ create, limitInputPixels: false }).png({ compressionLevel: 1 }).toFile(path);
    const turned = await turn(await makeMedia(), path, 'image/png', 3_000);
    expect(turned).toMatchObject({ width: 3_000, height: 2_727 });
  });
});

async function writeHeic(change: (bytes: Buffer) => Buffer): Promise<string> {
  const path = join(await makeFolder(), 'photo.heic');
  await writeFile(path, change(await readFile(fixture('phone.heic'))));
  return path;
}

describe('a photo that is hostile', () => {
  const SMALL: HeicBounds = { max_pixels: 10_000, max_memory_bytes: 2 ** 28, deadline_ms: 60_000 };

  it.each([
    ['too_large', 'has more pixels than are decoded', { max_pixels: 6_143 }],
    ['unreadable', 'takes longer than it may', { deadline_ms: 1 }],
  ])('is %s when it %s', async (problem, _what, bounds) => {
    expect(await decodeHeic(fixture('phone.heic'), SMALL)).toMatchObject({ width: 64, height: 96 });
    expect(await decodeHeic(fixture('phone.heic'), { ...SMALL, ...bounds })).toEqual({ problem });
  });

  it('is unreadable when it takes more memory than there is for it', async () => {
    const bounds = { ...SMALL, max_pixels: 12_000_000 };
    expect(await decodeHeic(fixture('large.heic'), bounds)).toMatchObject({ width: 4_000, height: 3_000 });
    expect(await decodeHeic(fixture('large.heic'), { ...bounds, max_memory_bytes: 2 ** 25 })).toEqual({
      problem: 'unreadable',
    });
  });

  it('is told by the size that it names before a picture of that size is made', async () => {
    const path = await writeHeic((bytes) => {
      const at = bytes.indexOf('ispe', 0, 'latin1') + 8;
      bytes.writeUInt32BE(30_000, at);
      bytes.writeUInt32BE(30_000, at + 4);
      return bytes;
    });
    expect(await turn(await makeMedia(), path, 'image/heic')).toEqual({ problem: 'too_large' });
  });

  it('is unreadable when it breaks off, and leaves nothing staged beside it', async () => {
    const sample = await makeMedia();
    const path = await writeHeic((bytes) => bytes.subarray(0, bytes.length - 200));
    expect(await turn(sample, path, 'image/heic')).toEqual({ problem: 'unreadable' });
    const webp = await readFile(fixture('phone.webp'));
    await writeFile(path, webp.subarray(0, 60));
    expect(await turn(sample, path, 'image/webp')).toEqual({ problem: 'unreadable' });
    expect(await sample.listStaged()).toHaveLength(2);
  });
});
