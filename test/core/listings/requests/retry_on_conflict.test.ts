import { describe, expect, it } from 'vitest';
import { ListingChangedError } from '../../../../src/core/ports/index.js';
import { retryOnConflict } from '../../../../src/core/listings/requests/repeats.js';

describe('a call whose listing changes in the meantime', () => {
  it.each([
    ['something else was quicker', () => Promise.resolve('again' as const)],
    ['the listing was another one', () => Promise.reject(new ListingChangedError('it was changed'))],
  ])('gives up after some attempts if each time %s', async (_, run) => {
    let attempts = 0;
    const answer = retryOnConflict<object>(() => {
      attempts += 1;
      // Otherwise endless attempts would hang this process.
      return attempts > 100 ? Promise.resolve({}) : run();
    });
    await expect(answer).rejects.toMatchObject({ code: 'LISTING_BUSY', hint: 'Call again in a moment.' });
    expect(attempts).toBe(5);
  });

  it('is answered by the first attempt that finds the listing unchanged', async () => {
    const outcomes: ('again' | { job_id: string })[] = ['again', 'again', { job_id: 'job_1' }];
    expect(await retryOnConflict(() => Promise.resolve(outcomes.shift() ?? 'again'))).toEqual({
      job_id: 'job_1',
    });
  });

  it('waits for as many jobs as its deadline allows', async () => {
    const outcomes = Array.from({ length: 8 }, () => ['again', 'waited'] as const).flat();
    const run = () => Promise.resolve(outcomes.shift() ?? { job_id: 'job_1' });
    expect(await retryOnConflict<object>(run)).toEqual({ job_id: 'job_1' });
  });
});
