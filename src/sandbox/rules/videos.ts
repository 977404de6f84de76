import { INVENTED } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';

const SECONDS = { least: 3, most: 15 } as const;
/** Minimum of the longer side. */
const MIN_PIXELS = 500;

/**
 * Requires an MP4 or MOV of 3 to 15 seconds that is not too small. Facts that its header does not state, as
 * in fragmented files, are not checked.
 */
export function checkMovie(bytes: Buffer): void {
  const first = bytes.toString('latin1', 4, 8);
  // Old MOV files begin without ftyp.
  if (!['ftyp', 'moov', 'mdat', 'wide', 'free'].includes(first)) {
    throw buildRefusal(400, INVENTED.video_type);
  }
  const moov = listBoxes(bytes).find(({ type }) => type === 'moov');
  const boxes = moov ? listBoxes(moov.body) : [];
  const seconds = readSeconds(boxes.find(({ type }) => type === 'mvhd')?.body);
  if (seconds > 0 && (seconds < SECONDS.least || seconds > SECONDS.most)) {
    throw buildRefusal(400, INVENTED.video_length);
  }
  const sides = boxes.filter(({ type }) => type === 'trak').flatMap(({ body }) => readSides(body));
  const longest = Math.max(0, ...sides);
  if (longest > 0 && longest < MIN_PIXELS) throw buildRefusal(400, INVENTED.video_small);
}

type Box = { type: string; body: Buffer };

/** The boxes up to the first one that extends beyond the end. */
function listBoxes(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) break;
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return boxes;
}

/** Version 1 of a header has 64-bit times. */
function isLong(header: Buffer): boolean {
  return header[0] === 1;
}

function readSeconds(mvhd: Buffer | undefined): number {
  if (!mvhd || mvhd.length < 32) return 0;
  const timescale = mvhd.readUInt32BE(isLong(mvhd) ? 20 : 12);
  const duration = isLong(mvhd) ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  return timescale === 0 ? 0 : duration / timescale;
}

/** Width and height, the last two fields, in 16.16 fixed point. A sound track has 0. */
function readSides(trak: Buffer): number[] {
  const tkhd = listBoxes(trak).find(({ type }) => type === 'tkhd')?.body;
  const end = tkhd && (isLong(tkhd) ? 96 : 84);
  if (!tkhd || end === undefined || tkhd.length < end) return [];
  return [tkhd.readUInt32BE(end - 8) / 65_536, tkhd.readUInt32BE(end - 4) / 65_536];
}
