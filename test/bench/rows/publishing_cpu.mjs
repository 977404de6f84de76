import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { openMarketplace } from '../harness/marketplace.mjs';
import { alternate } from '../harness/numbers.mjs';
import { startReference } from '../harness/processes.mjs';

/*
 * Processor time of one listing_create with ten images of a megabyte, all threads of the service together, its marketplace in
 * another process. Beside it the least that sending them takes: undici alone, streaming the same files to a server that
 * answers at once.
 */

const ROUNDS = 15;
const IMAGES = 10;
const IMAGE_BYTES = 1_000_000;
const MOST_MS = 25;
const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
const MUG = {
  title: 'Stoneware mug',
  description: 'A mug.',
  listing_type: 'physical',
  taxonomy_id: 1062,
  price: 24.5,
  quantity: 4,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
};

export async function measure() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-photos-'));
  const paths = await Promise.all(
    Array.from({ length: IMAGES }, (_, index) => drawPhoto(folder, String(index + 1).padStart(2, '0'))),
  );
  const marketplace = await openMarketplace(1, folder);
  const images = [];
  for (const path of paths) images.push({ url: (await marketplace.invoke('file_upload', { path })).url });
  const [{ token: _token, ...shop }] = marketplace.shops;
  const answer = join(folder, 'answer.json');
  await writeFile(answer, '{}');
  const receiver = await startReference('http.mjs', answer);
  const pool = new Pool(receiver.url, { connections: 1 });
  const { ours, alone } = await alternate(ROUNDS, {
    ours: () =>
      measureCpu(() => marketplace.publish({ state: 'publish', shops: [shop], listing: MUG, images })),
    alone: () => measureCpu(() => postAll(pool, paths)),
  });
  await pool.close();
  await receiver.stop();
  await marketplace.close();
  await rm(folder, { recursive: true });
  return [
    {
      what: `listing_create, 1 shop × ${IMAGES} images of 1 MB: processor time`,
      against: `${MOST_MS} ms`,
      unit: 'ms CPU',
      ours,
      reference: ours.map(() => MOST_MS),
      target: { most: 1 },
      beside: { name: 'undici alone sending the files', values: alone },
    },
  ];
}

/** A photo made as large as is wanted by what its last lines hold. */
async function drawPhoto(folder, number) {
  const photo = await readFile(join(FIXTURES, `photo-${number}.jpg`));
  // 0xff would begin a marker.
  const lines = randomBytes(IMAGE_BYTES - photo.length).map((byte) => Math.min(byte, 0xfe));
  const path = join(folder, `photo-${number}.jpg`);
  await writeFile(path, Buffer.concat([photo.subarray(0, -2), lines, photo.subarray(-2)]));
  return path;
}

async function postAll(pool, paths) {
  for (const path of paths) {
    const boundary = randomUUID();
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n`;
    const tail = `\r\n--${boundary}--\r\n`;
    const { size } = await stat(path);
    const { body } = await pool.request({
      method: 'POST',
      path: '/',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(head.length + size + tail.length),
      },
      body: wrap(head, createReadStream(path), tail),
    });
    await body.text();
  }
}

async function* wrap(head, file, tail) {
  yield Buffer.from(head);
  yield* file;
  yield Buffer.from(tail);
}

/** Milliseconds of all threads of this process. */
async function measureCpu(run) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
