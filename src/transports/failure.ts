import { ServiceError, toErrorBody } from '../core/errors.js';
import { toServiceError } from '../core/operations/service_error.js';
import type { ErrorBody } from '../../schemas/error.js';
import type { Service } from './service.js';

/** A failure as an HTTP response: the error body of all transports, its status, and the headers that belong to it. */
type Failure = { status: number; body: ErrorBody; headers: Record<string, string> };

/** The failure for an error thrown outside an operation; unexpected errors are logged. */
export function toFailure(cause: unknown, { docs_url, log }: Pick<Service, 'docs_url' | 'log'>): Failure {
  const error = toServiceError(cause);
  if (error.status === 500) log.error('request failed', { error: error.cause ?? error });
  return buildFailure(toErrorBody(error, docs_url), error.retry_after_seconds);
}

export function buildFailure(body: ErrorBody, retry_after_seconds: number | undefined): Failure {
  const headers: Record<string, string> = {};
  if (retry_after_seconds !== undefined) headers['retry-after'] = String(retry_after_seconds);
  if (body.error.status === 401) headers['www-authenticate'] = 'Bearer realm="marketplace-listing-service"';
  return { status: body.error.status, body, headers };
}

/** @param instead the routes that exist at this path or below it, such as `POST /api/v1/listings/create` */
export function buildNotFound(method: string, path: string, instead: readonly string[] = []): ServiceError {
  const params = { method, path: path.slice(0, 200), instead };
  return new ServiceError('NOT_FOUND', { code: 'route_not_found', params });
}
