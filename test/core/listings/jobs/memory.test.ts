import type { ListingJobResult } from '../../../answers.js';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer, type Server } from '../../../crash/server.js';
import { openWorld, type World } from '../../../crash/world.js';
import { uploadLarge } from '../../../fuzz/large_upload.js';
import { buildMug } from '../../../service.js';

/*
 * Photos are streamed from disk to the marketplace. The built program publishes one in two shops at once, and
 * its memory grows by less than the photo's size: by the chunks not yet collected.
 */

const PHOTO_BYTES = 48_000_000;
const MAX_RISE_BYTES = 40_000_000;

let world: World;
let server: Server;
beforeAll(async () => {
  world = await openWorld();
  server = createServer(world);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

describe.runIf(existsSync('/proc/self/clear_refs'))('a photo of 48 MB', () => {
  it('is never held in memory while it is published', async () => {
    const life = server.start();
    const url = await life.url;
    const headers = { 'x-service-api-key': world.key };
    const publish = async (photo: string): Promise<ListingJobResult> => {
      const body = buildMug(world.stock.targets, { state: 'publish', images: [{ url: photo }] });
      const answer = await fetch(`${url}/api/v1/listings/create`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as ListingJobResult;
    };
    // The first listing also loads code.
    await publish(world.stock.photos[0]?.url ?? '');
    const uploaded = await uploadLarge({ url: `${url}/api/v1/uploads`, headers }, PHOTO_BYTES);
    const { url: image } = uploaded.body as { url: string };

    writeFileSync(`/proc/${life.pid}/clear_refs`, '5');
    const before = readMemory(life.pid, 'VmRSS');
    const { results } = await publish(image);
    const rise = readMemory(life.pid, 'VmHWM') - before;

    expect(results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(rise).toBeLessThan(MAX_RISE_BYTES);
  });
});

function readMemory(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}
