import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEnvironment, openMcpHttp, startServe, type Served } from '../surfaces/faces.js';
import { IS_WHOLE } from '../whole.js';
import { LIMIT_BYTES, type Target, uploadLarge } from './large_upload.js';

/* The largest file, and one byte more, through the built program: streamed to disk, never held in memory. */

const STARTS = IS_WHOLE ? 5 : 1;
const SETTLE_MS = 1_500;
const MIB = 1024 * 1024;
const MAX_RISE_BYTES = 64_000_000;

type Fresh = { served: Served; data_dir: string; stop: () => Promise<void> };

/** Resolves once the start is over, including background loading. */
async function start(): Promise<Fresh> {
  const data_dir = await mkdtemp(join(tmpdir(), 'upload-memory-'));
  const served = await startServe(buildEnvironment(data_dir));
  let before: number;
  do {
    before = readMemory(served, 'VmRSS');
    await new Promise((done) => setTimeout(done, SETTLE_MS));
  } while (Math.abs(readMemory(served, 'VmRSS') - before) > MIB / 4);
  return {
    served,
    data_dir,
    async stop() {
      await served.stop();
      await rm(data_dir, { recursive: true });
    },
  };
}

const toRest = ({ url, key }: Served): Target => ({
  url: `${url}/api/v1/uploads`,
  headers: { 'x-service-api-key': key },
});

/** A one-time address, as given to an assistant. */
async function toLink({ url, key }: Served): Promise<Target> {
  const mcp = await openMcpHttp(url, key);
  const answer = await mcp.call('file_upload', { filename: 'large.gif' });
  await mcp.close();
  if (!answer.ok) throw new Error(answer.error.message);
  return { url: String(answer.output['upload_url']) };
}

function readMemory({ process }: Served, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${String(process.pid)}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

/** The highest increase of resident memory above its start, in bytes. */
async function measureRise(served: Served, run: () => Promise<unknown>): Promise<number> {
  // Resets the peak to the current use.
  writeFileSync(`/proc/${String(served.process.pid)}/clear_refs`, '5');
  const before = readMemory(served, 'VmRSS');
  await run();
  return readMemory(served, 'VmHWM') - before;
}

async function listFiles(data_dir: string): Promise<string[]> {
  const folders = ['staging', 'blobs'].map((name) => join(data_dir, name));
  const lists = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])),
  );
  return lists.flat().flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

describe.runIf(existsSync('/proc/self/clear_refs'))('an upload of 100 MB', () => {
  it.each([
    ['over REST', (served: Served) => Promise.resolve(toRest(served)), 'form'],
    ['to a one-time address', toLink, 'form'],
    ['to a one-time address, as the body itself', toLink, 'bare'],
  ] as const)(
    'raises resident memory by at most 64 MB, %s, as the first call and later',
    async (way, toTarget, shape) => {
      const rises: number[] = [];
      for (let time = 0; time < STARTS; time += 1) {
        const { served, stop } = await start();
        for (const _call of ['first', 'second']) {
          const target = await toTarget(served);
          rises.push(await measureRise(served, () => uploadLarge(target, LIMIT_BYTES, shape)));
        }
        await stop();
      }
      const shown = rises.map((rise) => (rise / MIB).toFixed(1)).join(', ');
      process.stdout.write(`100 MB ${way} raise resident memory by ${shown} MiB\n`);
      expect(Math.max(...rises)).toBeLessThanOrEqual(MAX_RISE_BYTES);
    },
  );
});

describe('the largest file', () => {
  let fresh: Fresh;
  beforeAll(async () => {
    fresh = await start();
  });
  afterAll(() => fresh.stop());

  it('is stored', async () => {
    expect(await uploadLarge(toRest(fresh.served), LIMIT_BYTES)).toMatchObject({
      status: 200,
      body: { size: LIMIT_BYTES, content_type: 'image/gif', filename: 'large.gif' },
    });
  });

  it.each([
    ['over REST, at its end', toRest, 'form'],
    ['over REST, before a form that never ends', toRest, 'endless form'],
    ['at a one-time address', toLink, 'bare'],
  ] as const)('is refused with one byte more %s, and leaves no file', async (_way, toTarget, shape) => {
    const before = await listFiles(fresh.data_dir);
    const answered = await uploadLarge(await toTarget(fresh.served), LIMIT_BYTES + 1, shape);
    expect(answered).toEqual({
      status: 400,
      body: {
        error: {
          code: 'FILE_TOO_LARGE',
          status: 400,
          message: 'file: is larger than 100 MB',
          hint: 'Send a file of at most 100 MB.',
          docs: expect.any(String),
        },
      },
    });
    expect(await listFiles(fresh.data_dir)).toEqual(before);
  });
});
