import { type Box, BoxError, findBox, listBoxes } from '../video/iso_boxes.js';

/**
 * The ICC colour profile of a HEIC file, when all of its pictures with a profile have the same one; undefined otherwise. Without it
 * a screen shows a phone's photo in other colours, since the same numbers mean another colour there.
 */
export function findColourProfile(file: Buffer): Buffer | undefined {
  const budget = { boxes_left: MAX_BOXES };
  const open = (boxes: readonly Box[], type: string, skipped_bytes = 0) =>
    listBoxes(findBox(boxes, type)?.subarray(skipped_bytes) ?? Buffer.alloc(0), budget);
  try {
    const meta = open(listBoxes(file, budget), 'meta', VERSION_BYTES);
    const profiles = open(open(meta, 'iprp'), 'ipco')
      .filter(({ type, body }) => type === 'colr' && ICC_TYPES.has(body.toString('latin1', 0, 4)))
      .map(({ body }) => body.subarray(4));
    const [first] = profiles;
    const is_one = first !== undefined && profiles.every((other) => other.equals(first));
    return is_one && first.length > 0 && first.length <= MAX_PROFILE_BYTES ? first : undefined;
  } catch (error) {
    if (error instanceof BoxError) return undefined;
    throw error;
  }
}

/** The JPEG with this profile, in a segment behind its first marker. */
export function withColourProfile(jpeg: Buffer, profile: Buffer): Buffer {
  // Segment 1 of 1 (ICC.1, annex B.4).
  const body = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile]);
  const head = Buffer.from([0xff, 0xe2, 0, 0]);
  head.writeUInt16BE(2 + body.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

const VERSION_BYTES = 4;
const ICC_TYPES: ReadonlySet<string> = new Set(['prof', 'rICC']);
const MAX_BOXES = 10_000;
/** Bytes that one segment of a JPEG holds beside its name. */
const MAX_PROFILE_BYTES = 65_519;
