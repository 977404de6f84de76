import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../core/errors.js';
import { OAuthError, type OAuthErrorCode } from '../../core/identity/grants/oauth_error.js';
import type { Service } from '../service.js';

/** An error at an endpoint for programs only, in the body that OAuth clients read (RFC 6749, section 5.2). */
export function sendFailure(reply: FastifyReply, cause: unknown, log: Service['log']): FastifyReply {
  const { status, code, message, headers } = describe(cause, log);
  return reply
    .code(status)
    .headers(headers)
    .send({ error: code, error_description: toAscii(message) });
}

type Description = { status: number; code: OAuthErrorCode; message: string; headers: Record<string, string> };

function describe(cause: unknown, log: Service['log']): Description {
  if (cause instanceof OAuthError) {
    return {
      status: cause.code === 'invalid_client' ? 401 : 400,
      code: cause.code,
      message: cause.message,
      headers: {},
    };
  }
  if (cause instanceof ServiceError && cause.status === 429) {
    const headers = { 'retry-after': String(cause.retry_after_seconds) };
    return { status: 429, code: 'temporarily_unavailable', message: cause.message, headers };
  }
  if (cause instanceof ServiceError && cause.status < 500) {
    return { status: 400, code: 'invalid_request', message: cause.message, headers: {} };
  }
  log.error('an OAuth request failed', { error: cause });
  return { status: 500, code: 'server_error', message: 'Something went wrong.', headers: {} };
}

/** The characters that an error_description may have. */
function toAscii(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]+/g, ' ');
}
