import { quoteAnswer, ServiceError } from '../errors.js';
import { findFault } from '../faults.js';
import { MarketplaceError, TokensHeldError } from '../ports/index.js';

/**
 * Turns a thrown value into an error that a caller may see. A fault of this computer is reported as such, even when the
 * marketplace's client ran into it first; an unknown error becomes INTERNAL, with the cause for the log alone.
 */
export function toServiceError(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  const fault = findFault(cause);
  if (fault) return new ServiceError('INTERNAL', fault.message, { ...fault, cause });
  if (cause instanceof MarketplaceError) return toMarketplaceServiceError(cause);
  if (cause instanceof TokensHeldError) {
    const message = `The shop cannot be reached now: ${cause.message}.`;
    return new ServiceError('MARKETPLACE_UNAVAILABLE', message, { cause, hint: HELD_HINT });
  }
  return new ServiceError('INTERNAL', 'Something went wrong inside the service.', { cause });
}

function toMarketplaceServiceError(cause: MarketplaceError): ServiceError {
  const words = quoteAnswer(cause);
  switch (cause.failure) {
    case 'reconnect':
      return new ServiceError(
        'STORE_RECONNECT_REQUIRED',
        `The marketplace refused this shop's grant: ${words}.`,
        { cause },
      );
    case 'rate_limited':
      return new ServiceError('MARKETPLACE_RATE_LIMIT', `The marketplace's limit is reached: ${words}.`, {
        cause,
        retry_after_seconds: cause.retry_after_seconds ?? 1,
      });
    case 'unavailable':
    case 'unknown':
      return buildUnavailable(cause, words);
    case 'credentials':
      return new ServiceError(
        'MARKETPLACE_ERROR',
        `The marketplace refused this application's own key: ${words}.`,
        { cause, hint: KEY_HINT },
      );
    case 'no_application':
      return new ServiceError(
        'VALIDATION_FAILED',
        `There is no application to call the marketplace with: ${cause.message}.`,
        { cause, hint: NO_APPLICATION_HINT },
      );
    case 'refused':
    case 'not_found':
      return new ServiceError(
        'MARKETPLACE_ERROR',
        `The marketplace answered ${cause.status ?? 'nothing'}: ${words}.`,
        { cause },
      );
  }
}

const HELD_HINT = 'Repeat the request in a moment.';
const KEY_HINT =
  "See at etsy.com/developers/your-apps that the application is approved. Then connect the shop again with its keystring and shared secret, or set ETSY_KEYSTRING and ETSY_SHARED_SECRET where it is the installation's.";
const NO_APPLICATION_HINT =
  'listing-service connect, and Connect on the Shops page, ask for the keystring and shared secret of a shop’s application; ETSY_KEYSTRING and ETSY_SHARED_SECRET set one for the installation.';

/**
 * The error for an unavailable marketplace. Without an answer it could not be reached; with one it was, and the error says what it
 * answered.
 */
function buildUnavailable(cause: MarketplaceError, words: string): ServiceError {
  if (cause.status === null) {
    return new ServiceError('MARKETPLACE_UNAVAILABLE', `The marketplace could not be reached: ${words}.`, {
      cause,
    });
  }
  return new ServiceError(
    'MARKETPLACE_UNAVAILABLE',
    `The marketplace has a fault of its own. It answered ${cause.status}: ${words}.`,
    { cause, hint: 'Repeat the request in a minute.' },
  );
}
