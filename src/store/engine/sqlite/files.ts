import { makeFolder } from '../../../core/make_folder.js';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../../store_error.js';

const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
const STICKY = 0o1000;

/** All stored data is in these files, and in those that SQLite creates next to them. */
export function listStoreFiles(data_dir: string): {
  service: string;
  rates: string;
  /** Locked while a process opens `rates`. */
  rates_lock: string;
  master_key: string;
  /** The folder of the locks by which processes detect each other. */
  presence: string;
} {
  return {
    service: join(data_dir, 'service.db'),
    rates: join(data_dir, 'rates.db'),
    rates_lock: join(data_dir, 'processes', 'rates.opening'),
    master_key: join(data_dir, 'master.key'),
    presence: join(data_dir, 'processes'),
  };
}

/** Creates the directory if it is missing and closes it (0700) to other users of the computer. */
export function closeDirectory(data_dir: string): void {
  makeDataFolder(data_dir);
  const { mode } = statSync(data_dir);
  if ((mode & STICKY) !== 0) {
    throw new StoreError(
      `DATA_DIR ${data_dir} is shared with other users of this computer. Name a folder of its own below it.`,
    );
  }
  if ((mode & 0o777) !== PRIVATE_DIRECTORY) chmodSync(data_dir, PRIVATE_DIRECTORY);
}

function makeDataFolder(data_dir: string): void {
  try {
    makeFolder(data_dir);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    throw new StoreError(`DATA_DIR ${data_dir} cannot be made there. Name a folder on a disk.`, { cause });
  }
}

/**
 * Creates the database file before SQLite does, so that its mode does not depend on the umask: -wal and -shm take their mode
 * (0600) from it.
 */
export function closeDatabaseFile(file: string): void {
  // Closing a file that this process has open elsewhere would release all its locks on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', PRIVATE_FILE));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) closeFile(path);
}

/** Sets 0600 if the file exists. */
export function closeFile(file: string): void {
  if (existsSync(file)) chmodSync(file, PRIVATE_FILE);
}

/** Writes a new file, 0600, and waits for the disk. Throws EEXIST if it already exists. */
export function writeNewFile(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', PRIVATE_FILE);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  chmodSync(file, PRIVATE_FILE);
}

/** Puts a secret into a file of the data directory, 0600, all of it or nothing; replaces the file's previous content. */
export function writeSecretFile(file: string, secret: string): void {
  closeDirectory(dirname(file));
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeNewFile(draft, `${secret}\n`);
  renameSync(draft, file);
  flushDirectory(dirname(file));
}

/** Waits until the names of its files are on disk; Windows does not let a directory be opened for that. */
function flushDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
