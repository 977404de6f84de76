import type { Part } from '../../../src/media/location/parts.js';

/** Applies a plan to these bytes, independently of the product's code. */
export function applyParts(original: Buffer, parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (Buffer.isBuffer(part)) return part;
      return 'zero_bytes' in part ? Buffer.alloc(part.zero_bytes) : original.subarray(part.start, part.end);
    }),
  );
}
