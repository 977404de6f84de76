import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBlobFolder } from '../../src/blobs/index.js';
import { createMedia } from '../../src/media/index.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { fixturePath } from '../service.js';

type World = {
  listings: {
    state: string;
    images: { rank: number; sha256: string }[];
    inventory: { products: { sku: string }[]; price_on_property: number[] };
    variation_images: { value: string }[];
  }[];
  fees: { amount: number; shop_id: number }[];
};

const run = promisify(execFile);
let data_dir: string;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'listing-demo-test-'));
});
afterAll(() => rm(data_dir, { recursive: true, force: true }));

it('npm run demo ends with two active listings: three photos in order, the whole inventory, one fee each', async () => {
  const demo = join(import.meta.dirname, '..', 'demo', 'demo.mjs');
  // The test runner sets its own BASE_URL.
  const { BASE_URL: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, [demo], { env: { ...env, DATA_DIR: data_dir } });
  expect(stdout).toContain('The job is completed.');
  expect(stdout).toMatch(/ClayAndOak +\d+ +22\.00 USD +0\.20 USD/);
  expect(stdout).toMatch(/NordLinen +\d+ +22\.00 EUR +0\.20 USD/);

  const { listings, fees } = await readWorld();
  expect(listings.map(({ state }) => state)).toEqual(['active', 'active']);
  expect(fees.map(({ amount }) => amount)).toEqual([20, 20]);
  expect(new Set(fees.map(({ shop_id }) => shop_id)).size).toBe(2);
  const expected = await listHashes(['mug-front.jpg', 'mug-side.jpg', 'mug-detail.png']);
  for (const { images, inventory, variation_images } of listings) {
    const ordered = [...images].sort((a, b) => a.rank - b.rank);
    expect(ordered.map(({ sha256 }) => sha256)).toEqual(expected);
    expect(inventory.products.map(({ sku }) => sku)).toEqual([
      'MUG-ESP-OAT',
      'MUG-ESP-SEA',
      'MUG-BRK-OAT',
      '',
    ]);
    expect(inventory.price_on_property).toEqual([513]);
    expect(variation_images.map(({ value }) => value).sort()).toEqual(['Oat', 'Sea']);
  }
}, 60_000);

async function readWorld(): Promise<World> {
  const sandbox = await startSandbox({ database_file: join(data_dir, 'sandbox.db'), control: true });
  try {
    const answer = await fetch(`${sandbox.url}/_sandbox/state`);
    return (await answer.json()) as World;
  } finally {
    await sandbox.close();
  }
}

/** Digests of the sent bytes: the photos without their location metadata. */
async function listHashes(names: readonly string[]): Promise<string[]> {
  const folder = join(data_dir, 'hashes');
  const media = createMedia({
    blobs: createBlobFolder(join(folder, 'blobs')),
    staging_dir: join(folder, 'staging'),
    thumbnail_dir: join(folder, 'thumbnails'),
    egress_allow_cidrs: [],
    user_agent: 'test',
  });
  return Promise.all(
    names.map(async (name) => {
      const staged = await media.stage(createReadStream(fixturePath(name)), { limit_bytes: 1_000_000 });
      const { content_type } = await media.identify(staged.path);
      return (await media.stripLocation(staged, content_type ?? '')).sha256;
    }),
  );
}
