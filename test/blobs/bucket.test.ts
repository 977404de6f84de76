import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  claimBlobs,
  createBucketBlobs,
  createBucketMarker,
  createFolderMarker,
  tryBucket,
  type Bucket,
} from '../../src/blobs/index.js';
import type { Blobs, StagedFile } from '../../src/core/ports/index.js';
import { systemClock } from '../../src/world/clock.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { makeFolder, makeMedia } from '../media/sample.js';
import { startBucketServer, type BucketFault, type BucketServer, type SeenRequest } from './bucket_server.js';
import { openBucket } from './open_bucket.js';

const bytes = randomBytes(1_500_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');

let server: BucketServer;
beforeAll(async () => {
  server = await startBucketServer();
});
afterEach(() => {
  server.heal();
  server.setPageSize(1_000);
});
afterAll(() => server.close());

let prefixes = 0;

async function open({ days_ahead = 0, timeout_ms = 60_000 } = {}) {
  prefixes += 1;
  const prefix = `bucket/${prefixes}`;
  const { bucket, log } = openBucket(server, prefix, { timeout_ms });
  const clock = { ...systemClock, now: () => new Date(Date.now() + days_ahead * 86_400_000) };
  const { media, blobs } = await makeMedia({}, () =>
    createBucketBlobs(bucket, { clock, randomness: systemRandomness }),
  );
  const stage = (content = bytes): Promise<StagedFile> =>
    media.stage(Readable.from([content]), { limit_bytes: content.length });
  return { bucket, prefix, log, blobs, stage };
}

const read = async (blobs: Blobs) => buffer((await blobs.open(sha256))?.stream ?? Readable.from([]));
const isPut = ({ method }: SeenRequest) => method === 'PUT';
const isRead = ({ method, query }: SeenRequest) => method === 'GET' && query === '';

describe('a bucket that fails for a moment', () => {
  it.each<BucketFault>([
    { kind: 'status', status: 503, code: 'SlowDown' },
    { kind: 'status', status: 500, code: 'InternalError' },
    { kind: 'reset' },
    { kind: 'lose_answer' },
  ])('stores a file anyway: $kind $code', async (fault) => {
    const { blobs, stage, log } = await open();
    server.fail(fault, { times: 2, when: isPut });
    await blobs.put(await stage());
    expect((await read(blobs)).equals(bytes)).toBe(true);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(2);
    expect(await blobs.list(new Date(Date.now() + 60_000))).toEqual([sha256]);
  });

  it.each<BucketFault>([
    { kind: 'truncate' },
    { kind: 'reset' },
    { kind: 'status', status: 503, code: 'SlowDown' },
  ])('returns a complete file anyway: $kind', async (fault) => {
    const { blobs, stage } = await open();
    await blobs.put(await stage());
    server.seen.length = 0;
    server.fail(fault, { times: 2, when: isRead });
    expect((await read(blobs)).equals(bytes)).toBe(true);
    const ranges = server.seen.filter(isRead).map(({ range }) => range);
    expect(ranges).toHaveLength(3);
    // Bytes that have arrived are not requested again.
    const resumed = ranges.map((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''));
    expect(resumed).toEqual(fault.kind === 'truncate' ? [false, true, true] : [false, false, false]);
  });

  it('is not waited for forever', async () => {
    const { blobs, stage } = await open({ timeout_ms: 300 });
    await blobs.put(await stage());
    server.fail({ kind: 'stall' });
    server.fail({ kind: 'status', status: 503, code: 'SlowDown' }, { times: 100 });
    await expect(blobs.open(sha256)).rejects.toMatchObject({ code: 'BLOBS_UNAVAILABLE' });
  });
});

describe('a bucket that fails permanently', () => {
  it("never returns another file's bytes, or part of a file as if it were complete", async () => {
    const { blobs, stage } = await open();
    await blobs.put(await stage());
    for (const [kind, code] of [
      ['damage', 'BLOBS_DAMAGED'],
      ['truncate', 'BLOBS_UNAVAILABLE'],
    ] as const) {
      server.heal();
      server.fail({ kind }, { times: 100, when: isRead });
      let read_bytes = 0;
      const readAll = async () => {
        for await (const piece of (await blobs.open(sha256))?.stream ?? []) read_bytes += piece.length;
      };
      await expect(readAll()).rejects.toMatchObject({ code });
      expect(read_bytes).toBeLessThan(bytes.length);
    }
  });

  it.each([
    [{ access_key_id: 'nobody' }, 'BLOBS_REFUSED', 'does not know the key in S3_ACCESS_KEY_ID'],
    [
      { secret_access_key: 'wrong' },
      'BLOBS_REFUSED',
      'S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID',
    ],
    [{ bucket: 'nowhere' }, 'BLOBS_MISSING', 'There is no bucket s3://nowhere/x at http://127.0.0.1'],
    [{ endpoint: 'http://127.0.0.1:1' }, 'BLOBS_UNAVAILABLE', 'does not answer (ECONNREFUSED)'],
  ])('is reported with the cause: %j', async (place, code, words) => {
    const { bucket } = openBucket(server, 'x', { place });
    const blobs = createBucketBlobs(bucket, { clock: systemClock, randomness: systemRandomness });
    const message: unknown = expect.stringContaining(words);
    await expect(blobs.open(sha256)).rejects.toMatchObject({ code, message });
    await expect(tryBucket(bucket, 'a')).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/tried by writing/) as unknown,
    });
  });

  it('is asked once if it refuses, and a few times if it asks for a pause', async () => {
    const { blobs } = await open();
    server.fail({ kind: 'status', status: 403, code: 'AccessDenied' }, { times: 100 });
    server.seen.length = 0;
    await expect(blobs.open(sha256)).rejects.toThrow('may not do this (403 AccessDenied)');
    expect(server.seen).toHaveLength(1);
    server.heal();
    server.fail({ kind: 'status', status: 503, code: 'SlowDown' }, { times: 100 });
    await expect(blobs.open(sha256)).rejects.toThrow('not available now (503 SlowDown)');
    expect(server.seen).toHaveLength(5);
  });
});

