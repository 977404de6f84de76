import { ServiceError } from '../../errors.js';
import { KeyReusedError, ListingChangedError } from '../../ports/index.js';
import { buildReused } from './repeats.js';

/** How often a listing is looked at anew that others change at the same time. */
const MAX_LOOKS = 5;

/**
 * Does it anew where the listing was another one by the time that it was to be changed, or something else was quicker: `again`, or a
 * ListingChangedError. Throws LISTING_BUSY where that was so each time. `waited` begins a new count: another job was followed to its
 * end, which the deadline of the call bounds.
 */
export async function lookAgain<Answer>(run: () => Promise<Answer | 'again' | 'waited'>): Promise<Answer> {
  for (let look = 1; look <= MAX_LOOKS; look += 1) {
    try {
      const answer = await run();
      if (answer === 'waited') look = 0;
      else if (answer !== 'again') return answer;
    } catch (cause) {
      if (cause instanceof KeyReusedError) throw buildReused();
      if (!(cause instanceof ListingChangedError)) throw cause;
    }
  }
  throw new ServiceError('LISTING_BUSY', 'Other calls change this listing all the time.', {
    hint: 'Call again in a moment.',
  });
}
