import { ServiceError } from '../../errors.js';
import type { BindingMatch } from '../../ports/index.js';

/**
 * Without a key, an equal request that makes a listing counts as a repeat for this long after the first one's end: assistants repeat
 * calls that timed out.
 */
export const REPLAY_MS = 10 * 60 * 1000;

/** An idempotency key belongs to one request; throws IDEMPOTENCY_KEY_REUSED. */
export function expectSameBody(
  found: BindingMatch,
): asserts found is Exclude<BindingMatch, { match: 'reused' }> {
  if (found.match === 'reused') throw buildReused();
}

export function buildReused(): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_REUSED', 'idempotency_key: came before with another body.');
}
