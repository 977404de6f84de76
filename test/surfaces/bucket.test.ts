import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { openAddon } from '../../src/sqlite.js';
import { startBucketServer, type BucketServer, type SeenRequest } from '../blobs/bucket_server.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { buildMug, fixturePath, startService, TARGETS } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

const PREFIX = 'shop/files';
const ALWAYS = { times: 1_000 };
const isFile = ({ path }: SeenRequest) => path.includes('/blobs/');
const isPut = (request: SeenRequest) => request.method === 'PUT' && isFile(request);
const isRead = (request: SeenRequest) => request.method === 'GET' && isFile(request);

let server: BucketServer;
let dashboard: TestDashboard;
let key: string;
let faces: Record<'REST' | 'MCP', Face>;

beforeAll(async () => {
  server = await startBucketServer();
  dashboard = await startDashboard(server.toSettings(PREFIX));
  ({ key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test'));
  faces = { REST: openRest(dashboard.url, key), MCP: await openMcpHttp(dashboard.url, key) };
  await faces.REST.call('stores_list');
});
afterEach(() => server.heal());
afterAll(async () => {
  await faces.MCP.close();
  await dashboard.close();
  await server.close();
});

async function call(face: Face, id: string, input: Output): Promise<Output> {
  const answer = await face.call(id, input);
  if (!answer.ok) throw new Error(`${id}: ${JSON.stringify(answer.error)}`);
  return answer.output;
}

async function send(face: Face, name: string, type = 'image') {
  const file = (await readFile(fixturePath(name))).toString('base64');
  return face.call('file_upload', { type, file, filename: name });
}

async function upload(face: Face, name: string, type = 'image'): Promise<{ url: string }> {
  const answer = await send(face, name, type);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return { url: String(answer.output['url']) };
}

/** The photos and videos the marketplace received, and whether each matches its hash. */
function listReceived(): { sha256: string; is_whole: boolean }[] {
  const db = openAddon(join(dashboard.service.data_dir, 'sandbox.db'), { readonly: true });
  const rows = db.prepare<[], { sha256: string; bytes: Buffer }>('SELECT sha256, bytes FROM blobs').all();
  db.close();
  return rows.map(({ sha256, bytes }) => ({
    sha256,
    is_whole: createHash('sha256').update(bytes).digest('hex') === sha256,
  }));
}

/** The hashes of the uploads that the service stores. */
function listKept(): string[] {
  const db = openAddon(join(dashboard.service.data_dir, 'service.db'), { readonly: true });
  const rows = db.prepare<[], { sha256: string }>('SELECT sha256 FROM uploads').all();
  db.close();
  return rows.map(({ sha256 }) => sha256);
}

describe('files in a bucket', () => {
  it('reach the marketplace intact over REST and MCP when the bucket fails now and then', async () => {
    const seeded = new Set(listReceived().map(({ sha256 }) => sha256));
    server.fail({ kind: 'lose_answer' }, { when: isPut });
    server.fail({ kind: 'truncate' }, { times: 2, when: isRead });
    server.fail({ kind: 'status', status: 503, code: 'SlowDown' }, { when: isRead });
    const images = [
      await upload(faces.REST, 'photo-01.jpg'),
      await upload(faces.MCP, 'photo-02.jpg'),
      await upload(faces.MCP, 'mug-detail.png'),
    ];
    const videos = [await upload(faces.REST, 'clip.mp4', 'video')];
    const mug = buildMug([TARGETS.clay, TARGETS.linen], { images, videos });
    const draft = await call(faces.MCP, 'listing_create', { ...mug, state: 'draft' });
    const { listing_pk } = draft as { listing_pk: number };
    const published = await call(faces.REST, 'listing_publish', { listing_pk, state: 'active' });
    expect(published).toMatchObject({
      status: 'completed',
      results: [{ status: 'ok' }, { status: 'ok' }],
    });
    const received = listReceived().filter(({ sha256 }) => !seeded.has(sha256));
    expect(received.every(({ is_whole }) => is_whole)).toBe(true);
    expect(received.map(({ sha256 }) => sha256).toSorted()).toEqual(listKept().toSorted());
    expect(received).toHaveLength(4);
    const folders = await readdir(dashboard.service.data_dir);
    expect(folders).not.toContain('blobs');
  });

  it('have thumbnails', async () => {
    const { url } = await upload(faces.REST, 'photo-03.jpg');
    const { core } = dashboard.service.app;
    const picture = await core.thumbnails.find(dashboard.account_id, { upload_url: url }, 160);
    expect(picture?.content_type).toBe('image/webp');
  });
});

describe.each(['REST', 'MCP'] as const)('a bucket that fails, over %s', (name) => {
  it.each([
    [403, 'AccessDenied', 'The service has no permission to use the bucket that holds its files.'],
    [404, 'NoSuchBucket', "The bucket that holds the service's files does not exist."],
    [503, 'SlowDown', "The bucket that holds the service's files does not respond, or limits requests."],
  ])('is reported, and no partial file is stored: %i %s', async (status, code, message) => {
    const before = listKept();
    server.fail({ kind: 'status', status, code }, ALWAYS);
    expect(await send(faces[name], 'photo-04.jpg')).toMatchObject({
      error: {
        code: 'INTERNAL',
        status: 500,
        message,
        hint: expect.stringMatching(/repeat the request/i) as unknown,
      },
    });
    expect(listKept()).toEqual(before);
    expect(await readdir(join(dashboard.service.data_dir, 'staging'))).toEqual([]);
  });

  it('sends no partial photo, and the job finishes later', async () => {
    const images = [await upload(faces[name], name === 'REST' ? 'photo-05.jpg' : 'photo-06.jpg')];
    const draft = await call(faces[name], 'listing_create', {
      ...buildMug([TARGETS.clay], { images }),
      state: 'draft',
    });
    const received = listReceived();
    server.fail({ kind: 'damage' }, { ...ALWAYS, when: isRead });
    const failed = await call(faces[name], 'listing_publish', {
      listing_pk: draft['listing_pk'],
      state: 'active',
    });
    expect(JSON.stringify(failed)).toContain('A stored file is missing or was changed.');
    expect(listReceived()).toEqual(received);
    server.heal();
    const finished = await call(faces[name], 'listing_publish', {
      listing_pk: draft['listing_pk'],
      state: 'active',
    });
    expect(finished).toMatchObject({ status: 'completed', results: [{ status: 'ok' }] });
    expect(listReceived()).toHaveLength(received.length + 1);
  });
});

it('a bucket failure is answered over REST with the time to retry', async () => {
  server.fail({ kind: 'status', status: 503, code: 'SlowDown' }, ALWAYS);
  const form = new FormData();
  form.set('type', 'image');
  form.set('file', new Blob([await readFile(fixturePath('photo-07.jpg'))]), 'a.jpg');
  const answer = await fetch(`${dashboard.url}/api/v1/uploads`, {
    method: 'POST',
    headers: { 'x-service-api-key': key },
    body: form,
  });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, '10']);
});

it('the service is not ready while the bucket refuses requests', async () => {
  server.fail({ kind: 'status', status: 403, code: 'AccessDenied' }, ALWAYS);
  const answer = await fetch(`${dashboard.url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    {
      status: 'not ready',
      reasons: [expect.stringMatching(/^The bucket s3:\/\/photos\/shop\/files at .+ may not do this/)],
    },
  ]);
  server.heal();
  const { data_dir } = dashboard.service;
  const environment = { DATA_DIR: data_dir, LOG_LEVEL: 'silent', ...server.toSettings(PREFIX) };
  const second = await compose(loadConfig({}, environment), { is_http: false });
  expect(await second.service.listTroubles()).toEqual([]);
  await second.close();
});

it("the service refuses to start with another installation's prefix, or without a bucket", async () => {
  const stranger = { ...server.toSettings(PREFIX), MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
  await expect(startService(stranger)).rejects.toThrow(
    /^BLOB_STORE s3:\/\/photos\/shop\/files at .+ contains the files of another installation/,
  );
  const nowhere = { ...server.toSettings(PREFIX), BLOB_STORE: 's3://nowhere' };
  await expect(startService(nowhere)).rejects.toThrow(/^There is no bucket s3:\/\/nowhere at /);
});
