import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createBlobFolder } from '../../src/blobs/index.js';
import type { MediaFile } from '../../src/core/ports/index.js';
import { buildRig, SHOP, type Rig } from './rig.js';

/*
 * Files are sent in pieces, each read once the previous one has left. This server reads them more slowly than
 * they arrive, several at a time, and compares every byte with the file.
 */

const IMAGE = { listing_image_id: 5, url_fullxfull: 'https://i.etsystatic.com/5.jpg', rank: 1 };
const PIECE = 256 * 1024;
/** More than the system buffers for a connection that nobody reads. */
const LARGE = 16_000_000;
/** Around a whole number of pieces, including the bytes before and after the file. */
const SIZES = [0, 1, PIECE - 700, PIECE - 300, PIECE - 100, PIECE, 2 * PIECE - 250, 1_000_000, LARGE];

type Way = 'slowly' | 'refused at once' | 'broken off';

let directory: string;
let server: Server;
let rig: Rig;
let way: Way;
const received = new Set<string>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pieces-'));
  server = createServer((request, response) => {
    void (async () => {
      const status = await take(request);
      if (status === undefined) return;
      response.writeHead(status, { 'content-type': 'application/json', 'x-limit-per-second': '1000' });
      response.end(JSON.stringify(status === 201 ? IMAGE : { error: 'too much' }));
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  rig = buildRig(`http://127.0.0.1:${address.port}`, { upload_timeout_ms: 60_000 });
});
afterAll(async () => {
  await rig.client.close();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await rm(directory, { recursive: true });
});

/** The status to answer with; none if the connection is closed instead. */
async function take(request: IncomingMessage): Promise<number | undefined> {
  if (way === 'refused at once') return 413;
  if (way === 'broken off') {
    request.once('data', () => request.socket.resetAndDestroy());
    return undefined;
  }
  // Until then, the system accepts everything written; later pieces have to wait.
  await sleep(300);
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
    await sleep(1);
  }
  const body = Buffer.concat(chunks);
  const start = body.lastIndexOf('\r\n\r\n', body.indexOf('content-type: image/png') + 40) + 4;
  received.add(hash(body.subarray(start, body.lastIndexOf('\r\n--'))));
  return 201;
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function store(size_bytes: number): Promise<MediaFile & { sha256: string }> {
  const bytes = randomBytes(size_bytes);
  const sha256 = hash(bytes);
  // Each has its own stream, even if two have the same bytes.
  const blobs = createBlobFolder(await mkdtemp(join(directory, 'blobs-')));
  const path = join(directory, randomUUID());
  await writeFile(path, bytes);
  await blobs.put({ path, sha256, size_bytes });
  return {
    open: () => blobs.open(sha256),
    size_bytes,
    filename: 'mug.png',
    content_type: 'image/png',
    sha256,
  };
}

const upload = (file: MediaFile) => rig.client.uploadImage(SHOP, 7, file, { rank: 1 });

async function listOpen(): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(directory));
}

describe('a file that is sent in pieces', () => {
  it('arrives byte for byte, alongside others, at a server that is slower than the disk', async () => {
    way = 'slowly';
    const files = await Promise.all([...SIZES, ...SIZES].map((size) => store(size)));
    await Promise.all(files.map((file) => upload(file)));
    expect(files.filter(({ sha256 }) => !received.has(sha256))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'that is refused or broken off midway is closed, and the next one arrives complete',
    async () => {
      const large = await Promise.all(Array.from({ length: 3 }, () => store(LARGE)));
      for (const bad of ['refused at once', 'broken off'] as const) {
        way = bad;
        const outcomes = await Promise.allSettled(large.map((file) => upload(file)));
        expect(outcomes.map(({ status }) => status)).toEqual(large.map(() => 'rejected'));
        await vi.waitFor(async () => expect(await listOpen()).toEqual([]), { timeout: 30_000 });
        way = 'slowly';
        received.clear();
        await Promise.all(large.map((file) => upload(file)));
        expect(large.filter(({ sha256 }) => !received.has(sha256))).toEqual([]);
      }
    },
  );
});
