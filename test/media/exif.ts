/** Builds and reads EXIF data: one TIFF structure with the data a camera writes. */
type ByteOrder = 'II' | 'MM';

/** Main directory with orientation, camera data and GPS, then a thumbnail's directory. */
export function buildExif(
  options: { order?: ByteOrder; orientation?: number; thumbnail?: Buffer } = {},
): Buffer {
  const {
    order = 'II',
    orientation = 6,
    thumbnail = Buffer.from('\xff\xd8thumbnail\xff\xd9', 'latin1'),
  } = options;
  const layout = { main: 8, camera: 100, gps: 200, thumb: 400, latitude: 300, note: 350, picture: 450 };
  const bytes = Buffer.alloc(layout.picture + thumbnail.length);
  bytes.write(order, 0, 'latin1');
  const { u16, u32 } = writers(bytes, order);
  u16(42, 2);
  u32(layout.main, 4);

  const putDirectory = (
    at: number,
    entries: readonly [tag: number, type: number, count: number, value: number][],
    next: number,
  ): void => {
    u16(entries.length, at);
    entries.forEach(([tag, type, count, value], index) => {
      const entry = at + 2 + 12 * index;
      u16(tag, entry);
      u16(type, entry + 2);
      u32(count, entry + 4);
      if (type === 3 && count === 1) u16(value, entry + 8);
      else u32(value, entry + 8);
    });
    u32(next, at + 2 + 12 * entries.length);
  };
  putDirectory(
    layout.main,
    [
      [0x0112, 3, 1, orientation],
      [0x8769, 4, 1, layout.camera],
      [0x8825, 4, 1, layout.gps],
      [0xa001, 3, 1, 1],
    ],
    layout.thumb,
  );
  putDirectory(layout.camera, [[0x927c, 7, 20, layout.note]], 0);
  putDirectory(layout.gps, [[2, 5, 3, layout.latitude]], 0);
  putDirectory(
    layout.thumb,
    [
      [0x0201, 4, 1, layout.picture],
      [0x0202, 4, 1, thumbnail.length],
    ],
    0,
  );
  bytes.write('SECRET-COORDINATES-HERE!', layout.latitude, 'latin1');
  bytes.write('notes of the maker..', layout.note, 'latin1');
  thumbnail.copy(bytes, layout.picture);
  return bytes;
}

/** Every entry of the main directory and the following ones, by tag; throws if the structure is invalid. */
export function readExif(tiff: Buffer): Map<number, Buffer> {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number): number => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const entries = new Map<number, Buffer>();
  const waiting = [u32(4)];
  for (
    let directory = waiting.shift();
    directory !== undefined && directory !== 0;
    directory = waiting.shift()
  ) {
    const count = u16(directory);
    for (let index = 0; index < count; index += 1) {
      const entry = directory + 2 + 12 * index;
      const size = (TYPE_SIZES[u16(entry + 2)] ?? 1) * u32(entry + 4);
      const at = size > 4 ? u32(entry + 8) : entry + 8;
      entries.set(u16(entry), tiff.subarray(at, at + size));
      if (u16(entry) === 0x8769) waiting.push(u32(entry + 8));
    }
    waiting.push(u32(directory + 2 + 12 * count));
  }
  return entries;
}

const TYPE_SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8] as const;

function writers(bytes: Buffer, order: ByteOrder) {
  const isLittle = order === 'II';
  return {
    u16: (value: number, at: number) =>
      isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at),
    u32: (value: number, at: number) =>
      isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at),
  };
}
