import { makeFolder } from '../core/make_folder.js';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobsError } from '../core/ports/blobs.js';
import type { Bucket } from './s3/bucket.js';
import { toBody } from './s3/small_body.js';

/** A small text at the place of the blobs that says whose they are. */
type Marker = {
  /** The place, for sentences. */
  name: string;
  /** Undefined where there is none. */
  read(): Promise<string | undefined>;
  /** Writes it where there is none yet; does nothing where there is one, as far as the place can tell. */
  writeNew(text: string): Promise<void>;
};

/**
 * A place of blobs belongs to the installation that used it first: each removes what its own database does not name. Throws
 * BlobsError when it is another's, or when the place does not do what it is asked.
 */
export async function claimBlobs(marker: Marker, installation_id: string): Promise<void> {
  // The second look is for two that come at once.
  requireOwn(marker, (await marker.read()) ?? (await writeAndRead(marker, installation_id)), installation_id);
}

/** The same without claiming what is no one's yet. */
export async function checkClaim(marker: Marker, installation_id: string): Promise<void> {
  requireOwn(marker, (await marker.read()) ?? installation_id, installation_id);
}

function requireOwn(marker: Marker, owner: string | undefined, installation_id: string): void {
  if (owner === installation_id) return;
  throw new BlobsError(
    'BLOBS_REFUSED',
    `BLOB_STORE ${marker.name} holds the files of another installation (${owner}), and each removes what it does not need itself: name another prefix or folder for this one (${installation_id}).`,
  );
}

/** The id of a folder, which it is given when it is first asked for, and which a copy of it has too. */
export async function identifyFolder(blob_dir: string, fresh_id: string): Promise<string> {
  const marker = createFolderMarker(blob_dir, FOLDER_NAME);
  return (await marker.read()) ?? (await writeAndRead(marker, fresh_id)) ?? fresh_id;
}

async function writeAndRead(marker: Marker, installation_id: string): Promise<string | undefined> {
  await marker.writeNew(installation_id);
  return marker.read();
}

/** @param file_name of the marker */
export function createFolderMarker(blob_dir: string, file_name = NAME): Marker {
  const file = join(blob_dir, file_name);
  return {
    name: blob_dir,
    // Empty for the moment between making the file and writing to it.
    read: () => readFile(file, 'utf8').then((text) => text.trim() || undefined, ignore('ENOENT')),
    async writeNew(text) {
      makeFolder(blob_dir);
      await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch(ignore('EEXIST'));
    },
  };
}

export function createBucketMarker(bucket: Bucket): Marker {
  return {
    name: bucket.name,
    async read() {
      const { status, text } = await bucket.send({ method: 'GET', key: NAME, expected: [404] });
      return status === 404 ? undefined : text.trim();
    },
    async writeNew(text) {
      const request = { method: 'PUT', key: NAME, body: toBody(text) } as const;
      const headers = { 'if-none-match': '*' };
      const { status } = await bucket.send({ ...request, headers, expected: [409, 412, 501] });
      // It knows no conditions.
      if (status === 501) await bucket.send(request);
    },
  };
}

function ignore(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

const NAME = 'installation';
const FOLDER_NAME = 'folder';
