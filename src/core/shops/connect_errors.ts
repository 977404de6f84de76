import { quoteForeign, ServiceError } from '../errors.js';
import { toServiceError } from '../operations/service_error.js';
import type { ConnectRequestState } from '../ports/index.js';

/* Why a shop could not be connected, and what to do about it. */

export const BEGIN_AGAIN = 'Begin again: run listing-service connect, or press Connect on the Shops page.';

export const TOO_LATE = 'The consent took longer than 15 minutes.';

/** The marketplace's answer is good once, so after any failure the seller begins anew. */
export function toConnectError(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  const error = toServiceError(cause);
  const { code, message, retry_after_seconds } = error;
  const hint = `${error.hint} ${BEGIN_AGAIN}`;
  return new ServiceError(code, message, {
    hint,
    cause,
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
  });
}

/** Why a state could not be taken. */
export function buildStateError(request: ConnectRequestState | undefined): ServiceError {
  if (!request)
    return buildError('This answer of the marketplace belongs to no consent that was asked for here.');
  if (request.taken_at === null && request.is_expired) {
    return buildError(TOO_LATE);
  }
  if (!request.outcome?.ok) return buildError('This answer of the marketplace has been used already.');
  const { shop_name } = request.outcome;
  return buildError(
    `This answer of the marketplace has been used already: shop ${quoteForeign(shop_name)} is connected.`,
    undefined,
    'There is nothing left to do.',
  );
}

/** @param error the OAuth word of the consent page */
export function buildRefusedError(error: string, description: string | undefined): ServiceError {
  if (error === 'access_denied') {
    return buildError(
      'The seller did not agree, so no shop was connected.',
      undefined,
      'Begin again, and press Allow: without it the service cannot act for the shop.',
    );
  }
  const words = quoteForeign(description === undefined ? error : `${error}: ${description}`);
  return buildError(
    `The marketplace refused to ask the seller: ${words}.`,
    undefined,
    'Check the application and its callback address with listing-service doctor, then begin again.',
  );
}

export function buildError(message: string, cause?: unknown, hint = BEGIN_AGAIN): ServiceError {
  return new ServiceError('VALIDATION_FAILED', message, { hint, cause });
}
