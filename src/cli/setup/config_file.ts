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

/** The whole text; undefined when there is no such file. */
export async function readConfigFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new Error(`${file} could not be read.`, { cause });
  }
}

/**
 * All of it or nothing, and what there was stays beside it; a link stays a link.
 * @param old what the file held when it was read: when it holds something else by now, it is left alone
 * @param kept what the copy is to hold instead, where there is something that must not stay
 * @returns the copy of what there was
 */
export async function replaceConfigFile(
  file: string,
  change: { old: string | undefined; text: string; kept?: string | undefined },
): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true });
  const target = change.old === undefined ? file : await realpath(file);
  const mode = change.old === undefined ? PRIVATE : (await stat(target)).mode & 0o777;
  const fresh = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, change.text, { mode: PRIVATE, flag: 'wx' });
    await chmod(fresh, mode);
    if ((await readConfigFile(target)) !== change.old) {
      throw new Error(`${file} was changed by another program just now, and was left alone. Try again.`);
    }
    const backup = change.old === undefined ? undefined : await backUp(target, mode, change.kept);
    await rename(fresh, target);
    return backup;
  } finally {
    await rm(fresh, { force: true });
  }
}

const PRIVATE = 0o600;

async function backUp(file: string, mode: number, kept: string | undefined): Promise<string> {
  const backup = `${file}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}.bak`;
  if (kept === undefined) await copyFile(file, backup, constants.COPYFILE_EXCL);
  else await writeFile(backup, kept, { mode, flag: 'wx' });
  return backup;
}

/** The copies that were made of this file. */
export async function listBackups(file: string): Promise<string[]> {
  const target = await realpath(file).catch(() => file);
  const names = await readdir(dirname(target)).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${basename(target)}.`) && /\.\d{8}T\d{9}Z\.bak$/.test(name))
    .map((name) => join(dirname(target), name));
}

/** Changes a copy where it lies. */
export async function rewriteBackup(backup: string, text: string): Promise<void> {
  const fresh = `${backup}.${randomUUID()}.tmp`;
  const { mode } = await stat(backup);
  try {
    await writeFile(fresh, text, { mode: mode & 0o777, flag: 'wx' });
    await rename(fresh, backup);
  } finally {
    await rm(fresh, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
