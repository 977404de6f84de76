import { onTestFinished } from 'vitest';
import { createBucket, type Bucket, type BucketOptions } from '../../src/blobs/index.js';
import { systemClock } from '../../src/world/clock.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { createTestLog, type TestLog } from '../store/ports.js';
import { BUCKET_KEY, type BucketServer } from './bucket_server.js';

type Options = Partial<Omit<BucketOptions, 'place'>> & { place?: Partial<BucketOptions['place']> };
type OpenBucket = (
  server: Pick<BucketServer, 'url'>,
  prefix: string,
  options?: Options,
) => { bucket: Bucket; log: TestLog };

/** A bucket under a prefix, closed after the test. */
export const openBucket: OpenBucket = (...args) => {
  const opened = openLastingBucket(...args);
  onTestFinished(() => opened.bucket.close());
  return opened;
};

/** The same, closed by the caller. Pauses between two attempts are omitted. */
export function openLastingBucket(
  { url }: Pick<BucketServer, 'url'>,
  prefix: string,
  { place = {}, ...options }: Options = {},
): { bucket: Bucket; log: TestLog } {
  const log = createTestLog();
  const bucket = createBucket({
    place: {
      ...BUCKET_KEY,
      bucket: 'photos',
      prefix,
      endpoint: url,
      region: 'us-east-1',
      is_path_style: true,
      ...place,
    },
    user_agent: 'listing-service-test/1',
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    randomness: systemRandomness,
    log,
    ...options,
  });
  return { bucket, log };
}
