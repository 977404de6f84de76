import { KeyReusedError, ListingChangedError } from '../../ports/index.js';
import { buildReused } from './repeats.js';

/** How often a listing is looked at anew that others change at the same time. */
const MAX_LOOKS = 5;

/** Does it anew where the listing was another one by the time that it was to be changed. */
export async function lookAgain<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  for (let look = 1; ; look += 1) {
    try {
      return await run();
    } catch (cause) {
      if (cause instanceof KeyReusedError) throw buildReused();
      if (!(cause instanceof ListingChangedError) || look === MAX_LOOKS) throw cause;
    }
  }
}
