import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SentBody } from './connections.js';

/** A short text as a request body, hashed in memory. */
export function toBody(text: string): SentBody {
  const bytes = Buffer.from(text);
  return {
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: () => Readable.from([bytes]),
  };
}
