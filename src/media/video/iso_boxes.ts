/** ISO base media file format (ISO/IEC 14496-12), as far as it is needed for duration and sound track. */
export type Box = { type: string; body: Buffer };

export type BoxHeader = { type: string; header_bytes: number; size_bytes: number };

/** Counts down over a whole file, so that no nesting of boxes costs more than the budget. */
export type BoxBudget = { boxes_left: number };

/** The boxes are inconsistent; the probe then answers "not readable". */
export class BoxError extends Error {
  override readonly name = 'BoxError';
}

/** Reads a header of 8 or 16 bytes. Size 0 means all remaining bytes. Throws BoxError. */
export function parseBoxHeader(bytes: Buffer, left_bytes: number, budget: BoxBudget): BoxHeader {
  budget.boxes_left -= 1;
  if (budget.boxes_left < 0) throw new BoxError('too many boxes');
  const short_size = readUInt32(bytes, 0);
  const type = bytes.toString('latin1', 4, 8);
  const header_bytes = short_size === 1 ? 16 : 8;
  const size_bytes = short_size === 1 ? readUInt64(bytes, 8) : short_size === 0 ? left_bytes : short_size;
  if (size_bytes < header_bytes || size_bytes > left_bytes) throw new BoxError(`size of ${type}`);
  return { type, header_bytes, size_bytes };
}

/** The boxes directly inside. Fewer than 8 bytes at the end are padding. Throws BoxError. */
export function listBoxes(bytes: Buffer, budget: BoxBudget): Box[] {
  const boxes: Box[] = [];
  let offset = 0;
  while (bytes.length - offset >= 8) {
    const header = parseBoxHeader(bytes.subarray(offset), bytes.length - offset, budget);
    const end = offset + header.size_bytes;
    boxes.push({ type: header.type, body: bytes.subarray(offset + header.header_bytes, end) });
    offset = end;
  }
  return boxes;
}

export function findBox(boxes: readonly Box[], type: string): Buffer | undefined {
  return boxes.find((box) => box.type === type)?.body;
}

/** Throws BoxError if the bytes end before. */
export function readUInt32(bytes: Buffer, offset: number): number {
  if (offset + 4 > bytes.length) throw new BoxError('box too short');
  return bytes.readUInt32BE(offset);
}

/** Throws BoxError if the bytes end before, and for a number that is not exact. */
export function readUInt64(bytes: Buffer, offset: number): number {
  const value = readUInt32(bytes, offset) * 2 ** 32 + readUInt32(bytes, offset + 4);
  if (!Number.isSafeInteger(value)) throw new BoxError('number too large');
  return value;
}
