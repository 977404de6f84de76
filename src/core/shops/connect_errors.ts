import type { Fact } from '../../../schemas/issue.js';
import { ServiceError } from '../errors.js';
import { toServiceError } from '../operations/service_error.js';
import type { ConnectRequestState } from '../ports/index.js';

/* Why a shop could not be connected, and what to do about it. */

/** How long a seller has from the first page to the last. */
export const CONSENT_MS = 15 * 60_000;

const BEGIN_AGAIN = 'Start again: run listing-service connect, or press Connect on the Shops page.';

/** The marketplace's answer can be used only once, so after any failure the seller must start again. */
export function toConnectError(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  const { code, issues, hint, retry_after_seconds } = toServiceError(cause);
  return new ServiceError(code, issues, {
    hint: `${hint} ${BEGIN_AGAIN}`,
    cause,
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
  });
}

/** Why a state could not be taken. */
export function buildStateError(request: ConnectRequestState | undefined): ServiceError {
  if (!request) return buildError({ code: 'consent_unknown', params: {} });
  if (request.taken_at === null && request.is_expired) return buildExpired();
  if (!request.outcome?.ok) return buildError({ code: 'consent_used', params: {} });
  const { shop_name } = request.outcome;
  return buildError(
    { code: 'consent_used', params: { shop_name } },
    { hint: 'There is nothing left to do.' },
  );
}

export function buildExpired(): ServiceError {
  return buildError({ code: 'consent_expired', params: { minutes: CONSENT_MS / 60_000 } });
}

/** @param error the OAuth error code of the consent page */
export function buildRefusedError(error: string, description: string | undefined): ServiceError {
  return error === 'access_denied'
    ? buildError(
        { code: 'consent_declined', params: {} },
        { hint: 'Start again, and press Allow: without it the service cannot act for the shop.' },
      )
    : buildError(
        { code: 'consent_refused', params: { error, description } },
        {
          hint: 'Check the application and its callback address with listing-service doctor, then start again.',
        },
      );
}

export function buildError(
  problem: Fact,
  { hint = BEGIN_AGAIN, cause }: { hint?: string; cause?: unknown } = {},
): ServiceError {
  return new ServiceError('VALIDATION_FAILED', problem, { hint, cause });
}
