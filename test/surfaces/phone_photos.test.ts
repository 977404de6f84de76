import type { ListingJobResult, Warning } from '../answers.js';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UploadResult } from '../../schemas/upload.js';
import { createHttpFace } from '../../src/transports/index.js';
import { buildMug, fixturePath, startService, TARGETS, type TestService } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/*
 * Photos from phones and websites (WebP, AVIF and HEIC) are converted to JPEG once, on arrival: the stored
 * file is the file that is sent, also on a retry.
 */

const FACES: Record<string, (url: string, key: string) => Promise<Face>> = {
  REST: async (url, key) => openRest(url, key),
  'MCP over HTTP': openMcpHttp,
};
const PHOTOS = [
  ['phone.heic', 'HEIC', [64, 96]],
  ['phone.webp', 'WebP', [64, 96]],
  ['phone.avif', 'AVIF', [96, 64]],
] as const;

const listChanged = (warnings: readonly Warning[] = []) =>
  warnings.filter(({ code }) => code === 'photo_changed');

describe.each(Object.keys(FACES))('over %s', (name) => {
  let service: TestService;
  let http: Awaited<ReturnType<typeof createHttpFace>>;
  let face: Face;
  let server: Server;
  let origin: string;
  let requests: string[] = [];
  let count = 0;

  beforeAll(async () => {
    service = await startService();
    http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
    const { account_id } = await service.app.core.accounts.getDefault();
    const { key } = await service.app.core.accounts.createKey(account_id, name);
    face = await (FACES[name] as (typeof FACES)[string])(`http://127.0.0.1:${http.port}`, key);
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      void readFile(fixturePath((request.url ?? '').slice(1))).then((bytes) => response.end(bytes));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await face.close();
    await http.close(1_000);
    await service.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  async function call<Result>(id: string, input: Output): Promise<Result> {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.output as Result;
  }

  async function send(fixture: string, filename: string): Promise<UploadResult> {
    const file = (await readFile(fixturePath(fixture))).toString('base64');
    return call<UploadResult>('file_upload', { file, filename, type: 'image' });
  }

  const build = (urls: string[], more: Output = {}) => {
    count += 1;
    const mug = buildMug([TARGETS.clay], { images: urls.map((url) => ({ url })), state: 'publish', ...more });
    return { ...mug, listing: { ...mug.listing, title: `Number ${count}` } };
  };

  async function readKept(url = ''): Promise<{ bytes: Buffer; sha256: string }> {
    const { account_id } = await service.app.core.accounts.getDefault();
    const sha256 = (await service.app.core.uploads.findByUrl(account_id, url))?.sha256 ?? '';
    const path = join(service.data_dir, 'blobs', sha256.slice(0, 2), sha256.slice(2));
    return { bytes: await readFile(path), sha256 };
  }

  it.each(PHOTOS)(
    'an upload of %s is stored as a JPEG, and the answer says so',
    async (fixture, format, size) => {
      const sent = await send(fixture, `IMG_0001.${format}`);
      const answered = `The photo was converted from ${format} to JPEG.`;
      expect(sent).toMatchObject({
        content_type: 'image/jpeg',
        filename: 'IMG_0001.jpg',
        note: expect.stringContaining(`${answered} Kept until`) as string,
        warnings: [{ code: 'photo_changed', level: 'note', fields: ['file'], reason: answered }],
      });
      expect(sent.url).toMatch(/\/IMG_0001\.jpg$/);
      const { bytes } = await readKept(sent.url);
      expect(bytes.length).toBe(sent.size);
      const { format: kept, width, height, exif } = await sharp(bytes).metadata();
      expect([kept, width, height, exif]).toEqual(['jpeg', ...size, undefined]);
    },
  );

  it('the same photo uploaded twice is one file, so the same listing created twice is one listing', async () => {
    const [one, other] = [await send('phone.heic', 'a.heic'), await send('phone.heic', 'a.heic')];
    expect((await readKept(one.url)).sha256).toBe((await readKept(other.url)).sha256);
    const body = build([one.url ?? '']);
    const first = await call<ListingJobResult>('listing_create', body);
    const again = await call<ListingJobResult>('listing_create', { ...body, images: [{ url: other.url }] });
    expect(again.job_id).toBe(first.job_id);
  });

  it('photos given by URL are converted too, as the dry run and the result report', async () => {
    const urls = PHOTOS.map(([fixture]) => `${origin}/${fixture}`);
    const warnings = PHOTOS.map(([, format], index) => ({
      code: 'photo_changed',
      level: 'note',
      fields: [`images[${index}].url`],
      reason: `The photo was converted from ${format} to JPEG.`,
    }));
    const body = build(urls);
    const checked = await call<ListingJobResult>('listing_create', { ...body, dry_run: true });
    expect(listChanged(checked.warnings as Warning[])).toEqual(warnings);
    const { results } = await call<ListingJobResult>('listing_create', body);
    expect(results).toMatchObject([{ status: 'ok', images: [{ rank: 1 }, { rank: 2 }, { rank: 3 }] }]);
    expect(listChanged(results?.[0]?.warnings as Warning[])).toEqual(warnings);
  });

  it('a photo converted for one job is sent again by the next without another conversion', async () => {
    await service.control('POST', '/faults', {
      rules: [
        { operation: 'uploadListingImage', times: 20, action: { type: 'status', status: 400, body: {} } },
      ],
    });
    requests = [];
    const first = await call<ListingJobResult>('listing_create', build([`${origin}/phone.webp`]));
    await service.control('DELETE', '/faults');
    const { listing_pk } = first;
    const again = await call<ListingJobResult>('listing_publish', { listing_pk, state: 'publish' });
    expect(again.results).toMatchObject([{ status: 'ok', images: [{ rank: 1 }] }]);
    expect(requests).toEqual(['/phone.webp']);
    expect(listChanged(again.results?.[0]?.warnings as Warning[])).toHaveLength(1);
  });

  it('an update reports the conversion too', async () => {
    const { listing_pk } = await call<ListingJobResult>(
      'listing_create',
      build([(await send('photo-01.jpg', 'a.jpg')).url ?? '']),
    );
    const changes = { images: [{ url: `${origin}/phone.heic` }] };
    const updated = await call<ListingJobResult>('listing_update', { listing_pk, changes });
    expect(updated.results).toMatchObject([{ status: 'ok' }]);
    expect(listChanged(updated.results?.[0]?.warnings as Warning[])).toMatchObject([
      { fields: ['changes.images[0].url'], reason: 'The photo was converted from HEIC to JPEG.' },
    ]);
  });
});
