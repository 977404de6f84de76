import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { getSpareBytes } from '../media/index.js';
import { keepFinding } from './kept_finding.js';

const FOUND_FOR_MS = 5_000;

export type DiskCheck = {
  /** Problems with the disk, one sentence each. */
  listTroubles(): Promise<string[]>;
  /** Bytes free for this user; undefined if the operating system does not report them. */
  getFreeBytes(): Promise<number | undefined>;
};

/** Checks the free space, and writes a byte to check that writing is possible. */
export function createDiskCheck(data_dir: string, min_free_bytes?: number): DiskCheck {
  async function getFreeBytes(): Promise<number | undefined> {
    return statfs(data_dir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => undefined,
    );
  }

  async function check(): Promise<string[]> {
    const spare = await getSpareBytes(data_dir, min_free_bytes).catch(() => undefined);
    const refusal = await tryToWrite(join(data_dir, 'writable'));
    return [
      ...(spare !== undefined && spare <= 0
        ? ['the disk of DATA_DIR is full: files must leave its last 100 MB free']
        : []),
      ...(refusal === undefined ? [] : [`DATA_DIR cannot be written to (${refusal})`]),
    ];
  }

  return { listTroubles: keepFinding(FOUND_FOR_MS, check), getFreeBytes };
}

/** The system's error if it fails. */
async function tryToWrite(file: string): Promise<string | undefined> {
  try {
    const opened = await open(file, 'w', 0o600);
    try {
      await opened.write('1');
    } finally {
      await opened.close();
      await rm(file, { force: true });
    }
    return undefined;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  }
}
