import { afterAll, beforeAll } from 'vitest';
import { createBucketBlobs } from '../../src/blobs/index.js';
import { systemClock } from '../../src/world/clock.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { makeMedia } from '../media/sample.js';
import { startBucketServer, type BucketServer } from './bucket_server.js';
import { openBucket } from './open_bucket.js';
import { describeBlobs } from './suite.js';

let server: BucketServer;
beforeAll(async () => {
  server = await startBucketServer();
});
afterAll(() => server.close());

describeBlobs('a folder', () => makeMedia());

let prefixes = 0;
describeBlobs('a bucket', () => {
  prefixes += 1;
  const { bucket } = openBucket(server, `suite/${prefixes}`);
  return makeMedia({}, () => createBucketBlobs(bucket, { clock: systemClock, randomness: systemRandomness }));
});
