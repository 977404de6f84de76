import { makeFolder } from '../core/make_folder.js';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobsError } from '../core/ports/blobs.js';
import type { Bucket } from './s3/bucket.js';
import { toBody } from './s3/small_body.js';

/** A small text in the blob store that says whose it is. */
type Marker = {
  /** The name of the store, for sentences. */
  name: string;
  /** Undefined if there is none. */
  read(): Promise<string | undefined>;
  /** Writes it if there is none yet; does nothing if there is one, as far as the store can tell. */
  writeNew(text: string): Promise<void>;
};

/**
 * A blob store belongs to the installation that used it first, because each installation deletes the blobs
 * that its own database does not name. Throws BlobsError if it belongs to another, or if the store does not
 * work as required.
 */
export async function claimBlobs(marker: Marker, installation_id: string): Promise<void> {
  // The second read handles two installations that claim at the same time.
  requireOwn(marker, (await marker.read()) ?? (await writeAndRead(marker, installation_id)), installation_id);
}

/** Checks the same without claiming an unclaimed store. */
export async function checkClaim(marker: Marker, installation_id: string): Promise<void> {
  requireOwn(marker, (await marker.read()) ?? installation_id, installation_id);
}

function requireOwn(marker: Marker, owner: string | undefined, installation_id: string): void {
  if (owner === installation_id) return;
  throw new BlobsError(
    'BLOBS_REFUSED',
    `BLOB_STORE ${marker.name} contains the files of another installation (${owner}), which deletes files it does not need. Use another prefix or folder for this one (${installation_id}).`,
  );
}

/** The id of a folder, assigned when it is first requested; a copy of the folder has the same id. */
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
    // Empty for the moment between the creation of the file and the first write.
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
      // The server does not support conditional writes.
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
