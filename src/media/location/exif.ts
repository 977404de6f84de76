/**
 * Removes the GPS directory and the embedded XMP and IPTC from EXIF data (a TIFF structure), in a copy of the
 * same length: nothing else moves, so orientation, thumbnail and maker notes keep their offsets. Returns the
 * same buffer if there is nothing to remove, undefined if the structure cannot be read.
 */
export function removeExifLocation(tiff: Buffer): Buffer | undefined {
  try {
    const image = openTiff(Buffer.from(tiff));
    cleanDirectories(image);
    return image.removals_left === MAX_REMOVALS ? tiff : image.bytes;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Tiff = {
  bytes: Buffer;
  removals_left: number;
  readUInt16(offset: number): number;
  readUInt32(offset: number): number;
  writeUInt16(value: number, offset: number): void;
};

/** Throws RangeError, as Buffer itself does for an offset out of bounds. */
function openTiff(bytes: Buffer): Tiff {
  const order = bytes.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') throw new RangeError('no byte order');
  const isLittle = order === 'II';
  const image: Tiff = {
    bytes,
    removals_left: MAX_REMOVALS,
    readUInt16: (offset) => (isLittle ? bytes.readUInt16LE(offset) : bytes.readUInt16BE(offset)),
    readUInt32: (offset) => (isLittle ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset)),
    writeUInt16: (value, offset) => {
      if (isLittle) bytes.writeUInt16LE(value, offset);
      else bytes.writeUInt16BE(value, offset);
    },
  };
  if (image.readUInt16(2) !== 42) throw new RangeError('no TIFF');
  return image;
}

/** The main directory, those that follow it (the thumbnail's), and the nested ones for the camera's data. */
function cleanDirectories(image: Tiff): void {
  const waiting = [image.readUInt32(4)];
  const seen = new Set<number>([0]);
  for (let offset = waiting.pop(); offset !== undefined; offset = waiting.pop()) {
    if (seen.has(offset)) continue;
    seen.add(offset);
    if (seen.size > MAX_DIRECTORIES) throw new RangeError('too many directories');
    waiting.push(...cleanDirectory(image, offset));
  }
}

/** Returns the offsets of further directories. */
function cleanDirectory(image: Tiff, directory: number): number[] {
  const further: number[] = [];
  let count = image.readUInt16(directory);
  let thumbnail_offset = 0;
  for (let index = 0; index < count;) {
    const entry = directory + 2 + 12 * index;
    const tag = image.readUInt16(entry);
    if (REMOVED.has(tag)) {
      if (tag === TAG.gps) eraseDirectory(image, image.readUInt32(entry + 8));
      else eraseValue(image, entry);
      removeEntry(image, directory, index, count);
      count -= 1;
      continue;
    }
    if (tag === TAG.exif) further.push(image.readUInt32(entry + 8));
    if (tag === TAG.thumbnail_offset) thumbnail_offset = image.readUInt32(entry + 8);
    index += 1;
  }
  eraseThumbnailMetadata(image, thumbnail_offset);
  const next = directory + 2 + 12 * count;
  // Some writers omit the pointer to the next directory at the end.
  if (next + 4 <= image.bytes.length) further.push(image.readUInt32(next));
  return further;
}

/** Moves the later entries, and the pointer after them, over the one at the index. */
function removeEntry(image: Tiff, directory: number, index: number, count: number): void {
  spendRemoval(image);
  const entry = directory + 2 + 12 * index;
  const end = Math.min(directory + 2 + 12 * count + 4, image.bytes.length);
  image.bytes.copyWithin(entry, entry + 12, end);
  image.bytes.fill(0, end - 12, end);
  image.writeUInt16(count - 1, directory);
}

function eraseDirectory(image: Tiff, directory: number): void {
  // A pointer out of bounds leaves nothing to erase except the entry.
  if (directory + 2 > image.bytes.length) return;
  const count = image.readUInt16(directory);
  if (count > MAX_GPS_ENTRIES) throw new RangeError('too many entries');
  for (let index = 0; index < count; index += 1) eraseValue(image, directory + 2 + 12 * index);
  image.bytes.fill(0, directory, Math.min(directory + 2 + 12 * count + 4, image.bytes.length));
}

/** Values of more than four bytes are stored elsewhere. */
function eraseValue(image: Tiff, entry: number): void {
  const size_bytes = (TYPE_SIZES[image.readUInt16(entry + 2)] ?? 1) * image.readUInt32(entry + 4);
  if (size_bytes <= 4) return;
  const start = image.readUInt32(entry + 8);
  if (start < image.bytes.length) {
    image.bytes.fill(0, start, Math.min(start + size_bytes, image.bytes.length));
  }
}

/** A thumbnail is a JPEG, which may itself have EXIF or XMP: in that case, it is removed as a whole. */
function eraseThumbnailMetadata(image: Tiff, offset: number): void {
  if (offset === 0 || offset >= image.bytes.length) return;
  const thumbnail = image.bytes.subarray(offset);
  if (!thumbnail.includes('Exif\0') && !thumbnail.includes('http://ns.adobe.com/')) return;
  spendRemoval(image);
  thumbnail.fill(0);
}

/** Bounds the work that a directory with many equal entries would cause. */
function spendRemoval(image: Tiff): void {
  image.removals_left -= 1;
  if (image.removals_left < 0) throw new RangeError('too many removals');
}

const TAG = {
  xmp: 0x02bc,
  thumbnail_offset: 0x0201,
  iptc: 0x83bb,
  photoshop: 0x8649,
  exif: 0x8769,
  gps: 0x8825,
} as const;
const REMOVED: ReadonlySet<number> = new Set([TAG.gps, TAG.xmp, TAG.iptc, TAG.photoshop]);

/** By type number: byte, text, short, long, rational and their signed forms. */
const TYPE_SIZES = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4] as const;
const MAX_REMOVALS = 8;
const MAX_DIRECTORIES = 16;
const MAX_GPS_ENTRIES = 64;
