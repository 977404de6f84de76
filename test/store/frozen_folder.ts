import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export const FROZEN = join(import.meta.dirname, 'frozen');

/** Copies a frozen folder or a subfolder of one, and unpacks compressed files. */
export async function copyFrozen(name: string, to: string): Promise<void> {
  await cp(join(FROZEN, name), to, { recursive: true });
  for (const file of await readdir(to, { recursive: true })) {
    if (!file.endsWith('.gz')) continue;
    const packed = join(to, file);
    await writeFile(packed.slice(0, -3), gunzipSync(await readFile(packed)));
    await rm(packed);
  }
}
