import { existsSync, statSync } from 'node:fs';
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, isAbsolute } from 'node:path';
import { createBlobFolder } from '../../blobs/index.js';
import type { Config } from '../../config.js';
import type { Blobs, Progress } from '../../core/ports/index.js';
import { backupDatabase, listStoreFiles, StoreError, writeSecretFile } from '../../store/index.js';
import { getSandboxFile } from '../folder.js';
import { copyBlobs, type CopiedBlobs } from './copy_blobs.js';
import { copyInto } from './copy_file.js';
import { listKeyFiles, PLAIN_FILES } from './files.js';
import { explainDisk } from './refusals.js';

type FullBackup = {
  folder: string;
  /** Size of the database. */
  size_bytes: number;
  blobs: CopiedBlobs;
  /** Whether the backup contains the key. */
  has_key: boolean;
  /** Whether the key is set in MASTER_KEY instead of a file. */
  is_key_given: boolean;
};

type Options = {
  config: Pick<Config, 'data_dir' | 'master_key'>;
  blobs: Blobs;
  /** Will be created; must not exist yet. */
  folder: string;
  with_key: boolean;
  now: Date;
  report: (progress: Progress) => void;
};

/**
 * Copies everything that an installation stores into a new folder, even while it runs. Throws StoreError, and
 * leaves nothing behind, if the folder cannot be used.
 * Files are copied first, then the database, then the files that arrived in the meantime. So the backup has
 * every file that the copied database references: a file that existed at the first pass was copied, or was
 * deleted because no row referenced it. Files added later are too new to be deleted. Files are named by their
 * hash, so they never change. The sandbox is copied after the database, since the marketplace may have a
 * listing that the service does not know about, but not vice versa.
 */
export async function backUpAll(options: Options): Promise<FullBackup> {
  const folder = await checkTarget(resolve(options.folder), resolve(options.config.data_dir));
  const staging = `${folder}${UNFINISHED}`;
  try {
    await mkdir(staging, { mode: 0o700 });
    const made = await fill(staging, options);
    await rename(staging, folder);
    await syncFolder(dirname(folder));
    return { ...made, folder };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw explainDisk(error, folder);
  }
}

async function fill(staging: string, options: Options): Promise<Omit<FullBackup, 'folder'>> {
  const { config, with_key, now } = options;
  const { data_dir, master_key } = config;
  const before = await copyFiles(staging, options, 'files');
  options.report({ done: 0, total: 1, message: 'the database' });
  const { size_bytes } = await backupDatabase({ data_dir, file: listStoreFiles(staging).service, now });
  options.report({ done: 1, total: 1, message: 'the database' });
  const sandbox_file = getSandboxFile(data_dir);
  if (existsSync(sandbox_file)) {
    const { copySandbox } = await import('../../sandbox/index.js');
    copySandbox(sandbox_file, getSandboxFile(staging));
  }
  const after = await copyFiles(staging, options, 'files that arrived in the meantime');
  for (const name of PLAIN_FILES) await copyInto(staging, join(data_dir, name));
  if (with_key) {
    for (const file of listKeyFiles(data_dir)) await copyInto(staging, file);
    if (master_key !== undefined) writeSecretFile(listStoreFiles(staging).master_key, master_key);
  }
  await syncFolder(staging);
  return {
    size_bytes,
    blobs: {
      files: before.files + after.files,
      size_bytes: before.size_bytes + after.size_bytes,
      // Files deleted after the first pass listed them but before it copied them are no longer listed, so only
      // the second pass counts.
      lost: after.lost,
    },
    has_key: with_key,
    is_key_given: master_key !== undefined,
  };
}

function copyFiles(staging: string, { blobs, report }: Options, message: string): Promise<CopiedBlobs> {
  return copyBlobs(
    { from: blobs, to: createBlobFolder(join(staging, BLOBS)), staging_dir: join(staging, 'staging') },
    (progress) => report({ ...progress, message }),
  );
}

/** The folder of files in a backup. */
export const BLOBS = 'blobs';
/** The suffix of a backup in progress. */
const UNFINISHED = '.unfinished';

/** Throws StoreError if a backup must not be created there. Returns the folder's real path. */
async function checkTarget(folder: string, data_dir: string): Promise<string> {
  const above = await realpath(dirname(folder)).catch((error: unknown) => {
    throw explainDisk(error, folder);
  });
  const target = join(above, basename(folder));
  if (existsSync(target)) throw new StoreError(`${target} already exists. Use a new folder for the backup.`);
  if (existsSync(`${target}${UNFINISHED}`)) {
    throw new StoreError(
      `Another backup to this folder is in progress or was interrupted. If none is running, delete ${target}${UNFINISHED}.`,
    );
  }
  if (existsSync(data_dir) && isInside(target, await realpath(data_dir))) {
    throw new StoreError(
      `${target} is inside the data folder ${data_dir}. Use a folder elsewhere, preferably on another disk.`,
    );
  }
  return target;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

/** Syncs the folder, so new files and renames are durable. Windows does not allow opening a folder for that. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32' || !statSync(folder).isDirectory()) return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
