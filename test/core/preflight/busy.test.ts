import { expect, it } from 'vitest';
import { createMediaChecker } from '../../../src/core/listings/preflight/media.js';
import type { Uploads } from '../../../src/core/uploads/uploads.js';
import { makeMedia, serve } from '../../media/sample.js';

it('names a file whose turn does not come in time, and says when to retry', async () => {
  const { base_url, server } = await serve(() => undefined);
  const { media, blobs, listStaged } = await makeMedia({ max_fetches: 1, fetch_patience_ms: 50 });
  const limits = { named_by: 'caller' as const, owner: 'another', limit_bytes: 100, deadline_ms: 10_000 };
  const held = media.fetchFile(`${base_url}/held`, limits).catch(() => 'ended');
  const images = ['a', 'b'].map((name) => ({ url: `${base_url}/${name}.jpg` }));
  // No uploads are used here.
  const checker = createMediaChecker(media, blobs, {
    findRecords: async () => new Map(),
  } as unknown as Uploads);
  await expect(checker.check({ images }, 'acc_1', [])).rejects.toMatchObject({
    code: 'RATE_LIMIT_SECOND',
    status: 429,
    retry_after_seconds: 20,
    message:
      'images[0].url: could not be processed yet: the service is already processing as many files as it can; try again in a moment',
  });
  server.closeAllConnections();
  expect(await held).toBe('ended');
  expect(await listStaged()).toEqual([]);
});
