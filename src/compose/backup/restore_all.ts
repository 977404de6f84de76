import { makeFolder } from '../../core/make_folder.js';
import { readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createBlobFolder } from '../../blobs/index.js';
import type { Config } from '../../config.js';
import type { Blobs, Progress } from '../../core/ports/index.js';
import {
  beginRestore,
  checkBackup,
  endRestore,
  isBeingRestored,
  listStoreFiles,
  RESTORE_DRAFT,
  StoreError,
} from '../../store/index.js';
import { getSandboxFile } from '../folder.js';
import { BLOBS } from './back_up_all.js';
import { copyBlobs, type CopiedBlobs } from './copy_blobs.js';
import { copyInto } from './copy_file.js';
import { listKeyFiles, PLAIN_FILES } from './files.js';
import { explainDisk } from './refusals.js';

type RestoredAll = {
  backed_up_at: string;
  blobs: CopiedBlobs;
  /** Whether a start finds a key, which need not be the right one. */
  has_key: boolean;
};

type Options = {
  config: Pick<Config, 'data_dir' | 'master_key'>;
  /** Provides the destination of the files, once the restored database says whose they are. */
  withBlobs: (work: (blobs: Blobs) => Promise<CopiedBlobs>) => Promise<CopiedBlobs>;
  /** A backup that backUpAll made. */
  folder: string;
  now: Date;
  report: (progress: Progress) => void;
};

/**
 * Restores a backup into an empty data folder, without changing the backup. The database comes first and
 * cannot be started until the rest is there; an interrupted restore is repeated. Its mark stays, so that the
 * first start knows that it is a restore: see takeRestore. Throws StoreError if the folder is not a backup,
 * or if the data folder is not empty.
 */
export async function restoreAll({ config, withBlobs, folder, now, report }: Options): Promise<RestoredAll> {
  const data_dir = resolve(config.data_dir);
  const { backed_up_at } = checkBackup(listStoreFiles(folder).service);
  await checkEmpty(data_dir);
  try {
    makeFolder(data_dir);
    beginRestore({ backup: listStoreFiles(folder).service, data_dir, now });
    await copyInto(data_dir, getSandboxFile(folder));
    for (const name of PLAIN_FILES) await copyInto(data_dir, join(folder, name));
    for (const file of listKeyFiles(folder)) await copyInto(data_dir, file);
    const from = createBlobFolder(join(folder, BLOBS));
    const staging_dir = join(data_dir, 'staging');
    const copied = await withBlobs((to) =>
      copyBlobs({ from, to, staging_dir }, (progress) => report({ ...progress, message: 'files' })),
    );
    endRestore(data_dir);
    const hasKey = config.master_key !== undefined || existsSync(listStoreFiles(data_dir).master_key);
    return { backed_up_at, blobs: copied, has_key: hasKey };
  } catch (error) {
    throw explainDisk(error, data_dir);
  }
}

/** Throws StoreError if the folder contains anything except the files of an interrupted restore. */
async function checkEmpty(data_dir: string): Promise<void> {
  if (!existsSync(data_dir) || isBeingRestored(data_dir)) return;
  const names = await readdir(data_dir);
  const others = names.filter((name) => !name.includes(RESTORE_DRAFT));
  if (others.length === 0) return;
  throw new StoreError(
    `The data folder ${data_dir} is not empty (${others.slice(0, 3).join(', ')}). Set DATA_DIR to an empty one; nothing was changed.`,
  );
}
