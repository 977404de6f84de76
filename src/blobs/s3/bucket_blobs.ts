import { createReadStream } from 'node:fs';
import { access, rm } from 'node:fs/promises';
import { BlobsError, type Blobs } from '../../core/ports/blobs.js';
import type { StagedFile } from '../../core/ports/media.js';
import type { Clock, Randomness } from '../../core/ports/world.js';
import { checkSha256, isSha256 } from '../sha256.js';
import { parseListing, type ListedObject, type ListingPage } from './answers.js';
import type { Bucket } from './bucket.js';
import { fillMemory, readObject } from './read_object.js';

/** A copy younger than this is not sent again: the sweep deletes only copies that are thirty times as old. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/**
 * Blobs as objects `blobs/<sha256>/<random>`. Every put writes an object under a new name, because S3 cannot
 * delete an object on the condition that it was not rewritten in the meantime: with one name for all, a sweep
 * that found an object to be old could delete the one that was put in between. After a put, the older objects
 * with the same bytes are deleted. If one is younger than FRESH_MS, nothing is sent.
 */
export function createBucketBlobs(
  bucket: Bucket,
  { clock, randomness }: { clock: Clock; randomness: Randomness },
): Blobs {
  const listCopies = async (sha256: string): Promise<ListedObject[]> => {
    checkSha256(sha256);
    const copies: ListedObject[] = [];
    for await (const page of listPages(bucket, `blobs/${sha256}/`)) copies.push(...page);
    return copies.toSorted(byTime);
  };

  async function remove(objects: readonly ListedObject[]): Promise<void> {
    for (const { key } of objects) await bucket.send({ method: 'DELETE', key, expected: [404] });
  }

  return {
    async put(staged) {
      const { sha256, size_bytes, path } = staged;
      const copies = await listCopies(sha256);
      const fresh_since_ms = clock.now().getTime() - FRESH_MS;
      const isFresh = copies.some(({ modified_at }) => modified_at.getTime() > fresh_since_ms);
      if (!isFresh && (await isStaged(path, copies))) {
        await send(bucket, staged, `blobs/${sha256}/${randomness.bytes(12).toString('hex')}`);
        await remove(copies);
      }
      await rm(path, { force: true });
      return { sha256, size_bytes };
    },
    async open(sha256) {
      const newest = (await listCopies(sha256)).at(-1);
      if (!newest) return undefined;
      const { key, size_bytes } = newest;
      const findAnother = async () => (await listCopies(sha256)).at(-1)?.key;
      const read = () => readObject(bucket, { key, sha256, size_bytes }, findAnother);
      return { size_bytes, stream: read(), streamThrough: (memory) => fillMemory(read(), memory) };
    },
    async delete(sha256, put_before) {
      const copies = await listCopies(sha256);
      const isOld = ({ modified_at }: ListedObject) => modified_at.getTime() < put_before.getTime();
      if (copies.length === 0 || !copies.every(isOld)) return false;
      await remove(copies);
      return true;
    },
    async list(put_before) {
      const old = new Set<string>();
      for await (const page of listPages(bucket, 'blobs/')) {
        for (const { key, modified_at } of page) {
          const [, sha256 = ''] = key.split('/');
          if (isSha256(sha256) && modified_at.getTime() < put_before.getTime()) old.add(sha256);
        }
      }
      return [...old];
    },
  };
}

/**
 * @param start the prefix to list, without the bucket's own prefix; the yielded keys do not include it either
 */
async function* listPages(bucket: Bucket, start: string): AsyncGenerator<ListedObject[]> {
  const prefix = bucket.prefix === '' ? '' : `${bucket.prefix}/`;
  let next: string | undefined;
  do {
    const page = await fetchPage(bucket, `${prefix}${start}`, next);
    yield page.objects.map((object) => ({ ...object, key: object.key.slice(prefix.length) }));
    next = page.next;
  } while (next !== undefined);
}

async function fetchPage(bucket: Bucket, prefix: string, token: string | undefined): Promise<ListingPage> {
  const { text } = await bucket.send({
    method: 'GET',
    query: { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) },
  });
  const page = parseListing(text);
  if (page) return page;
  throw new BlobsError('BLOBS_REFUSED', `The bucket ${bucket.name} did not return a list of objects.`);
}

async function send(bucket: Bucket, { path, sha256, size_bytes }: StagedFile, key: string): Promise<void> {
  // The bucket checks the bytes it receives against the SHA-256, and every read checks them again.
  const open = () => createReadStream(path, { highWaterMark: CHUNK_BYTES });
  await bucket.send({ method: 'PUT', key, body: { size_bytes, sha256, open } });
}

/**
 * Whether the staged file is there. If it is gone, a put before a crash has sent it; throws if there is no
 * copy either.
 */
async function isStaged(path: string, copies: readonly ListedObject[]): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (cause) {
    if (copies.length === 0) throw cause;
    return false;
  }
}

function byTime(a: ListedObject, b: ListedObject): number {
  return a.modified_at.getTime() - b.modified_at.getTime();
}

const CHUNK_BYTES = 256 * 1024;
