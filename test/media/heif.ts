import { readFile } from 'node:fs/promises';
import { findBox, listBoxes } from '../../src/media/video/iso_boxes.js';
import { box, u32 } from './boxes.js';
import { fixture } from './sample.js';

/**
 * A HEIC file whose main picture is a square grid of tiles, each the 4,000 × 3,000 pixels of large.heic,
 * whose bytes they share. @param grid `uses`: the number of grid places that the tiles fill, starting over
 * when they run out; by default each fills one. `named_side`: the tiles' side length according to the header,
 * if it lies
 */
export async function buildGrid(grid: {
  canvas: number;
  tiles: number;
  uses?: number;
  named_side?: number;
}): Promise<Buffer> {
  const { canvas, tiles, uses = tiles, named_side } = grid;
  const { configuration, pixels } = await readLarge();
  const side = Math.sqrt(uses);
  const ids = Array.from({ length: tiles }, (_, index) => index + 2);
  const used = Array.from({ length: uses }, (_, index) => ids[index % tiles] ?? 0);
  const entry = (id: number, type: string) =>
    box('infe', u32(0x0200_0000), u16(id, 0), Buffer.from(`${type}\0`));
  const properties = box(
    'ipco',
    box('hvcC', configuration),
    named_side === undefined ? ispe(4_000, 3_000) : ispe(named_side, named_side),
    ispe(canvas, canvas),
  );
  const associations = [
    Buffer.concat([u16(1), Buffer.from([1, 3])]),
    ...ids.map((id) => Buffer.concat([u16(id), Buffer.from([2, 0x81, 2])])),
  ];
  const layout = Buffer.concat([Buffer.from([0, 0, side - 1, side - 1]), u16(canvas, canvas)]);
  const build = (at: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', u32(0), u16(1)),
      box('iinf', u32(0), u16(tiles + 1), entry(1, 'grid'), ...ids.map((id) => entry(id, 'hvc1'))),
      box('iref', u32(0), box('dimg', u16(1, uses, ...used))),
      box('iprp', properties, box('ipma', u32(0, associations.length), ...associations)),
      box('idat', layout),
      // Version 1: the grid in idat, the tiles in the file.
      box(
        'iloc',
        u32(0x0100_0000),
        Buffer.from([0x44, 0]),
        u16(tiles + 1),
        Buffer.concat([u16(1, 1, 0, 1), u32(0, layout.length)]),
        ...ids.map((id) => Buffer.concat([u16(id, 0, 0, 1), u32(at, pixels.length)])),
      ),
    );
  const type = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'));
  const at = type.length + build(0).length + 8;
  return Buffer.concat([type, build(at), box('mdat', pixels)]);
}

const ispe = (width: number, height: number): Buffer => box('ispe', u32(0, width, height));

/**
 * The decoder's configuration and the compressed pixels of large.heic, whose first item has them in one
 * piece.
 */
async function readLarge(): Promise<{ configuration: Buffer; pixels: Buffer }> {
  const file = await readFile(fixture('large.heic'));
  const budget = { boxes_left: 1_000 };
  const open = (boxes: ReturnType<typeof listBoxes>, name: string, skipped = 0) =>
    listBoxes(findBox(boxes, name)?.subarray(skipped) ?? Buffer.alloc(0), budget);
  const meta = open(listBoxes(file, budget), 'meta', 4);
  const configuration = findBox(open(open(meta, 'iprp'), 'ipco'), 'hvcC');
  const iloc = findBox(meta, 'iloc');
  if (configuration === undefined || iloc === undefined) throw new Error('large.heic has changed.');
  return { configuration, pixels: readFirstExtent(file, iloc) };
}

/** Version 0, one item with a base and one extent, each of four bytes, as in the fixture. */
function readFirstExtent(file: Buffer, iloc: Buffer): Buffer {
  const start = iloc.readUInt32BE(12) + iloc.readUInt32BE(18);
  return file.subarray(start, start + iloc.readUInt32BE(22));
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index));
  return bytes;
}
