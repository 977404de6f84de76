import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = Buffer.alloc(64 * 1024);

/** A separate disk in a folder, which can be filled up. */
export type SmallDisk = {
  folder: string;
  /** From now on there is no room for a single byte; files may still write to the space they have. */
  fill(): void;
  free(): void;
  close(): void;
};

/**
 * Undefined, with a note on stdout, if only an administrator may mount one: then the test runs without a full
 * disk.
 */
export function mountSmallDisk(folder: string, size_mb: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  const mounting = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size_mb}m`, 'tmpfs', folder]);
  if (mounting.status !== 0) {
    process.stdout.write('no full disk here: only an administrator may mount a small one\n');
    return undefined;
  }
  const filler = join(folder, 'filler');
  // A process killed a moment ago may still be exiting; the mount ends with its last file.
  const unmount = () => void spawnSync('umount', ['--lazy', folder]);
  // Also if the process ends before it closes its files.
  process.once('exit', unmount);
  return {
    folder,
    fill() {
      for (let size = BLOCK.length; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (;;) appendFileSync(filler, BLOCK.subarray(0, size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    close() {
      process.off('exit', unmount);
      unmount();
    },
  };
}