describe('a bucket', () => {
  it('refuses a request that is not signed for its body', async () => {
    const { bucket } = await open();
    const body = { size_bytes: 2, sha256, open: () => Readable.from([Buffer.from('ok')]) };
    await expect(bucket.send({ method: 'PUT', key: 'x', body })).rejects.toThrow('XAmzContentSHA256Mismatch');
  });

  it('is listed page by page', async () => {
    const { blobs, stage } = await open();
    const kept: string[] = [];
    for (const text of ['a', 'b', 'c', 'd', 'e'])
      kept.push((await blobs.put(await stage(Buffer.from(text)))).sha256);
    server.setPageSize(2);
    server.seen.length = 0;
    expect((await blobs.list(new Date(Date.now() + 60_000))).toSorted()).toEqual(kept.toSorted());
    expect(server.seen).toHaveLength(3);
  });

  it('is not sent bytes again that were sent today; older ones are sent again, and the old object is deleted', async () => {
    const today = await open();
    await today.blobs.put(await today.stage());
    await today.blobs.put(await today.stage());
    expect(await listKeys(today.bucket)).toHaveLength(1);
    const [old] = await listKeys(today.bucket);
    const clock = { ...systemClock, now: () => new Date(Date.now() + 2 * 86_400_000) };
    const later = createBucketBlobs(today.bucket, { clock, randomness: systemRandomness });
    const reading = (await later.open(sha256))?.stream;
    await later.put(await today.stage());
    const left = await listKeys(today.bucket);
    expect([left.length, left[0] === old]).toEqual([1, false]);
    // A reader that had found the old one reads the new one.
    expect((await buffer(reading ?? Readable.from([]))).equals(bytes)).toBe(true);
  });

  it('keeps a file that was put again while a sweep was removing it', async () => {
    const { blobs, stage, bucket } = await open();
    await blobs.put(await stage());
    const clock = { ...systemClock, now: () => new Date(Date.now() + 2 * 86_400_000) };
    const later = createBucketBlobs(bucket, { clock, randomness: systemRandomness });
    const staged = await stage();
    // Both have looked before either of them acts.
    const [gone] = await Promise.all([
      blobs.delete(sha256, new Date(Date.now() + 60_000)),
      later.put(staged),
    ]);
    expect(gone).toBe(true);
    expect((await read(blobs)).equals(bytes)).toBe(true);
  });

  it('can be addressed by host name', async () => {
    const { bucket } = openBucket(server, 'x', {
      place: { endpoint: 'http://localhost:1', is_path_style: false },
    });
    await expect(bucket.send({ method: 'GET', key: 'a' })).rejects.toThrow('ENOTFOUND');
  });
});

describe('a place for blobs', () => {
  it.each(['bucket', 'folder'])('belongs to the installation that claimed it first: %s', async (kind) => {
    const { bucket } = await open();
    const folder = await makeFolder();
    const marker = kind === 'bucket' ? createBucketMarker(bucket) : createFolderMarker(folder);
    await claimBlobs(marker, 'acct_first');
    await claimBlobs(marker, 'acct_first');
    await expect(claimBlobs(marker, 'acct_second')).rejects.toThrow(
      /^BLOB_STORE .+ contains the files of another installation \(acct_first\)/,
    );
  });

  it('can be claimed if the server does not support conditional requests', async () => {
    const { bucket } = await open();
    server.fail({ kind: 'status', status: 501, code: 'NotImplemented' }, { when: isPut });
    await claimBlobs(createBucketMarker(bucket), 'acct_first');
    expect(await createBucketMarker(bucket).read()).toBe('acct_first');
  });
});

async function listKeys(bucket: Bucket): Promise<string[]> {
  const { text } = await bucket.send({
    method: 'GET',
    query: { 'list-type': '2', prefix: `${bucket.prefix}/blobs/` },
  });
  return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
}
