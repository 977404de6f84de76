import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

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
 * @param is_private whether others may not read it from now on
 * @returns the copy of what there was
 */
export async function replaceConfigFile(
  file: string,
  change: { old: string | undefined; text: string; is_private: boolean },
): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true });
  const target = change.old === undefined ? file : await realpath(file);
  const mode = change.old === undefined ? PRIVATE : (await stat(target)).mode & 0o777;
  const fresh = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, change.text, { mode: PRIVATE, flag: 'wx' });
    if (!change.is_private) await chmod(fresh, mode);
    if ((await readConfigFile(target)) !== change.old) {
      throw new Error(`${file} was changed by another program just now, and was left alone. Try again.`);
    }
    const backup = change.old === undefined ? undefined : await backUp(target);
    await rename(fresh, target);
    return backup;
  } finally {
    await rm(fresh, { force: true });
  }
}

const PRIVATE = 0o600;

async function backUp(file: string): Promise<string> {
  const backup = `${file}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}.bak`;
  await copyFile(file, backup, constants.COPYFILE_EXCL);
  return backup;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
