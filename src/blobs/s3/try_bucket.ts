import { BlobsError } from '../../core/ports/blobs.js';
import type { Bucket } from './bucket.js';
import { toBody } from './small_body.js';

/** Writes a few bytes to check that the bucket accepts files now. Sent once. Throws BlobsError. */
export async function probeBucket(bucket: Bucket): Promise<void> {
  await bucket.send({ method: 'PUT', key: 'writable', body: toBody(PROBE), is_once: true });
}

/**
 * Runs every file operation with a few bytes under a name of its own: put, list, get and delete. Throws the
 * BlobsError of the first that fails.
 */
export async function tryBucket(bucket: Bucket, random: string): Promise<void> {
  const key = `check/${random}`;
  await attempt('writing', bucket.send({ method: 'PUT', key, body: toBody(PROBE) }));
  await attempt('listing', bucket.send({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } }));
  const { text } = await attempt('reading', bucket.send({ method: 'GET', key }));
  if (text !== PROBE)
    throw new BlobsError('BLOBS_DAMAGED', `The bucket ${bucket.name} returned other bytes than it received.`);
  await attempt('deleting', bucket.send({ method: 'DELETE', key }));
}

async function attempt<Answer>(what: string, doing: Promise<Answer>): Promise<Answer> {
  try {
    return await doing;
  } catch (cause) {
    if (!(cause instanceof BlobsError)) throw cause;
    throw new BlobsError(cause.code, `${cause.message.slice(0, -1)}, tried by ${what} a few bytes.`, {
      cause,
    });
  }
}

const PROBE = 'ok';
