import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClient } from '../harness/clients.mjs';
import { openMarketplace } from '../harness/marketplace.mjs';
import { alternate } from '../harness/numbers.mjs';
import { shareOneCore, timeCalls } from '../harness/processes.mjs';

/*
 * Processor time of one listing_create with ten images of a megabyte, all threads of the service together,
 * with its marketplace in another process. Compared with undici in a separate process, making the same calls
 * to the same marketplace with its own FormData; and (for information) with the minimum they take, with
 * bodies framed manually. Each round is several listings, because the garbage of one is collected with the
 * next. Both are measured after many, as in a service that has been up for a while: marketplace calls are
 * rare, so V8 keeps compiling their code until about the three hundredth listing, and each takes a tenth more
 * until then. All share one core, because the cost of waking another depends on the machine.
 */

const ROUNDS = 60;
const CALLS = 10;
const CALLS_BEFORE = 400;
const IMAGES = 10;
const IMAGE_BYTES = 1_000_000;
/** Marketplace calls: more than all rounds make. */
const MANY = 1_000_000;
const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
const MUG = {
  title: 'Stoneware mug',
  description: 'A mug.',
  taxonomy_id: 1062,
  price: 24.5,
  quantity: 4,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
};

export async function measure({ is_quick }) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-photos-'));
  const paths = await Promise.all(
    Array.from({ length: IMAGES }, (_, index) => drawPhoto(folder, String(index + 1).padStart(2, '0'))),
  );
  const marketplace = await openMarketplace(1, folder, { rate_per_day: MANY });
  const images = [];
  for (const path of paths) images.push({ url: (await marketplace.invoke('file_upload', { path })).url });
  const [{ token, ...shop }] = marketplace.shops;
  const listing = { ...MUG, listing_type: 'physical' };
  const asked = {
    url: marketplace.url,
    headers: { 'x-api-key': marketplace.api_key, authorization: `Bearer ${token}` },
    shop,
    listing: MUG,
    paths,
    image_bytes: IMAGE_BYTES,
  };
  const client = await startClient('publish.mjs', asked);
  const by_hand = await startClient('publish.mjs', { ...asked, is_by_hand: true });
  const publish = () => marketplace.publish({ state: 'publish', shops: [shop], listing, images });
  const giveBack = shareOneCore([marketplace.pid, client.pid, by_hand.pid]);
  const calls_before = is_quick ? CALLS : CALLS_BEFORE;
  await timeCalls(calls_before, publish);
  await client.run(calls_before);
  await by_hand.run(calls_before);
  const { ours, alone, least } = await alternate(ROUNDS, {
    ours: () => timeCalls(CALLS, publish),
    alone: () => client.run(CALLS),
    least: () => by_hand.run(CALLS),
  });
  giveBack();
  await Promise.all([client.stop(), by_hand.stop()]);
  await marketplace.close();
  await rm(folder, { recursive: true });
  const what = `listing_create, 1 shop × ${IMAGES} images of 1 MB: processor time`;
  const rest = { unit: 'ms CPU', ours };
  return [
    { what, against: 'undici alone making the calls', reference: alone, target: { most: 4 }, ...rest },
    { what, against: 'undici, bodies framed by hand', reference: least, target: {}, ...rest },
  ];
}

/** A photo enlarged to the wanted size by repeating its last lines. */
async function drawPhoto(folder, number) {
  const photo = await readFile(join(FIXTURES, `photo-${number}.jpg`));
  // 0xff would start a marker.
  const lines = randomBytes(IMAGE_BYTES - photo.length).map((byte) => Math.min(byte, 0xfe));
  const path = join(folder, `photo-${number}.jpg`);
  await writeFile(path, Buffer.concat([photo.subarray(0, -2), lines, photo.subarray(-2)]));
  return path;
}
