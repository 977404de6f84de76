import { createHash } from 'node:crypto';
import { BlobsError } from '../../core/ports/blobs.js';
import { MOST_ATTEMPTS, type Bucket } from './bucket.js';

/** An object that stores the bytes of a hash. */
type KeptObject = { key: string; sha256: string; size_bytes: number };

/**
 * All bytes of an object. If a connection breaks, another one reads the rest. The last piece is held back
 * until the hash of all bytes is verified, so that a reader that was promised a length never gets a complete
 * file with other bytes.
 * @param findAnother returns the key of another object with the same bytes, called if this one is gone
 */
export async function* readObject(
  bucket: Bucket,
  object: KeptObject,
  findAnother: () => Promise<string | undefined>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let { key } = object;
  let read_bytes = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const bytes = await bucket.read(key, read_bytes);
      if (!bytes) key = (await findAnother()) ?? refuseGone(bucket, object);
      for await (const chunk of bytes ?? []) {
        read_bytes += chunk.length;
        hash.update(chunk);
        if (read_bytes >= object.size_bytes) {
          if (read_bytes > object.size_bytes || hash.digest('hex') !== object.sha256)
            throw damaged(bucket, object);
          yield chunk;
          return;
        }
        yield chunk;
      }
      if (attempt === MOST_ATTEMPTS) throw brokenOff(bucket, object);
    } catch (cause) {
      const isFinal = cause instanceof BlobsError && cause.code !== 'BLOBS_UNAVAILABLE';
      if (isFinal || attempt >= MOST_ATTEMPTS)
        throw cause instanceof BlobsError ? cause : brokenOff(bucket, object, cause);
    }
    await bucket.pause(attempt);
  }
}

/** The same bytes in chunks that each fill the buffer, except possibly the last. */
export async function* fillMemory(pieces: AsyncIterable<Buffer>, memory: Buffer): AsyncGenerator<Buffer> {
  let filled_bytes = 0;
  for await (const piece of pieces) {
    for (let taken_bytes = 0; taken_bytes < piece.length;) {
      const copied_bytes = piece.copy(memory, filled_bytes, taken_bytes);
      taken_bytes += copied_bytes;
      filled_bytes += copied_bytes;
      if (filled_bytes < memory.length) continue;
      yield memory;
      filled_bytes = 0;
    }
  }
  if (filled_bytes > 0) yield memory.subarray(0, filled_bytes);
}

function damaged({ name }: Bucket, { key }: KeptObject): BlobsError {
  return new BlobsError(
    'BLOBS_DAMAGED',
    `The object ${key} in the bucket ${name} no longer has the stored bytes.`,
  );
}

function refuseGone({ name }: Bucket, { key }: KeptObject): never {
  throw new BlobsError('BLOBS_DAMAGED', `The object ${key} in the bucket ${name} is gone.`);
}

function brokenOff({ name }: Bucket, { key }: KeptObject, cause?: unknown): BlobsError {
  return new BlobsError('BLOBS_UNAVAILABLE', `The object ${key} in the bucket ${name} is truncated.`, {
    cause,
  });
}
