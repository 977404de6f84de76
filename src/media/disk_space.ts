import { statfs } from 'node:fs/promises';

/** A file of unknown size reserves space in steps of this size. */
const STEP_BYTES = 16 * 1024 * 1024;

/** There is not enough room. Its code is the one that the system would report a little later. */
class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
  readonly code = 'ENOSPC';
}

/** Room for one file that is being written. */
export type Room = {
  /** Reserves bytes before they are written. Throws DiskFullError. */
  take(size_bytes: number): Promise<void> | undefined;
  /** Call it when nothing more is written. */
  release(): void;
};

/** The free space of the disk, less the reservations of files that are being written. */
export type DiskSpace = {
  /** @param size_bytes the bytes to be written, if known. Throws DiskFullError. */
  hold(folder: string, size_bytes?: number): Promise<Room>;
};

const RESERVE_BYTES = 100_000_000;

/**
 * Returns how many bytes files may still take of a disk: its free bytes, minus a reserve that stays free for
 * the database and for other programs (100 MB, or a tenth of a disk below 1 GB).
 */
export async function getSpareBytes(folder: string, min_free_bytes?: number): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize - (min_free_bytes ?? Math.min(RESERVE_BYTES, (blocks * bsize) / 10));
}

/** @param min_free_bytes bytes to leave free instead of the default */
export function createDiskSpace(min_free_bytes?: number): DiskSpace {
  /** Promised to files but not written yet, so that the disk does not count them. */
  let promised_bytes = 0;

  async function promise(folder: string, size_bytes: number): Promise<void> {
    if ((await getSpareBytes(folder, min_free_bytes)) < promised_bytes + size_bytes) {
      throw new DiskFullError('The disk has no room for a file.');
    }
    promised_bytes += size_bytes;
  }

  return {
    async hold(folder, size_bytes = 0) {
      /** Promised, and not taken. */
      let left_bytes = Math.max(size_bytes, 1);
      /**
       * Taken last. Until more is taken, this may still be in flight, so that the disk does not count it
       * either.
       */
      let writing_bytes = 0;
      await promise(folder, left_bytes);
      const noteWritten = (): void => {
        promised_bytes -= writing_bytes;
        writing_bytes = 0;
      };
      const spend = (taken_bytes: number): void => {
        left_bytes -= taken_bytes;
        writing_bytes = taken_bytes;
      };
      const takeMore = async (taken_bytes: number): Promise<void> => {
        const more_bytes = Math.max(STEP_BYTES, taken_bytes);
        await promise(folder, more_bytes);
        left_bytes += more_bytes;
        spend(taken_bytes);
      };
      return {
        take(taken_bytes) {
          noteWritten();
          if (taken_bytes > left_bytes) return takeMore(taken_bytes);
          spend(taken_bytes);
          return undefined;
        },
        release() {
          noteWritten();
          promised_bytes -= left_bytes;
          left_bytes = 0;
        },
      };
    },
  };
}
