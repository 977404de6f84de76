import { toReply, type Reply } from './endpoint.js';
import { INVENTED } from './messages.js';
import { describeOwnFault } from './pipeline.js';

export const BODY_LIMIT_BYTES = 8 * 1024 * 1024;
/** Bytes of one file. */
export const UPLOAD_LIMIT_BYTES = 120 * 1024 * 1024;
/** Bytes of one multipart body. */
export const MAX_PARTS = 25;

/**
 * The answer to a request that could not be read, or whose endpoint failed. `statusCode`: below 500 if the
 * request is at fault.
 */
export function toFailure(error: unknown): Reply {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const isOurs = status >= 500;
  return toReply({
    status: isOurs ? 500 : 400,
    body: { error: isOurs ? describeOwnFault(error) : INVENTED.body_malformed },
  });
}
