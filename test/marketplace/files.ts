import { Readable } from 'node:stream';
import type { MediaFile } from '../../src/core/ports/index.js';

/** A file to send that is held in memory. */
export function buildFile(bytes: Buffer, fields: Partial<MediaFile> = {}): MediaFile {
  return {
    open: async () => ({
      size_bytes: bytes.length,
      stream: Readable.from([bytes]),
      streamThrough: () => Readable.from([bytes]),
    }),
    size_bytes: bytes.length,
    filename: 'mug.png',
    content_type: 'image/png',
    ...fields,
  };
}
