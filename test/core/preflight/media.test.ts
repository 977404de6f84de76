import type { ListingJobResult } from '../../answers.js';
import { readFile, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAddon } from '../../../src/sqlite.js';
import { buildMug, fixturePath, listTargets, startService, upload, type TestService } from '../../service.js';

/*
 * Every file is fetched and checked before anything is written, and a refused request leaves nothing: no row,
 * no bytes.
 */

let service: TestService;
let clay: object;
let server: Server;
let origin: string;
let requests: string[] = [];

beforeAll(async () => {
  service = await startService();
  [clay = {}] = await listTargets(service);
  await service.call('listing_schema', { category_id: 1062 });
  server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    if (path === '/huge.jpg') {
      response.writeHead(200, { 'content-length': 100 * 1024 * 1024 + 1 }).write('GIF89a');
      return;
    }
    void answer(path).then(({ status, body }) =>
      response.writeHead(status, { 'content-length': body.length }).end(body),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await service.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
beforeEach(() => {
  requests = [];
});

/** Fixtures by name, and a few responses that no fixture gives. */
async function answer(path: string): Promise<{ status: number; body: Buffer }> {
  const name = path.slice(1).split('?')[0] ?? '';
  if (name === 'missing.jpg') return { status: 404, body: Buffer.from('gone') };
  if (name === 'page.jpg') return { status: 200, body: Buffer.from('<!doctype html><title>Log in</title>') };
  if (name === 'empty.jpg') return { status: 200, body: Buffer.alloc(0) };
  if (name === 'wide.png') return { status: 200, body: await buildPng(20_001, 4_000) };
  if (name === 'large.png') return { status: 200, body: await buildPng(20_000, 10_001) };
  if (name === 'cut.jpg')
    return { status: 200, body: (await readFile(fixturePath('mug-front.jpg'))).subarray(0, 700) };
  return { status: 200, body: await readFile(fixturePath(name)) };
}

/** A small file whose header declares a picture of this size. */
async function buildPng(width: number, height: number): Promise<Buffer> {
  const png = Buffer.from(await readFile(fixturePath('mug-detail.png')));
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** The number of records, and all stored or partly stored bytes. */
async function look() {
  const database = openAddon(join(service.data_dir, 'service.db'), { readonly: true });
  const tables = [
    'uploads',
    'upload_links',
    'listings',
    'jobs',
    'publications',
    'key_bindings',
    'digest_bindings',
  ];
  const rows = tables.map((table) => [table, database.prepare(`select * from ${table}`).all()]);
  database.close();
  const list = (folder: string) =>
    readdir(join(service.data_dir, folder), { recursive: true }).catch(() => []);
  const { listings } = await service.control<{ listings: unknown[] }>('GET', '/state');
  return { rows, blobs: await list('blobs'), staging: await list('staging'), listings };
}

/** Refused alike for publish, for active and in a dry run, with nothing left behind. */
async function refuse(more: Record<string, unknown>): Promise<string[]> {
  const before = await look();
  const result: string[] = [];
  for (const state of ['publish', 'active']) {
    for (const dry_run of [false, true]) {
      const body = buildMug([clay], {
        images: [{ url: `${origin}/photo-01.jpg` }],
        ...more,
        state,
        dry_run,
        idempotency_key: 'k',
      });
      const { code, message } = await service.refuse('listing_create', body);
      expect(code).toBe('VALIDATION_FAILED');
      result.push(message);
    }
  }
  expect(await look()).toEqual(before);
  expect(new Set(result).size).toBe(1);
  return result[0]?.split('\n') ?? [];
}

describe('images[].url', () => {
  it.each([
    [
      'does not answer',
      'http://127.0.0.1:1/a.jpg',
      'could not be fetched: its server could not be reached or returned no usable response; check that the address opens in a browser without signing in, or upload the file',
    ],
    [
      'is not there',
      '/missing.jpg',
      'could not be fetched: its server answered 404; check that the address opens in a browser without signing in, or upload the file',
    ],
    [
      'leads to a page',
      '/page.jpg',
      "is a web page, not the file itself; use the file's own link (Google Drive: https://drive.google.com/uc?export=download&id=FILE_ID, shared with anyone who has the link; Dropbox: end the link with dl=1), or upload the file",
    ],
    [
      'has a space',
      '/my photo.jpg',
      'could not be fetched: the address contains a space; write the space as %20',
    ],
    [
      'is empty',
      '/empty.jpg',
      'could not be fetched: it is empty; check that the address opens in a browser without signing in, or upload the file',
    ],
    ['is a PDF', '/pattern.pdf', 'is application/pdf; send a JPG, PNG, or GIF'],
    ['is a video', '/clip.mp4', 'is video/mp4; send a JPG, PNG, or GIF'],
    ['only calls itself a photo', '/fake.jpg', 'is of an unknown type; send a JPG, PNG, or GIF'],
    [
      'says that it is wide and has nothing',
      '/wide.png',
      'is damaged, or takes too long to read; save it again, then send the new file',
    ],
    [
      'has too many pixels to be scaled',
      '/large.png',
      'is 20000 × 10001 pixels; at most 20,000 pixels per side and 100 megapixels are allowed',
    ],
    [
      'has a byte more than 100 MB',
      '/huge.jpg',
      'could not be fetched: it is too large; at most 100 MB are allowed',
    ],
    ['is cut off', '/cut.jpg', 'is damaged or incomplete; save it again, then send the new file'],
    [
      'is inside a closed network',
      'http://10.0.0.1/a.jpg',
      'could not be fetched: the address points to a private network or to a port that is not allowed; use a public http or https address, or upload the file and use its service-upload:// url',
    ],
    [
      'carries a password',
      'http://me:secret@127.0.0.1/a.jpg',
      'could not be fetched: the address is not a complete http or https address, or contains a user name and password; use a public http or https address, or upload the file and use its service-upload:// url',
    ],
  ])('is refused if it %s', async (_name, url, message) => {
    const whole = url.startsWith('/') ? origin + url : url;
    expect(await refuse({ images: [{ url: `${origin}/photo-01.jpg` }, { url: whole }] })).toEqual([
      `images[1].url: ${message}`,
    ]);
  });
  it('is reported at every place it is named, and fetched once for all of them', async () => {
    const { message } = await service.refuse(
      'listing_create',
      buildMug([clay], {
        state: 'publish',
        images: [{ url: `${origin}/pattern.pdf` }, { url: `${origin}/pattern.pdf` }],
      }),
    );
    expect(message.split('\n')).toEqual(
      [0, 1].map((index) => `images[${index}].url: is application/pdf; send a JPG, PNG, or GIF`),
    );
    expect(requests).toEqual(['/pattern.pdf']);
  });
  it('is not fetched for a draft', async () => {
    const body = buildMug([clay], { images: [{ url: `${origin}/missing.jpg` }], dry_run: true });
    expect((await service.call<ListingJobResult>('listing_create', body)).status).toBe('valid');
    expect(requests).toEqual([]);
  });
});

describe('videos[].url', () => {
  it.each([
    [
      'lasts too long',
      '/clip-long.mp4',
      /^videos\[0\]\.url: is \d+(\.\d)? seconds long; at most 15 seconds are allowed$/,
    ],
    [
      'is too short',
      '/clip-short.mp4',
      /^videos\[0\]\.url: is 2 seconds long; at least 3 seconds are required$/,
    ],
    [
      'is too small',
      '/clip-small.mp4',
      /^videos\[0\]\.url: is 320 × 240 pixels; the longer side must be at least 500/,
    ],
    ['has sound', '/clip-with-sound.mp4', /^videos\[0\]\.url: has an audio track; remove it$/],
    ['is a picture', '/animation.gif', /^videos\[0\]\.url: is image\/gif; send an MP4 or MOV$/],
    ['is not there', '/missing.jpg', /^videos\[0\]\.url: could not be fetched: its server answered 404; /],
  ])('is refused if it %s', async (_name, path, line) => {
    const lines = await refuse({ videos: [{ url: origin + path }] });
    expect(lines).toEqual([expect.stringMatching(line)]);
  });
});

const refuseFile = (path: string) => {
  const { listing } = buildMug([clay]);
  return refuse({
    listing: { ...listing, listing_type: 'digital', when_made: '2020_2026' },
    digital_files: [{ url: origin + path }],
  });
};

describe('digital_files[].url', () => {
  it('is refused if its type is not one the marketplace accepts', async () => {
    expect(await refuseFile('/picture.webp')).toEqual([expect.stringMatching(/^digital_files\[0\]\.url: /)]);
  });
  it('is refused if it does not exist', async () => {
    expect(await refuseFile('/missing.jpg')).toEqual([
      expect.stringMatching(/^digital_files\[0\]\.url: could not be fetched: its server answered 404; /),
    ]);
  });
});

const GONE = 'refers to an upload that no longer exists; upload the file again and use the new url';

describe('a service-upload:// url', () => {
  it.each([
    'service-upload://upl_unknown/a.jpg',
    'SERVICE-UPLOAD://upl_1/a',
    'service-upload://../../etc/passwd',
    'service-upload://upl_1',
  ])('that does not resolve is refused, also for drafts: %s', async (url) => {
    const line = `images[0].url: ${GONE}`;
    expect(await refuse({ images: [{ url }] })).toEqual([line]);
    const draft = await service.refuse('listing_create', buildMug([clay], { images: [{ url }] }));
    expect(draft.message.split('\n')).toEqual([line]);
  });
  it('whose bytes are gone is refused', async () => {
    const url = await upload(service, 'photo-10.jpg');
    const { account_id } = await service.app.core.accounts.getDefault();
    const found = await service.app.core.uploads.findByUrl(account_id, url);
    const blob = join(
      service.data_dir,
      'blobs',
      found?.sha256.slice(0, 2) ?? '',
      found?.sha256.slice(2) ?? '',
    );
    await rm(blob);
    expect(await refuse({ images: [{ url }], videos: [{ url }] })).toEqual([
      `images[0].url: ${GONE}`,
      `videos[0].url: ${GONE}`,
    ]);
  });
  it('of another account is refused', async () => {
    const url = await upload(service, 'photo-09.jpg');
    const other = await service.app.store.accounts.createAccount('other');
    const caller = { account_id: other.account_id, credential: 'key', credential_id: 'test' } as const;
    const { message } = await service.refuse('listing_create', buildMug([clay], { images: [{ url }] }), {
      caller,
    });
    expect(message.split('\n')).toContain(`images[0].url: ${GONE}`);
  });
  it('of the wrong kind is refused in its field, also for drafts', async () => {
    const pdf = await upload(service, 'pattern.pdf', 'digital');
    const photo = await upload(service, 'photo-02.jpg');
    const clip = await upload(service, 'clip.mp4', 'video');
    const body = { images: [{ url: pdf }, { url: clip }], videos: [{ url: photo }] };
    const lines = [
      'images[0].url: is application/pdf; send a JPG, PNG, or GIF',
      'images[1].url: is video/mp4; send a JPG, PNG, or GIF',
      'videos[0].url: is image/jpeg; send an MP4 or MOV',
    ];
    expect(await refuse(body)).toEqual(lines);
    expect((await service.refuse('listing_create', buildMug([clay], body))).message.split('\n')).toEqual(
      lines,
    );
  });
  it('of a photo uploaded as a digital file is stripped of its location on the way into images[]', async () => {
    const original = await readFile(fixturePath('mug-front.jpg'));
    const url = await upload(service, 'mug-front.jpg', 'digital');
    const { account_id } = await service.app.core.accounts.getDefault();
    const kept = await service.app.core.uploads.findByUrl(account_id, url);
    expect(kept?.size_bytes).toBe(original.length);
    const created = await service.call<ListingJobResult>(
      'listing_create',
      buildMug([clay], { state: 'publish', images: [{ url }] }),
    );
    const { listings } = await service.control<{
      listings: { listing_id: number; images: { sha256: string }[] }[];
    }>('GET', '/state');
    const sent = listings.find(({ listing_id }) => listing_id === created.results?.[0]?.listing_id);
    const asImage = await service.app.core.uploads.findByUrl(
      account_id,
      await upload(service, 'mug-front.jpg'),
    );
    expect(asImage?.sha256).not.toBe(kept?.sha256);
    expect(sent?.images.map(({ sha256 }) => sha256)).toEqual([asImage?.sha256]);
  });
});

describe('another failure', () => {
  it('leaves no fetched file on the disk', async () => {
    await service.control('POST', '/faults', {
      rules: [
        {
          operation: 'getShopSections',
          times: 20,
          action: { type: 'status', status: 400, body: { error: 'no' } },
        },
      ],
    });
    const before = await look();
    const body = buildMug([{ ...clay, shop_section_id: 1 }], {
      state: 'publish',
      images: [{ url: `${origin}/photo-03.jpg` }],
    });
    const { code } = await service.refuse('listing_create', body);
    expect(code).toBe('MARKETPLACE_ERROR');
    await service.control('DELETE', '/faults');
    expect(await look()).toEqual(before);
  });
  it('does not hide a problem with a file: both are reported', async () => {
    const { listing } = buildMug([clay]);
    expect(
      await refuse({ listing: { ...listing, title: 5 }, images: [{ url: `${origin}/pattern.pdf` }] }),
    ).toEqual([
      'listing.title: must be a string, not number',
      'images[0].url: is application/pdf; send a JPG, PNG, or GIF',
    ]);
  });
});
