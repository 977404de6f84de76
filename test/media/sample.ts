import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createBlobFolder } from '../../src/blobs/index.js';
import { type Blobs, type Media, MediaError } from '../../src/core/ports/index.js';
import type { FileReader } from '../../src/media/identify/file_reader.js';
import { createMedia, type Lookup, type MediaOptions } from '../../src/media/index.js';

/** The addresses of receivers in tests: this machine only. */
export const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const;

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

/** A folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'media-'));
  onTestFinished(async () => {
    await rm(dir, { recursive: true });
  });
  return dir;
}

export type SampleMedia = { media: Media; blobs: Blobs; dir: string; listStaged: () => Promise<string[]> };

/** @param openBlobs another place instead of the folder `blobs` */
export async function makeMedia(
  options: Partial<MediaOptions> = {},
  openBlobs: (dir: string) => Blobs = (dir) => createBlobFolder(join(dir, 'blobs')),
): Promise<SampleMedia> {
  const dir = await makeFolder();
  const staging_dir = join(dir, 'staging');
  const blobs = openBlobs(dir);
  const media = createMedia({
    blobs,
    staging_dir,
    thumbnail_dir: join(dir, 'thumbnails'),
    egress_allow_cidrs: LOOPBACK,
    user_agent: 'listing-service-test/1',
    ...options,
  });
  return { media, blobs, dir, listStaged: async () => await readdir(staging_dir).catch(() => []) };
}

/** A server on loopback that stops after the test; returns its URL without a trailing slash. */
export async function serve(onRequest: RequestListener): Promise<{ base_url: string; server: Server }> {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return { base_url: `http://127.0.0.1:${portOf(server)}`, server };
}

/** A lookup that returns these addresses for every name. */
export function answer(...addresses: readonly string[]): Lookup {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

/** A lookup that knows no name. */
export const answerNothing: Lookup = async () => await Promise.reject(new Error('ENOTFOUND'));

/** The port of a listening server. */
export function portOf(server: TcpServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port.');
  return address.port;
}

/** The promise's failure in the form a caller may see. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  return await promise.then(
    () => 'no failure',
    (error: unknown) => toFailure(error),
  );
}

/** The class of a MediaError; anything else as text. */
export function toFailure(error: unknown): string {
  return error instanceof MediaError ? error.failure : String(error);
}

/** A reader over bytes in memory that counts its reads. */
export function readerOf(bytes: Buffer): FileReader & { count: () => number } {
  let reads = 0;
  return {
    size_bytes: bytes.length,
    count: () => reads,
    read: async (offset, length) => {
      reads += 1;
      const isInside = offset >= 0 && length >= 0 && offset + length <= bytes.length;
      return isInside ? bytes.subarray(offset, offset + length) : undefined;
    },
    readSome: async (offset) => {
      reads += 1;
      return offset < bytes.length ? bytes.subarray(offset, offset + 64 * 1024) : undefined;
    },
  };
}
