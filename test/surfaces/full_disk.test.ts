import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { buildMug, fixturePath, TARGETS } from '../service.js';
import { openMcpHttp, openRest, type Face } from './faces.js';

const MORE_THAN_ANY_DISK = 1e15;
const MESSAGE = "The disk that holds the service's data is full.";

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
let photo: Buffer;
beforeAll(async () => {
  photo = await readFile(fixturePath('mug-front.jpg'));
  dashboard = await startDashboard({}, { min_free_bytes: MORE_THAN_ANY_DISK });
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { rest: openRest(dashboard.url, key), mcp: await openMcpHttp(dashboard.url, key) };
});
afterAll(async () => {
  await faces.mcp.close();
  await dashboard.close();
});

it('an upload to a full disk is refused with a clear error on every face', async () => {
  const input = { type: 'image', file: photo.toString('base64'), filename: 'mug.jpg' };
  for (const face of Object.values(faces)) {
    const answer = await face.call('file_upload', input);
    expect(answer).toMatchObject({
      error: { code: 'INTERNAL', status: 500, message: `file: ${MESSAGE}` },
    });
    expect(JSON.stringify(answer)).toContain('uploads stop when less than 100 MB is free');
  }
  const link = await faces.mcp.call('file_upload', { type: 'image' });
  const path = new URL(String(link.ok && link.output['upload_url'])).pathname;
  const sent = await fetch(dashboard.url + path, { method: 'POST', body: new Uint8Array(photo) });
  expect(await sent.json()).toMatchObject({ error: { code: 'INTERNAL', message: `file: ${MESSAGE}` } });
});

it('a photo that cannot be downloaded because the disk is full is named, and everything that needs no room succeeds', async () => {
  const server = createServer((_request, response) => response.end(photo));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const images = ['a', 'b', 'c'].map((name) => ({ url: `http://127.0.0.1:${port}/${name}.jpg` }));
  const mug = buildMug([TARGETS.clay], { images });
  for (const face of Object.values(faces)) {
    const answer = await face.call('listing_create', { ...mug, state: 'publish' });
    expect(answer).toMatchObject({ error: { code: 'INTERNAL', message: `images[0].url: ${MESSAGE}` } });
    expect(await face.call('listing_create', mug)).toMatchObject({ ok: true, output: { status: 'draft' } });
  }
  server.close();
});

it('the service reports that it is not ready while the disk is full, and why', async () => {
  const answer = await fetch(`${dashboard.url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { status: 'not ready', reasons: ['the disk of DATA_DIR is full: files must leave its last 100 MB free'] },
  ]);
  expect((await fetch(`${dashboard.url}/healthz`)).status).toBe(200);
});
