import { ServiceError } from '../errors.js';
import { findFault } from '../faults.js';
import { MarketplaceError, TokensHeldError } from '../ports/index.js';

/**
 * Turns a thrown value into an error that a caller may see. A fault of this computer is reported as such, even if the
 * marketplace's client ran into it first; an unknown error becomes INTERNAL, with its cause only in the log.
 */
export function toServiceError(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  const fault = findFault(cause);
  if (fault) return new ServiceError('INTERNAL', { code: fault.code, params: {} }, { ...fault, cause });
  if (cause instanceof MarketplaceError) return toMarketplaceServiceError(cause);
  if (cause instanceof TokensHeldError) {
    const problem = { code: 'tokens_held', params: {} } as const;
    return new ServiceError('MARKETPLACE_UNAVAILABLE', problem, { cause, hint: HELD_HINT });
  }
  return new ServiceError('INTERNAL', { code: 'internal', params: {} }, { cause });
}

function toMarketplaceServiceError(cause: MarketplaceError): ServiceError {
  const { failure, status, message, is_ours } = cause;
  const answer = { message, is_ours };
  switch (failure) {
    case 'reconnect':
      return new ServiceError(
        'STORE_RECONNECT_REQUIRED',
        { code: 'grant_refused', params: { answer } },
        { cause },
      );
    case 'rate_limited':
      return new ServiceError(
        'MARKETPLACE_RATE_LIMIT',
        { code: 'marketplace_rate_limit', params: { answer } },
        { cause, retry_after_seconds: cause.retry_after_seconds ?? 1 },
      );
    case 'unavailable':
    case 'unknown':
      return status === null
        ? new ServiceError(
            'MARKETPLACE_UNAVAILABLE',
            { code: 'marketplace_unreachable', params: { answer } },
            { cause },
          )
        : new ServiceError(
            'MARKETPLACE_UNAVAILABLE',
            { code: 'marketplace_fault', params: { status, answer } },
            { cause, hint: FAULT_HINT },
          );
    case 'credentials':
      return new ServiceError(
        'MARKETPLACE_ERROR',
        { code: 'application_key_refused', params: { answer } },
        { cause, hint: KEY_HINT },
      );
    case 'no_application':
      return new ServiceError(
        'VALIDATION_FAILED',
        { code: 'application_missing', params: {} },
        { cause, hint: NO_APPLICATION_HINT },
      );
    case 'refused':
    case 'not_found':
      return new ServiceError(
        'MARKETPLACE_ERROR',
        { code: 'marketplace_refused', params: { status, answer } },
        { cause },
      );
  }
}

const HELD_HINT = 'Repeat the request in a moment.';
const FAULT_HINT = 'Repeat the request in a minute.';
const KEY_HINT =
  "Check at etsy.com/developers/your-apps that the application is approved. Then connect the shop again with its keystring and shared secret, or set ETSY_KEYSTRING and ETSY_SHARED_SECRET if it is the installation's.";
const NO_APPLICATION_HINT =
  'listing-service connect, and Connect on the Shops page, ask for the keystring and shared secret of a shop’s application; ETSY_KEYSTRING and ETSY_SHARED_SECRET set one for the installation.';
