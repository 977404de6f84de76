import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../core/errors.js';
import { getShare } from './body_budget.js';

const DEADLINE_MS = 20_000;

/** Marks a request whose whole body has been delivered. */
const WHOLE = Symbol('whole');

type Request = IncomingMessage & { [WHOLE]?: true };

/**
 * Whether a request has been received completely. The parser reports that only a moment after it delivered
 * the rest of the body.
 */
export function isWhole(request: Request): boolean {
  return request.complete || request[WHOLE] === true;
}

/**
 * Reads the whole body, at most this many bytes, within 20 seconds. Throws UNSUPPORTED_CONTENT if it is
 * encoded, INVALID_JSON if it is too large, too slow, or incomplete, and RATE_LIMIT_SECOND if the memory for
 * bodies, or the sender's share of it, is used up.
 */
export async function readBody(request: Request, limit_bytes: number): Promise<Buffer> {
  refuseEncoding(request);
  const tooLarge = () =>
    new ServiceError('INVALID_JSON', {
      code: 'body_too_large',
      params: { kibibytes: Math.floor(limit_bytes / 1024) },
    });
  const announced_bytes = Number(request.headers['content-length'] ?? 0);
  if (announced_bytes > limit_bytes) throw tooLarge();
  // A small body usually arrives together with its headers.
  if (announced_bytes > 0 && request.readableLength === announced_bytes) {
    request[WHOLE] = true;
    return request.read() as Buffer;
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size_bytes = 0;
    const share = getShare(request);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      share?.give(size_bytes);
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      settle();
    };
    const fail = (error: ServiceError) => finish(() => reject(error));
    const onData = (chunk: Buffer) => {
      if (size_bytes + chunk.length > limit_bytes) return fail(tooLarge());
      const refusal = share?.take(chunk.length);
      if (refusal) return fail(refusal);
      size_bytes += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = () =>
      finish(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onBroken = () => fail(new ServiceError('INVALID_JSON', { code: 'body_truncated', params: {} }));
    const onLate = () =>
      fail(
        new ServiceError('INVALID_JSON', { code: 'body_too_slow', params: { seconds: DEADLINE_MS / 1000 } }),
      );
    const timer = setTimeout(onLate, DEADLINE_MS);
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** `application/json`, with UTF-8 or without a charset. */
export function isJsonType(header: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i.test(header?.trim() ?? '');
}

export function refuseEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ServiceError(
    'UNSUPPORTED_CONTENT',
    { code: 'encoding_unsupported', params: {} },
    { hint: 'Send the body without content-encoding.' },
  );
}

/** Whether the request announced a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
