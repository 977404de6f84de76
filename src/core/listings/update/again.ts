import { ServiceError } from '../../errors.js';
import { KeyReusedError, ListingChangedError } from '../../ports/index.js';

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

export function buildReused(): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_REUSED', 'idempotency_key: came before with another body.');
}
