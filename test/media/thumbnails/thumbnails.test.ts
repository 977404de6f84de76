import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { MediaError, THUMBNAIL_WIDTHS } from '../../../src/core/ports/media.js';
import { createThumbnails } from '../../../src/media/thumbnails/thumbnails.js';
import { fixture, makeMedia, serve, type SampleMedia } from '../sample.js';
import { readWebp } from './webp.js';

const LIMIT = { limit_bytes: 10_000_000 };

async function keep({ media, blobs }: SampleMedia, bytes: Buffer): Promise<{ sha256: string }> {
  const { sha256 } = await blobs.put(await media.stage(Readable.from([bytes]), LIMIT));
  return { sha256 };
}

async function keepFixture(sample: SampleMedia, name: string): Promise<{ sha256: string }> {
  return keep(sample, await readFile(fixture(name)));
}

/** A picture of stripes that is unique, so its hash is too. */
function draw(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: { r: width % 256, g: 90, b: 30 } } });
}

describe('a thumbnail of stored bytes', () => {
  it.each([
    ['mug-front.jpg', 1000],
    ['mug-detail.png', 1000],
    ['animation.gif', 120],
  ])('of %s has its width, one frame and no metadata', async (name, original_width) => {
    const sample = await makeMedia();
    const { media } = sample;
    const source = await keepFixture(sample, name);
    for (const width of THUMBNAIL_WIDTHS) {
      const found = await media.findThumbnail(source, width);
      const shown = readWebp(found?.bytes);
      expect([found?.content_type, shown.width]).toEqual(['image/webp', Math.min(width, original_width)]);
      expect(shown.chunks.filter((chunk) => !['VP8X', 'VP8 ', 'VP8L', 'ALPH'].includes(chunk))).toEqual([]);
    }
  });

  it('is upright', async () => {
    const sample = await makeMedia();
    const { media } = sample;
    const turned = await draw(600, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const found = await media.findThumbnail(await keep(sample, turned), 160);
    expect(readWebp(found?.bytes)).toMatchObject({ width: 160, height: 480 });
  });

  it('of a very tall picture has a limited height too', async () => {
    const sample = await makeMedia();
    const { media } = sample;
    const tall = await draw(40, 19_000).png().toBuffer();
    const found = await media.findThumbnail(await keep(sample, tall), 960);
    expect(readWebp(found?.bytes).height).toBe(2_880);
  });

  it('is made once, and then read from the folder, which only its owner can access', async () => {
    const sample = await makeMedia();
    const { media, dir } = sample;
    const source = await keepFixture(sample, 'photo-01.jpg');
    const [first, same] = await Promise.all([
      media.findThumbnail(source, 160),
      media.findThumbnail(source, 160),
    ]);
    expect(first).toEqual(same);
    await rm(join(dir, 'blobs'), { recursive: true });
    expect(await media.findThumbnail(source, 160)).toEqual(first);
    expect(await media.findThumbnail(source, 960)).toBeDefined();
    const names = await readdir(join(dir, 'thumbnails'));
    expect(names).toHaveLength(THUMBNAIL_WIDTHS.length);
    for (const name of names) {
      expect((await stat(join(dir, 'thumbnails', name))).mode & 0o777).toBe(0o600);
    }
  });

  it.each(['drawing.svg', 'fake.jpg', 'clip.mp4', 'pattern.pdf'])('is not made of %s', async (name) => {
    const sample = await makeMedia();
    const { media, dir } = sample;
    expect(await media.findThumbnail(await keepFixture(sample, name), 160)).toBeUndefined();
    expect(await readdir(join(dir, 'thumbnails')).catch(() => [])).toEqual([]);
  });

  it('is not made of a picture that is cut off, has too many pixels, or has lost its bytes', async () => {
    const sample = await makeMedia();
    const { media } = sample;
    const whole = await readFile(fixture('mug-front.jpg'));
    const cut = await keep(sample, whole.subarray(0, whole.length / 2));
    const large = await keep(sample, await draw(10_001, 10_000).png({ compressionLevel: 1 }).toBuffer());
    for (const source of [cut, large, { sha256: 'a'.repeat(64) }]) {
      expect(await media.findThumbnail(source, 160)).toBeUndefined();
    }
  });

  it('is deleted with the bytes it was made of', async () => {
    const sample = await makeMedia();
    const { media, dir } = sample;
    const source = await keepFixture(sample, 'photo-01.jpg');
    await media.findThumbnail(source, 160);
    await media.removeThumbnails(source.sha256);
    expect(await readdir(join(dir, 'thumbnails'))).toEqual([]);
  });
});

describe('a thumbnail of a remote picture', () => {
  it('is fetched once for all widths and all callers, and leaves no file behind', async () => {
    let requests = 0;
    const picture = await readFile(fixture('mug-front.jpg'));
    const { base_url } = await serve((_request, response) => {
      requests += 1;
      response.end(picture);
    });
    const { media, listStaged } = await makeMedia();
    const source = { url: `${base_url}/mug.jpg`, named_by: 'caller' as const };
    const found = await Promise.all(THUMBNAIL_WIDTHS.map((width) => media.findThumbnail(source, width)));
    expect(found.every((thumbnail) => thumbnail !== undefined)).toBe(true);
    expect([requests, await listStaged()]).toEqual([1, []]);
  });

  it('that failed is not fetched again on every request', async () => {
    let requests = 0;
    const { base_url } = await serve((_request, response) => {
      requests += 1;
      response.writeHead(404).end('no');
    });
    const { media } = await makeMedia();
    for (let time = 0; time < 3; time += 1) {
      expect(
        await media.findThumbnail({ url: `${base_url}/mug.jpg`, named_by: 'caller' as const }, 480),
      ).toBeUndefined();
    }
    expect(requests).toBe(1);
  });

  it('goes through the guarded connect', async () => {
    let requests = 0;
    const { base_url } = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const { media } = await makeMedia({ egress_allow_cidrs: [] });
    expect(
      await media.findThumbnail({ url: `${base_url}/mug.jpg`, named_by: 'caller' as const }, 480),
    ).toBeUndefined();
    expect(requests).toBe(0);
  });
});

describe('the folder of thumbnails', () => {
  it('loses files older than a given time, and remains of a write that crashed', async () => {
    const sample = await makeMedia();
    const { media, dir } = sample;
    const old = await keepFixture(sample, 'photo-01.jpg');
    await media.findThumbnail(old, 160);
    const folder = join(dir, 'thumbnails');
    for (const name of await readdir(folder)) await utimes(join(folder, name), 1_000, 1_000);
    await media.findThumbnail(await keepFixture(sample, 'photo-02.jpg'), 160);
    expect(await media.sweepThumbnails(new Date(2_000_000))).toBe(3);
    expect(await readdir(folder)).toHaveLength(3);
    expect(await media.findThumbnail(old, 160)).toBeDefined();
  });

  it('keeps to its size limit: the oldest are deleted first', async () => {
    const sample = await makeMedia({ thumbnail_limit_bytes: 8_000 });
    const { media, dir } = sample;
    const folder = join(dir, 'thumbnails');
    for (let number = 1; number <= 9; number += 1) {
      for (const name of await readdir(folder).catch(() => [])) {
        const { mtimeMs } = await stat(join(folder, name));
        await utimes(join(folder, name), 0, mtimeMs / 1000 - 60);
      }
      await media.findThumbnail(await keepFixture(sample, `photo-0${number}.jpg`), 160);
    }
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(4_000);
    expect(total).toBeLessThanOrEqual(8_800);
  });
});

it('a thumbnail is retried immediately if no place to download was free', async () => {
  const { media, dir } = await makeMedia();
  const places = [new MediaError('busy', 'As many files are fetched as may be at a time.'), undefined];
  const thumbnails = createThumbnails({
    decodeLimit: pLimit(1),
    thumbnail_dir: join(dir, 'others'),
    limit_bytes: 1_000_000,
    stageBlob: () => Promise.resolve(undefined),
    turnPhoto: () => Promise.resolve({ problem: 'no_library' }),
    async fetchFile() {
      const refusal = places.shift();
      if (refusal) throw refusal;
      return media.stage(Readable.from([await readFile(fixture('mug-front.jpg'))]), LIMIT);
    },
  });
  const source = { url: 'https://shop.example/mug.jpg', named_by: 'caller' } as const;
  expect(await thumbnails.find(source, 160)).toBeUndefined();
  expect(readWebp((await thumbnails.find(source, 160))?.bytes)).toMatchObject({ width: 160 });
});
