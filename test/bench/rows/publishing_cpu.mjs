import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClient } from '../harness/clients.mjs';
import { openMarketplace } from '../harness/marketplace.mjs';
import { alternate } from '../harness/numbers.mjs';
import { shareOneCore, timeCalls } from '../harness/processes.mjs';

/*
 * Processor time of one listing_create with ten images of a megabyte, all threads of the service together, its marketplace in
 * another process. Beside it undici alone, in a process of its own, making the same calls to the same marketplace with its own FormData;
 * and, told only, the least that they take, with bodies that are framed by hand. Each round is several listings, since the garbage of one is collected with the next; and both come after many,
 * as in a service that has been up for a while: a call of the marketplace is seldom, so that V8 goes on compiling what makes it
 * until about the three hundredth listing, which takes a tenth more until then. All share one core, since what it costs to wake
 * another is a matter of the machine.
 */

const ROUNDS = 60;
const CALLS = 10;
const CALLS_BEFORE = 400;
const IMAGES = 10;
const IMAGE_BYTES = 1_000_000;
/** Calls of the marketplace: more than all rounds make. */
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

/** A photo made as large as is wanted by what its last lines hold. */
async function drawPhoto(folder, number) {
  const photo = await readFile(join(FIXTURES, `photo-${number}.jpg`));
  // 0xff would begin a marker.
  const lines = randomBytes(IMAGE_BYTES - photo.length).map((byte) => Math.min(byte, 0xfe));
  const path = join(folder, `photo-${number}.jpg`);
  await writeFile(path, Buffer.concat([photo.subarray(0, -2), lines, photo.subarray(-2)]));
  return path;
}
