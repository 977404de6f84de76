import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, TARGETS } from '../service.js';
import {
  buildEnvironment,
  openMcpHttp,
  openRest,
  startServe,
  type Answer,
  type Face,
  type Served,
} from '../surfaces/faces.js';
import { startCaller } from './caller.js';

/*
 * Some callers fill uploads, memory, download places and the disk. Each is told the limit, and all others are
 * answered throughout. The long run (npm run test:hardening) does more of everything, and prints figures.
 */

const IS_LONG = process.env['HARDENING_CONNECTIONS'] !== undefined;
const MANY = IS_LONG ? 400 : 60;
/** One account may use half of the 128 MB for bodies: more than that arrive at once. */
const BODIES = IS_LONG ? 400 : 120;
const MOST_OF_BODIES = 64_000_000;
/** A caller that keeps sending long after it was refused may be cut off before it reads why. */
const UPLOADS = 60;
const MEGABYTE = 1_000_000;

let data_dir: string;
let isMounted: boolean;
let served: Served;
let rest: Face;
beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'fills-'));
  // A disk of its own, which only an administrator can mount; otherwise the disk is not filled.
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=80m,mode=0700', 'tmpfs', data_dir]).status === 0;
  served = await startServe(buildEnvironment(data_dir, { LOG_LEVEL: 'silent' }));
  rest = openRest(served.url, served.key);
});
afterAll(async () => {
  await served.stop();
  if (isMounted) spawnSync('umount', [data_dir]);
  await rm(data_dir, { recursive: true, force: true });
});

async function readFigure(name: string): Promise<number> {
  const text = await (await fetch(`${served.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/**
 * The results of many calls: `ok` or the error's code; also checks that a well-behaved caller noticed
 * nothing.
 */
async function endure(
  name: string,
  attack: () => Promise<Answer[]>,
  more: () => Promise<object> = async () => ({}),
) {
  const caller = startCaller(served.url, served.key);
  const answers = await attack();
  const { failed, ...figures } = await caller.stop();
  const outcomes: Record<string, number> = {};
  for (const answer of answers) {
    const outcome = answer.ok ? 'ok' : answer.error.code;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  if (IS_LONG) {
    const reported = { ...figures, failed: failed.length, outcomes, ...(await more()) };
    process.stdout.write(`${name}: ${JSON.stringify(reported)}\n`);
  }
  expect(failed).toEqual([]);
  expect(figures.answered).toBeGreaterThan(0);
  return outcomes;
}

const callMany = (call: (n: number) => Promise<Answer>, count = MANY) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

it('many large drafts at once do not delay a well-behaved caller', { timeout: 120_000 }, async () => {
  const mcp = await openMcpHttp(served.url, served.key);
  const outcomes = await endure('drafts', () =>
    callMany((n) => {
      const { listing, ...mug } = buildMug([TARGETS.clay]);
      const description = `${n} ${'words '.repeat(10_000)}`;
      return (n % 2 ? mcp : rest).call('listing_create', { ...mug, listing: { ...listing, description } });
    }),
  );
  await mcp.close();
  expect(outcomes).toEqual({ ok: MANY });
});

it('bodies that never end do not delay a well-behaved caller', { timeout: 120_000 }, async () => {
  const before = await readFigure('process_resident_memory_bytes');
  const part = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(900_000, 'x')]);
  let taken = 0;
  let refused = 0;
  await endure(
    'bodies',
    async () => {
      const sockets = Array.from({ length: BODIES }, () => {
        const socket = connect(Number(new URL(served.url).port), '127.0.0.1').on('error', () => undefined);
        socket.on('data', (answer) => (refused += answer.toString().startsWith('HTTP/1.1 429') ? 1 : 0));
        socket.write(
          `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-API-Key: ${served.key}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`,
        );
        socket.write(part);
        return socket;
      });
      await expect
        .poll(() => refused, { timeout: 20_000 })
        .toBeGreaterThanOrEqual(BODIES - MOST_OF_BODIES / part.length - 1);
      taken = await readFigure('listing_service_body_bytes');
      for (const socket of sockets) socket.destroy();
      return [];
    },
    async () => ({
      refused,
      taken_bytes: taken,
      memory_grown_bytes: (await readFigure('process_resident_memory_bytes')) - before,
    }),
  );
  expect(taken).toBeGreaterThan(0.6 * MOST_OF_BODIES);
  expect(taken).toBeLessThanOrEqual(MOST_OF_BODIES);
  await expect.poll(() => readFigure('listing_service_body_bytes'), { timeout: 10_000 }).toBe(0);
});

it('photos that arrive slowly do not delay a well-behaved caller', { timeout: 120_000 }, async () => {
  const photo = await readFile(join(import.meta.dirname, '../fixtures/mug-front.jpg'));
  let open = 0;
  let most = 0;
  const server = createServer((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => (open -= 1));
    setTimeout(() => response.end(photo), 100);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const outcomes = await endure(
    'fetches',
    () =>
      callMany((n) => {
        const images = [{ url: `http://127.0.0.1:${port}/${n}.jpg` }];
        const mug = buildMug([TARGETS.clay], { images, dry_run: true, state: 'publish' });
        return rest.call('listing_create', mug);
      }),
    () => Promise.resolve({ most_at_a_time: most }),
  );
  server.close();
  // One account may use half of the 16 places.
  expect(most).toBe(8);
  expect((outcomes['ok'] ?? 0) + (outcomes['RATE_LIMIT_SECOND'] ?? 0)).toBe(MANY);
});

it('endless uploads to a small disk do not delay a well-behaved caller', { timeout: 120_000 }, async () => {
  const outcomes = await endure(
    'uploads',
    () =>
      callMany(
        () =>
          rest.call('file_upload', {
            type: 'digital',
            filename: 'words.txt',
            file: Buffer.from(randomBytes(MEGABYTE).toString('hex')).toString('base64'),
          }),
        UPLOADS,
      ),
    async () => ({ free_bytes: await getFree() }),
  );
  const { ok = 0, INTERNAL = 0 } = outcomes;
  expect(ok).toBeGreaterThan(0);
  expect(ok + INTERNAL).toBe(UPLOADS);
  if (!isMounted) return;
  // Two megabytes each: no more than the disk had room for.
  expect(ok).toBeLessThanOrEqual(36);
  // A tenth of the disk stays free of files.
  expect(await getFree()).toBeGreaterThan(6 * MEGABYTE);
  // The database has room: a draft is deleted if there is one, and another saved.
  const { output } = (await rest.call('listings_list', { limit: 1 })) as Extract<Answer, { ok: true }>;
  for (const { listing_pk } of output['listings'] as { listing_pk: number }[]) {
    expect(await rest.call('listing_delete', { listing_pk })).toMatchObject({ ok: true });
  }
  expect(await rest.call('listing_create', buildMug([TARGETS.clay]))).toMatchObject({ ok: true });
});

async function getFree(): Promise<number> {
  const { bavail, bsize } = await statfs(data_dir);
  return bavail * bsize;
}
