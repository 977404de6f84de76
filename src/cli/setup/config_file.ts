import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The whole text; undefined if the file does not exist. */
export async function readConfigFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new Error(`${file} could not be read.`, { cause });
  }
}

/**
 * Replaces the file atomically and keeps a copy of the old one in the same folder; a symlink stays a symlink.
 * @param old the file's content when it was read: if it has changed since, the file is left alone
 * @param kept what to write to the backup instead of the original, if the original has content that must not be kept
 * @returns the backup's path; undefined if there was no file
 */
export async function replaceConfigFile(
  file: string,
  change: { old: string | undefined; text: string; kept?: string | undefined },
): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true });
  const target = change.old === undefined ? file : await realpath(file);
  const mode = change.old === undefined ? PRIVATE : (await stat(target)).mode & 0o777;
  const temp_file = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temp_file, change.text, { mode: PRIVATE, flag: 'wx' });
    await chmod(temp_file, mode);
    if ((await readConfigFile(target)) !== change.old) {
      throw new Error(`${file} was just changed by another program, so it was not updated. Try again.`);
    }
    const backup = change.old === undefined ? undefined : await backUp(target, mode, change.kept);
    await rename(temp_file, target);
    return backup;
  } finally {
    await rm(temp_file, { force: true });
  }
}

const PRIVATE = 0o600;

async function backUp(file: string, mode: number, kept: string | undefined): Promise<string> {
  const backup = `${file}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}.bak`;
  if (kept === undefined) await copyFile(file, backup, constants.COPYFILE_EXCL);
  else await writeFile(backup, kept, { mode, flag: 'wx' });
  return backup;
}

/** The backups of this file. */
export async function listBackups(file: string): Promise<string[]> {
  const target = await realpath(file).catch(() => file);
  const names = await readdir(dirname(target)).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${basename(target)}.`) && /\.\d{8}T\d{9}Z\.bak$/.test(name))
    .map((name) => join(dirname(target), name));
}

/** Replaces the text of a backup atomically. */
export async function rewriteBackup(backup: string, text: string): Promise<void> {
  const temp_file = `${backup}.${randomUUID()}.tmp`;
  const { mode } = await stat(backup);
  try {
    await writeFile(temp_file, text, { mode: mode & 0o777, flag: 'wx' });
    await rename(temp_file, backup);
  } finally {
    await rm(temp_file, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
