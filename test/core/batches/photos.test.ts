import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import { fixturePath, startService } from '../../service.js';
import { finish, readListings, makeJob, type Made } from '../listings/update/rig.js';
import { makeListings, openBatches } from './rig.js';

const ENVIRONMENT = { MAX_ACTIVATIONS_PER_DAY: 'unlimited' };

let server: Server;
let origin: string;
const requests: (string | undefined)[] = [];
beforeAll(async () => {
  server = createServer(({ url }, response) => {
    requests.push(url);
    if (url !== '/photo-09.jpg') return void response.writeHead(404).end();
    void readFile(fixturePath('photo-09.jpg')).then((bytes) => response.end(bytes));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('fetches a photo once for all listings, even across a restart during planning', async () => {
  let service = await startService(ENVIRONMENT);
  onTestFinished(() => service.close());
  const made = (await makeListings(service, 2)) as [Made, Made];
  const tags = { fields: { tags: ['oat'] } };
  const { job_id } = await makeJob(service, made[0], { kind: 'change', changes: tags, on_drift: 'refuse' });
  const select = { listing_pks: made.map(({ listing_pk }) => listing_pk) };
  const value = [{ url: `${origin}/photo-09.jpg`, alt_text: 'New' }];
  const edits = [{ field: 'images', op: 'prepend', value }];
  requests.length = 0;
  const { batch_id } = await service.call<BatchAnswer>('batch_create', { select, edits }, { wait_ms: 0 });
  const { account_id } = await service.app.core.accounts.getDefault();
  const findNewest = async () =>
    (await service.app.store.uploads.listUploads(account_id, { limit: 1, offset: 0 })).items[0]?.filename;
  await expect.poll(findNewest).toBe('photo-09.jpg');
  const { data_dir } = service;
  await service.close({ keep: true });
  service = await startService(ENVIRONMENT, { data_dir });
  await finish(service, job_id);
  const batches = openBatches(service);
  const planned = await batches.follow({ batch_id }, 'planned');
  expect(planned.counts).toMatchObject({ changed: 4, refused: 0 });
  const done = await batches.start(planned);
  expect(done.counts).toMatchObject({ ok: 4, error: 0 });
  const photos = (await Promise.all(made.map((one) => readListings(service, one)))).flat();
  const texts = photos.map((listing) => listing?.images.map(({ alt_text }) => alt_text));
  expect(texts).toEqual(Array.from({ length: 4 }, () => ['New', 'Photo 1']));
  expect(requests).toEqual(['/photo-09.jpg']);
});

it('refuses each item and names the photo if one could not be fetched, and requests it once', async () => {
  const service = await startService(ENVIRONMENT);
  onTestFinished(() => service.close());
  const made = await makeListings(service, 2);
  const value = [`${origin}/photo-09.jpg`, `${origin}/gone.jpg`];
  requests.length = 0;
  const { items = [] } = await openBatches(service).plan(made, [{ field: 'images', op: 'append', value }]);
  const refused = { code: 'file_fetch_failed', field: 'edits[0].value[1]' };
  expect(items).toHaveLength(4);
  for (const { status, issues } of items) {
    expect([status, issues]).toMatchObject(['refused', [refused]]);
  }
  expect(requests).toEqual(['/photo-09.jpg', '/gone.jpg']);
});
