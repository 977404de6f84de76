import { type FileHandle, open } from 'node:fs/promises';

/** Random reads from one open file through a window, so that walking a large file takes few reads and little memory. */
export type FileReader = {
  size_bytes: number;
  /**
   * Returns exactly the requested bytes; undefined if the file ends before. The buffer is valid until the
   * next read.
   */
  read(offset: number, length: number): Promise<Buffer | undefined>;
  /** Bytes from the offset on, at least one; undefined at the end of the file. Valid until the next read. */
  readSome(offset: number): Promise<Buffer | undefined>;
};

/** Opens the file for the duration of one call. */
export async function withFileReader<T>(path: string, use: (reader: FileReader) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await use(buildReader(file, size));
  } finally {
    await file.close();
  }
}

function buildReader(file: FileHandle, size_bytes: number): FileReader {
  const buffer = Buffer.alloc(Math.min(WINDOW_BYTES, size_bytes));
  let window_start = 0;
  let window_end = 0;

  const fillFrom = async (offset: number): Promise<void> => {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    window_start = offset;
    window_end = offset + bytesRead;
  };
  const isHeld = (offset: number, length: number): boolean =>
    offset >= window_start && offset + length <= window_end;

  return {
    size_bytes,
    async read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > size_bytes) return undefined;
      if (length > buffer.length) return await readWhole(file, offset, length);
      if (!isHeld(offset, length)) await fillFrom(offset);
      return isHeld(offset, length)
        ? buffer.subarray(offset - window_start, offset - window_start + length)
        : undefined;
    },
    async readSome(offset) {
      if (offset < 0 || offset >= size_bytes) return undefined;
      if (!isHeld(offset, 1)) await fillFrom(offset);
      return isHeld(offset, 1)
        ? buffer.subarray(offset - window_start, window_end - window_start)
        : undefined;
    },
  };
}

async function readWhole(file: FileHandle, offset: number, length: number): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  return bytesRead === length ? bytes : undefined;
}

const WINDOW_BYTES = 64 * 1024;
