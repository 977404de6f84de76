import { describe, expect, it } from 'vitest';
import { ListingChangedError } from '../../../../src/core/ports/index.js';
import { lookAgain } from '../../../../src/core/listings/requests/repeats.js';

describe('a call whose listing changes in the meantime', () => {
  it.each([
    ['something else was quicker', () => Promise.resolve('again' as const)],
    ['the listing was another one', () => Promise.reject(new ListingChangedError('it was changed'))],
  ])('gives up after some attempts if each time %s', async (_, run) => {
    let looks = 0;
    const answer = lookAgain<object>(() => {
      looks += 1;
      // Otherwise endless attempts would hang this process.
      return looks > 100 ? Promise.resolve({}) : run();
    });
    await expect(answer).rejects.toMatchObject({ code: 'LISTING_BUSY', hint: 'Call again in a moment.' });
    expect(looks).toBe(5);
  });

  it('is answered by the first attempt that finds the listing unchanged', async () => {
    const looks: ('again' | { job_id: string })[] = ['again', 'again', { job_id: 'job_1' }];
    expect(await lookAgain(() => Promise.resolve(looks.shift() ?? 'again'))).toEqual({ job_id: 'job_1' });
  });

  it('waits for as many jobs as its deadline allows', async () => {
    const looks = Array.from({ length: 8 }, () => ['again', 'waited'] as const).flat();
    const run = () => Promise.resolve(looks.shift() ?? { job_id: 'job_1' });
    expect(await lookAgain<object>(run)).toEqual({ job_id: 'job_1' });
  });
});
