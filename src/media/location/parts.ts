import type { FileReader } from '../identify/file_reader.js';

/** A part of the cleaned file: a range of the original, bytes that replace a range, or a number of zeros. */
export type Part = { start: number; end: number } | Buffer | { zero_bytes: number };

/** Collects the parts of a cleaned file; adjacent ranges of the original become one. */
type PartList = {
  keep(start: number, end: number): void;
  replace(bytes: Buffer): void;
  blank(zero_bytes: number): void;
  list(): readonly Part[];
};

export function createPartList(): PartList {
  const parts: Part[] = [];
  return {
    keep(start, end) {
      if (end <= start) return;
      const last = parts.at(-1);
      if (last !== undefined && 'start' in last && last.end === start) last.end = end;
      else parts.push({ start, end });
    },
    replace(bytes) {
      parts.push(bytes);
    },
    blank(zero_bytes) {
      if (zero_bytes > 0) parts.push({ zero_bytes });
    },
    list: () => parts,
  };
}

/** Whether the parts are exactly the original. */
export function isUnchanged(parts: readonly Part[], size_bytes: number): boolean {
  const [first] = parts;
  return (
    parts.length === 1 &&
    first !== undefined &&
    'start' in first &&
    first.start === 0 &&
    first.end === size_bytes
  );
}

/** The bytes of the cleaned file, in chunks. */
export async function* readParts(reader: FileReader, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) {
      yield part;
      continue;
    }
    if ('zero_bytes' in part) {
      for (let left = part.zero_bytes; left > 0; left -= ZEROS.length) {
        yield left < ZEROS.length ? ZEROS.subarray(0, left) : ZEROS;
      }
      continue;
    }
    let offset = part.start;
    while (offset < part.end) {
      const chunk = await reader.readSome(offset);
      if (chunk === undefined) throw new Error('The staged file became shorter while it was read.');
      // The chunk is copied, since its receiver may still be writing it when the reader reuses its buffer.
      const used = Buffer.from(chunk.subarray(0, part.end - offset));
      offset += used.length;
      yield used;
    }
  }
}

/**
 * Whether metadata, in any of its text forms, contains names of properties that describe a place, or that
 * point to pictures after the end of the file.
 */
export function mentionsLocation(bytes: Buffer): boolean {
  // Without the NULs, UTF-16 reads like ASCII.
  return LOCATION_WORDS.test(bytes.toString('latin1').replaceAll('\0', ''));
}

const ZEROS = Buffer.alloc(64 * 1024);
const LOCATION_WORDS =
  /gps|location|latitude|longitude|geotag|geo:|city|country|photoshop:state|provincestate|gcontainer|hdrgm|motionphoto|microvideo/i;
