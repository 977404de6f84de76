import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { DRAW_BOUNDS, drawPhoto } from '../../src/media/photos/draw_photo.js';
import { countHeifPixels } from '../../src/media/photos/heif_pixels.js';
import { buildGrid } from './heif.js';
import { fixture, makeFolder, makeMedia, type SampleMedia } from './sample.js';

/*
 * The photos of test/fixtures that are named phone.*: red on the left and blue on the right as stored in the
 * file, 96 × 64 pixels, with a location (GPS) and the maker `Phone` in their EXIF. phone.heic has Display P3
 * and is rotated by `irot`, phone.webp by its EXIF orientation; phone.avif is upright. large.heic is 4,000 ×
 * 3,000 pixels of one color.
 */

async function turn({ media }: SampleMedia, path: string, content_type: string, max_side?: number) {
  const staged = await media.stage(createReadStream(path), { limit_bytes: 100_000_000 });
  const turned = await media.turnPhoto(staged, { owner: 'one', content_type, max_side });
  if ('problem' in turned) return turned;
  return { ...turned, bytes: await readFile(turned.staged.path) };
}

async function pickColours(bytes: Buffer): Promise<string[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const name = (at: number) => ((data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue');
  const last = (info.height - 1) * info.width * info.channels;
  return [name(0), name((info.width - 1) * info.channels), name(last)];
}

describe('a photo converted to JPEG', () => {
  it.each([
    // Upright, the colors are one above the other.
    ['phone.heic', 'image/heic', [64, 96], ['red', 'red', 'blue'], true],
    ['phone.webp', 'image/webp', [64, 96], ['red', 'red', 'blue'], false],
    ['phone.avif', 'image/avif', [96, 64], ['red', 'blue', 'red'], false],
  ])('from %s is upright and has no metadata', async (name, content_type, size, colours, hasProfile) => {
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
    // The same numbers mean other colors, and the JPEG says so too.
    expect(icc !== undefined).toBe(hasProfile);
    expect(turned.bytes.includes('Phone')).toBe(false);
  });

  it('has the same bytes each time', async () => {
    const sample = await makeMedia();
    const one = await turn(sample, fixture('phone.heic'), 'image/heic');
    const other = await turn(sample, fixture('phone.heic'), 'image/heic');
    expect('staged' in one && 'staged' in other && one.staged.sha256 === other.staged.sha256).toBe(true);
  });

  it('is on white if it was transparent', async () => {
    const path = join(await makeFolder(), 'glass.webp');
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    await sharp({ create: { width: 8, height: 8, channels: 4, background } })
      .webp()
      .toFile(path);
    const turned = await turn(await makeMedia(), path, 'image/webp');
    if ('problem' in turned) throw new Error(turned.problem);
    expect([...(await sharp(turned.bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
    expect(turned).toMatchObject({ is_transparent: true, is_animated: false });
  });

  it('shows the first frame of an animation, and the result says that there were more', async () => {
    const path = join(await makeFolder(), 'animation.webp');
    await sharp(fixture('animation.gif'), { animated: true }).webp().toFile(path);
    expect(await turn(await makeMedia(), path, 'image/webp')).toMatchObject({ is_animated: true });
    expect(await turn(await makeMedia(), fixture('picture.webp'), 'image/webp')).toMatchObject({
      is_animated: false,
    });
  });

  it('is no larger than requested, even from more than the hundred megapixels that are kept', async () => {
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

const draw = (path: string, bounds: Partial<typeof DRAW_BOUNDS>) =>
  drawPhoto(path, { is_heic: path.endsWith('.heic') }, { ...DRAW_BOUNDS, ...bounds });

describe('a hostile photo', () => {
  it.each([
    ['too_large', 'has more pixels than are decoded', { max_pixels: 6_143 }],
    ['unreadable', 'takes longer than it may', { deadline_ms: 1 }],
    ['unreadable', 'takes more processor time than it may', { max_cpu_ms: 1 }],
    ['unreadable', 'takes more memory than its process may', { max_memory_bytes: 1 }],
  ])('is %s if it %s', async (problem, _what, bounds) => {
    for (const name of ['phone.heic', 'phone.avif', 'phone.webp']) {
      expect(await draw(fixture(name), {})).toMatchObject({ width: name === 'phone.avif' ? 96 : 64 });
      expect(await draw(fixture(name), bounds)).toEqual({ problem });
    }
  });

  it('is unreadable if its decoder needs more memory than it may use', async () => {
    expect(await draw(fixture('large.heic'), {})).toMatchObject({ width: 4_000, height: 3_000 });
    expect(await draw(fixture('large.heic'), { max_decoder_bytes: 2 ** 25 })).toEqual({
      problem: 'unreadable',
    });
  });

  it('is refused by its header if its channels need more bytes than are decoded, however small the file', async () => {
    const path = join(await makeFolder(), 'large.avif');
    const create = { width: 8_000, height: 8_000, channels: 3 as const, background: '#a33' };
    await sharp({ create }).avif({ effort: 0, quality: 1 }).toFile(path);
    expect((await stat(path)).size).toBeLessThan(4_000);
    expect(await turn(await makeMedia(), path, 'image/avif')).toEqual({ problem: 'too_large' });
    expect(await draw(fixture('phone.avif'), { max_decoded_bytes: 96 * 64 * 3 - 1 })).toEqual({
      problem: 'too_large',
    });
    expect(await draw(fixture('phone.avif'), { max_decoded_bytes: 96 * 64 * 3 })).toMatchObject({
      width: 96,
    });
  });

  it.each([
    ['484 tiles of 12 megapixels on a canvas of 64 × 64', { tiles: 484 }],
    ['one such tile that is used 484 times', { tiles: 1, uses: 484 }],
  ])('is refused by the number of pixels to decode: %s', async (_what, grid) => {
    const path = join(await makeFolder(), 'grid.heic');
    await writeFile(path, await buildGrid({ canvas: 64, ...grid }));
    expect(await turn(await makeMedia(), path, 'image/heic')).toEqual({ problem: 'too_large' });
  });

  it('is stopped by its processor time if its header hides how large its tiles are', async () => {
    const path = join(await makeFolder(), 'grid.heic');
    await writeFile(path, await buildGrid({ canvas: 64, tiles: 484, named_side: 8 }));
    expect(countHeifPixels(await readFile(path))).toBe(484 * 64);
    expect(await draw(path, { max_cpu_ms: 1_500 })).toEqual({ problem: 'unreadable' });
  });

  it('is refused by its stated size before a picture of that size is created', async () => {
    const path = await writeHeic((bytes) => {
      const at = bytes.indexOf('ispe', 0, 'latin1') + 8;
      bytes.writeUInt32BE(30_000, at);
      bytes.writeUInt32BE(30_000, at + 4);
      return bytes;
    });
    expect(await turn(await makeMedia(), path, 'image/heic')).toEqual({ problem: 'too_large' });
  });

  it('is unreadable if it is cut off, and leaves nothing staged', async () => {
    const sample = await makeMedia();
    const path = await writeHeic((bytes) => bytes.subarray(0, bytes.length - 200));
    expect(await turn(sample, path, 'image/heic')).toEqual({ problem: 'unreadable' });
    const webp = await readFile(fixture('phone.webp'));
    await writeFile(path, webp.subarray(0, 60));
    expect(await turn(sample, path, 'image/webp')).toEqual({ problem: 'unreadable' });
    expect(await sample.listStaged()).toHaveLength(2);
  });
});
