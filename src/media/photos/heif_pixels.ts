import { type Box, type BoxBudget, BoxError, findBox, listBoxes, readUInt32 } from '../video/iso_boxes.js';

/**
 * The number of pixels that a decoder decodes to show the main picture of a HEIC or AVIF file, according to
 * its header (ISO/IEC 23008-12): every tile, each time it is used, every layer, and the transparency. The
 * canvas size is no guide: a small one can have hundreds of large tiles. Infinity for pictures that are
 * nested deeper than any real one; undefined if the header cannot be read. A header can lie, so the decoder's
 * time and memory are limited as well.
 */
export function countHeifPixels(file: Buffer): number | undefined {
  const budget = { boxes_left: MAX_BOXES };
  try {
    const meta = findBox(listBoxes(file, budget), 'meta');
    if (meta === undefined) return undefined;
    const boxes = listBoxes(meta.subarray(VERSION_BYTES), budget);
    const primary = readPrimary(findBox(boxes, 'pitm'));
    const parts = readReferences(findBox(boxes, 'iref'), budget);
    const sizes = readSizes(findBox(boxes, 'iprp'), budget);
    return primary === undefined ? undefined : sum(primary, { ...parts, sizes, counted: new Map() }, 0);
  } catch (error) {
    if (error instanceof BoxError) return undefined;
    throw error;
  }
}

type Items = {
  /** The pictures that a picture consists of, in order, including repetitions. */
  made_of: ReadonlyMap<number, number[]>;
  /** The pictures that hold the transparency of a picture. */
  transparency: ReadonlyMap<number, number[]>;
  sizes: ReadonlyMap<number, number>;
  /** Each picture is counted once, however often it is used. */
  counted: Map<number, number>;
};

function sum(item: number, items: Items, depth: number): number {
  if (depth > MAX_DEPTH) return Infinity;
  const known = items.counted.get(item);
  if (known !== undefined) return known;
  const sources = items.made_of.get(item);
  let pixels = sources === undefined ? (items.sizes.get(item) ?? 0) : 0;
  for (const source of sources ?? []) pixels += sum(source, items, depth + 1);
  for (const mask of items.transparency.get(item) ?? []) pixels += sum(mask, items, depth + 1);
  items.counted.set(item, pixels);
  return pixels;
}

function readPrimary(pitm: Buffer | undefined): number | undefined {
  if (pitm === undefined) return undefined;
  return readUInt(pitm, VERSION_BYTES, pitm[0] === 0 ? 2 : 4);
}

function readReferences(
  iref: Buffer | undefined,
  budget: BoxBudget,
): Pick<Items, 'made_of' | 'transparency'> {
  const made_of = new Map<number, number[]>();
  const transparency = new Map<number, number[]>();
  if (iref === undefined) return { made_of, transparency };
  const id_bytes = iref[0] === 0 ? 2 : 4;
  let references_left = MAX_REFERENCES;
  for (const { type, body } of listBoxes(iref.subarray(VERSION_BYTES), budget)) {
    const from = readUInt(body, 0, id_bytes);
    const count = readUInt(body, id_bytes, 2);
    references_left -= count;
    if (references_left < 0) throw new BoxError('too many references');
    for (let index = 0; index < count; index += 1) {
      const to = readUInt(body, id_bytes + 2 + index * id_bytes, id_bytes);
      if (type === 'dimg') add(made_of, from, to);
      // Other auxiliary pictures, such as depth, are not decoded, but few files have them.
      if (type === 'auxl') add(transparency, to, from);
    }
  }
  return { made_of, transparency };
}

function add(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The pixels of each picture, from the size among its properties. */
function readSizes(iprp: Buffer | undefined, budget: BoxBudget): Map<number, number> {
  const sizes = new Map<number, number>();
  if (iprp === undefined) return sizes;
  const boxes = listBoxes(iprp, budget);
  const properties = listBoxes(findBox(boxes, 'ipco') ?? Buffer.alloc(0), budget);
  for (const { type, body } of boxes) {
    if (type === 'ipma') readAssociations(body, (item, index) => addSize(sizes, item, properties[index - 1]));
  }
  return sizes;
}

/** The largest, if a file names several. */
function addSize(sizes: Map<number, number>, item: number, property: Box | undefined): void {
  if (property?.type !== 'ispe') return;
  const { body } = property;
  const pixels = readUInt32(body, VERSION_BYTES) * readUInt32(body, VERSION_BYTES + 4);
  sizes.set(item, Math.max(pixels, sizes.get(item) ?? 0));
}

/** @param onProperty called with an item and the index of one of its properties, from 1 */
function readAssociations(ipma: Buffer, onProperty: (item: number, index: number) => void): void {
  const id_bytes = ipma[0] === 0 ? 2 : 4;
  const hasLongIndexes = ((ipma[3] ?? 0) & 1) === 1;
  let offset = VERSION_BYTES + 4;
  for (let left = readUInt32(ipma, VERSION_BYTES); left > 0; left -= 1) {
    const item = readUInt(ipma, offset, id_bytes);
    const count = readUInt(ipma, offset + id_bytes, 1);
    offset += id_bytes + 1;
    for (let at = 0; at < count; at += 1) {
      // The first bit says whether a reader must know the property.
      onProperty(
        item,
        hasLongIndexes ? readUInt(ipma, offset, 2) & 0x7fff : readUInt(ipma, offset, 1) & 0x7f,
      );
      offset += hasLongIndexes ? 2 : 1;
    }
  }
}

function readUInt(bytes: Buffer, offset: number, length: number): number {
  if (offset + length > bytes.length) throw new BoxError('box too short');
  return bytes.readUIntBE(offset, length);
}

const VERSION_BYTES = 4;
const MAX_BOXES = 20_000;
const MAX_REFERENCES = 100_000;
const MAX_DEPTH = 8;
