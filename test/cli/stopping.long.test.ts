import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fixturePath, TARGETS } from '../service.js';
import { buildEnvironment, openRest, startServe } from '../surfaces/faces.js';

it('a call that runs when the process is stopped is answered in full, no new call is accepted, and the process exits with 0', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'stopping-'));
  onTestFinished(() => rm(data_dir, { recursive: true }));
  const served = await startServe(buildEnvironment(data_dir, { SANDBOX_LATENCY_MS: '300' }));
  const face = openRest(served.url, served.key);
  const file = (await readFile(fixturePath('mug-front.jpg'))).toString('base64');
  const uploaded = await face.call('file_upload', { type: 'image', file, filename: 'mug.jpg' });
  const publishing = face.call('listing_create', {
    state: 'publish',
    shops: [TARGETS.clay],
    listing: {
      title: 'Last mug of the day',
      description: 'Thrown by hand.',
      listing_type: 'physical',
      taxonomy_id: 1062,
      price: 24.5,
      quantity: 4,
    },
    images: [{ url: uploaded.ok ? uploaded.output['url'] : '' }],
  });
  const findStatus = async () => {
    const listed = await face.call('listings_list');
    return listed.ok ? (listed.output['listings'] as { status: string }[])[0]?.status : undefined;
  };
  await expect.poll(findStatus, { timeout: 20_000 }).toBe('processing');

  const ended = served.stop();
  await expect
    .poll(
      () =>
        fetch(`${served.url}/healthz`).then(
          () => 'let in',
          () => 'refused',
        ),
      { timeout: 20_000 },
    )
    .toBe('refused');
  expect(await publishing).toMatchObject({
    ok: true,
    output: { status: 'completed', results: [{ status: 'ok', images: [{ rank: 1 }] }] },
  });
  expect(await ended).toBe(0);
}, 120_000);
