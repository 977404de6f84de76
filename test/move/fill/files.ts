import { createHash, randomFillSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type KeptFile = { sha256: string; size_bytes: number };

const KIB = 1024;
/**
 * Typical sizes: mostly photos, now and then a film, a few tiny ones, one that is not a whole block. 2 GB are
 * less than 1,000 files: the tests' bucket server lists no more, because the cipher of its page tokens is
 * gone.
 */
const SIZES = [
  300 * KIB,
  1_100 * KIB,
  700,
  450 * KIB + 1,
  2_300 * KIB,
  90 * KIB,
  900 * KIB,
  9,
  5_000 * KIB + 17,
];
const FILM = 60 * KIB * KIB;

/** Puts files of together `total_bytes` or a little more where a data folder stores them. */
export async function fillFiles(data_dir: string, total_bytes: number): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  let left_bytes = total_bytes;
  for (let number = 0; left_bytes > 0; number += 1) {
    const isFilm = number % 30 === 15 && total_bytes > 10 * FILM;
    const bytes = Buffer.alloc(isFilm ? FILM : (SIZES[number % SIZES.length] ?? 1));
    randomFillSync(bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = join(data_dir, 'blobs', sha256.slice(0, 2), sha256.slice(2));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o600 });
    files.push({ sha256, size_bytes: bytes.length });
    left_bytes -= bytes.length;
  }
  return files;
}
