import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UploadResult } from '../../schemas/upload.js';
import { buildGrid } from '../media/heif.js';
import { fixturePath, type TestService } from '../service.js';
import { BOTH, startBoth, type Caller } from './both_faces.js';

/* The handling of photos that are sent, over REST and over MCP. */

let both: Awaited<ReturnType<typeof startBoth>>;
let service: TestService;
beforeAll(async () => {
  both = await startBoth();
  ({ service } = both);
});
afterAll(() => both.close());

const paint = (alpha: number): Sharp =>
  sharp({ create: { width: 40, height: 30, channels: 4, background: { r: 200, g: 40, b: 40, alpha } } });

describe.each(BOTH)('over %s', (name) => {
  let api: Caller;
  beforeAll(() => {
    api = both[name];
  });

  const keep = (bytes: Buffer, filename: string) =>
    api.call<UploadResult>('file_upload', { file: bytes.toString('base64'), filename });
  const refuse = async (bytes: Buffer, filename: string, type = 'image') =>
    (await api.refuse('file_upload', { file: bytes.toString('base64'), filename, type })).message;

  describe('a photo with transparent parts', () => {
    const reason =
      'The photo was given a white background, because the marketplace shows transparent parts in black.';
    it.each([
      ['a PNG with an alpha channel', 'mug.png', () => paint(0).png().toBuffer()],
      ['a PNG with a transparent color', 'mug.png', () => paint(0).png({ palette: true }).toBuffer()],
      ['a GIF with one frame', 'mug.gif', () => paint(0).gif().toBuffer()],
    ])('is put on white as a JPEG, and the answer says so: %s', async (_what, filename, build) => {
      const sent = await keep(await build(), filename);
      expect(sent).toMatchObject({
        content_type: 'image/jpeg',
        filename: 'mug.jpg',
        warnings: [{ code: 'photo_changed', level: 'note', fields: ['file'], reason }],
      });
      const { account_id } = await service.app.core.accounts.getDefault();
      const sha256 = (await service.app.core.uploads.findByUrl(account_id, sent.url ?? ''))?.sha256 ?? '';
      const kept = await readFile(join(service.data_dir, 'blobs', sha256.slice(0, 2), sha256.slice(2)));
      expect([...(await sharp(kept).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
    });

    it.each([
      ['a PNG whose alpha channel hides nothing', 'mug.png', () => paint(1).png().toBuffer()],
      ['an animated GIF', 'mug.gif', () => readFile(fixturePath('animation.gif'))],
    ])(
      'is kept unchanged if nothing is transparent or if frames would be lost: %s',
      async (_what, filename, build) => {
        const bytes = await build();
        const sent = await keep(bytes, filename);
        expect(sent).toMatchObject({ filename, size: bytes.length });
        expect(sent.warnings).toBeUndefined();
      },
    );

    it('has both changes reported when it is also converted from another format', async () => {
      expect(await keep(await paint(0).webp().toBuffer(), 'mug.webp')).toMatchObject({
        warnings: [
          {
            reason:
              'The photo was converted from WebP to JPEG and given a white background, because the marketplace shows transparent parts in black.',
          },
        ],
      });
    });
  });

  it('the answer says that only the first frame of an animated WebP is kept', async () => {
    const animation = await sharp(fixturePath('animation.gif'), { animated: true }).webp().toBuffer();
    expect(await keep(animation, 'mug.webp')).toMatchObject({
      warnings: [
        {
          reason: 'The photo was converted from WebP to JPEG. Only the first frame of the animation is kept.',
        },
      ],
    });
  });

  it('a TIFF is named as such wherever its directory is', async () => {
    const tiff = await sharp(fixturePath('photo-01.jpg')).tiff({ compression: 'none' }).toBuffer();
    expect(await refuse(tiff, 'mug.tif')).toBe('file: is image/tiff; send a JPG, PNG, or GIF');
  });

  it.each([
    ['image', 'mug.jpg', '<!DOCTYPE html><html><head><title>mug.jpg - Google Drive</title>'],
    ['image', 'mug.jpg', '\u{feff}\n<!-- saved -->\n<HTML lang="en">'],
    ['video', 'mug.mp4', '<!doctype html>\n<html>'],
    ['digital', 'pattern.pdf', '<!DOCTYPE html><html class="maestro">'],
  ])(
    'a web page sent as %s is refused, and the error says how to get the link of the file',
    async (type, filename, page) => {
      const bytes = Buffer.from(`${page}${' '.repeat(200)}`);
      expect(await refuse(bytes, filename, type)).toMatch(
        /^file: is a web page, not the file itself; .*Google Drive: .*uc\?export=download.*Dropbox: .*dl=1/,
      );
    },
  );

  describe('a hostile photo', () => {
    it('is refused by the number of pixels to decode, not by its canvas', async () => {
      const grid = await buildGrid({ canvas: 64, tiles: 484 });
      expect(grid.length).toBeLessThan(60_000);
      expect(await refuse(grid, 'grid.heic')).toMatch(/^file: is a HEIC photo with too many pixels/);
    });

    it('does not make a photo of another account wait for everything else the sender sends', async () => {
      const { accounts } = service.app.core;
      const { account_id } = await accounts.create(`another over ${name}`);
      const large = await readFile(fixturePath('large.heic'));
      const done: string[] = [];
      const wait = ['one', 'two', 'three', 'four'].map(async (name) => {
        await keep(large, `${name}.heic`);
        done.push(name);
      });
      await service.invoke(
        'file_upload',
        { file: (await readFile(fixturePath('phone.webp'))).toString('base64'), filename: 'other.webp' },
        { caller: { account_id, credential: 'local', credential_id: 'test' } },
      );
      expect(done.length).toBeLessThan(2);
      await Promise.all(wait);
    });
  });
});
