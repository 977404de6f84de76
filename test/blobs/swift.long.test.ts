import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimBlobs, createBucketBlobs, createBucketMarker, tryBucket } from '../../src/blobs/index.js';
import { systemClock } from '../../src/world/clock.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { makeMedia } from '../media/sample.js';
import { openBucket, openLastingBucket } from './open_bucket.js';
import { describeBlobs } from './suite.js';
import { hasSwift, startSwift, SWIFT_KEY, type Swift } from './swift.js';

const isHere = hasSwift();
if (!isHere) {
  process.stderr.write(
    '\nNOT RUN: the tests of a bucket on OpenStack Swift, since it is not installed. Debian has it:\n' +
      'apt-get install swift swift-account swift-container swift-object swift-proxy memcached\n\n',
  );
}

/**
 * An S3 implementation independent of ours and of the other tests' small server; it checks signatures itself.
 */
describe.runIf(isHere)('OpenStack Swift', () => {
  let swift: Swift | undefined;
  beforeAll(async () => {
    swift = await startSwift();
    const { bucket } = openLastingBucket(swift, '', { place: SWIFT_KEY });
    await bucket.send({ method: 'PUT' });
    await bucket.close();
  });
  afterAll(() => swift?.close());

  const getSwift = (): Swift => {
    if (!swift) throw new Error('it has started');
    return swift;
  };

  let prefixes = 0;
  const open = () => {
    prefixes += 1;
    return openBucket(getSwift(), `suite/${prefixes}`, { place: SWIFT_KEY }).bucket;
  };

  describeBlobs('a bucket of Swift', () => {
    const bucket = open();
    return makeMedia({}, () =>
      createBucketBlobs(bucket, { clock: systemClock, randomness: systemRandomness }),
    );
  });

  it('checks signatures', async () => {
    const { bucket } = openBucket(getSwift(), 'x', { place: { ...SWIFT_KEY, secret_access_key: 'wrong' } });
    await expect(tryBucket(bucket, 'a')).rejects.toMatchObject({ code: 'BLOBS_REFUSED' });
    await expect(tryBucket(open(), 'a')).resolves.toBeUndefined();
  });

  it('compares received bytes with the hash', async () => {
    const body = { size_bytes: 2, sha256: 'a'.repeat(64), open: () => Readable.from([Buffer.from('ok')]) };
    await expect(open().send({ method: 'PUT', key: 'x', body })).rejects.toThrow(/400/);
  });

  it('lets one installation claim a prefix, even of two at the same moment', async () => {
    const bucket = open();
    const claims = ['acct_a', 'acct_b'].map((id) => claimBlobs(createBucketMarker(bucket), id));
    const ended = await Promise.allSettled(claims);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('returns pages of a listing, ranges and a large file', async () => {
    const bucket = open();
    const { media, blobs } = await makeMedia({}, () =>
      createBucketBlobs(bucket, { clock: systemClock, randomness: systemRandomness }),
    );
    const bytes = randomBytes(20_000_000);
    const { sha256 } = await blobs.put(
      await media.stage(Readable.from([bytes]), { limit_bytes: bytes.length }),
    );
    expect((await buffer((await blobs.open(sha256))?.stream ?? Readable.from([]))).equals(bytes)).toBe(true);
    const { text } = await bucket.send({
      method: 'GET',
      query: { 'list-type': '2', prefix: `${bucket.prefix}/blobs/` },
    });
    const key = /<Key>[^<]*?(blobs\/[^<]+)<\/Key>/.exec(text)?.[1] ?? '';
    const rest = await buffer((await bucket.read(key, 19_999_990)) ?? Readable.from([]));
    expect(rest.equals(bytes.subarray(19_999_990))).toBe(true);
    for (let count = 0; count < 1_010; count += 1) {
      await bucket.send({
        method: 'PUT',
        key: `blobs/${count.toString(16).padStart(64, '0')}/x`,
        body: { size_bytes: 0, sha256: EMPTY, open: () => Readable.from([]) },
      });
    }
    expect(await blobs.list(new Date(Date.now() + 60_000))).toHaveLength(1_011);
  }, 120_000);
});

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
