import { type Box, type BoxBudget, findBox, listBoxes, parseBoxHeader } from '../video/iso_boxes.js';
import { listSampleRanges, type Range } from './film_samples.js';
import { mentionsLocation } from './parts.js';

/** The content of `moov` without location; no bytes if there is nothing to change. */
type CleanMovie = {
  bytes: Buffer | undefined;
  /** The positions of the removed tracks' samples in the file. */
  samples: readonly Range[];
};

/** Cleans a copy: removed boxes become `free` boxes of zeros, so that no offset changes. Throws BoxError. */
export function cleanMovie(body: Buffer, budget: BoxBudget): CleanMovie {
  const bytes = Buffer.from(body);
  const samples: Range[] = [];
  const isChanged = cleanBoxes(bytes, MOVIE, { budget, samples });
  return { bytes: isChanged ? bytes : undefined, samples };
}

/**
 * How to clean a box: keep it, keep it if its text names no place, or clean its inner boxes. Boxes without a
 * rule are removed.
 */
type Rule = 'keep' | 'text' | 'track' | Rules;
type Rules = { readonly [type: string]: Rule };

type Cleaning = { budget: BoxBudget; samples: Range[] };

function cleanBoxes(bytes: Buffer, rules: Rules, cleaning: Cleaning): boolean {
  let isChanged = false;
  let offset = 0;
  while (bytes.length - offset >= 8) {
    const header = parseBoxHeader(bytes.subarray(offset), bytes.length - offset, cleaning.budget);
    const box = bytes.subarray(offset, offset + header.size_bytes);
    const body = box.subarray(header.header_bytes);
    const rule = Object.hasOwn(rules, header.type) ? rules[header.type] : undefined;
    if (applyRule(rule, box, body, cleaning)) isChanged = true;
    offset += header.size_bytes;
  }
  return fillZero(bytes.subarray(offset)) || isChanged;
}

function applyRule(rule: Rule | undefined, box: Buffer, body: Buffer, cleaning: Cleaning): boolean {
  if (rule === 'keep' || (rule === 'text' && !mentionsLocation(body))) return false;
  if (rule === 'track') return cleanTrack(box, body, cleaning);
  if (typeof rule === 'object') return cleanBoxes(body.subarray(findFirstBox(rule, body)), rule, cleaning);
  return blank(box, body);
}

/**
 * Keeps a track of pictures or sound; removes any other with its samples, which are reported to the function
 * that writes the file.
 */
function cleanTrack(box: Buffer, body: Buffer, cleaning: Cleaning): boolean {
  const media = listInside(listBoxes(body, cleaning.budget), 'mdia', cleaning.budget);
  const handler = findBox(media, 'hdlr')?.toString('latin1', 8, 12) ?? '';
  if (PLAYED_MEDIA.has(handler)) return cleanBoxes(body, TRACK, cleaning);
  const samples = listInside(listInside(media, 'minf', cleaning.budget), 'stbl', cleaning.budget);
  cleaning.samples.push(...listSampleRanges(samples));
  return blank(box, body);
}

function listInside(boxes: readonly Box[], type: string, budget: BoxBudget): Box[] {
  const body = findBox(boxes, type);
  return body === undefined ? [] : listBoxes(body, budget);
}

/** `meta` begins with a version in MP4, and without one in QuickTime. */
function findFirstBox(rules: Rules, body: Buffer): number {
  return rules === METADATA && body.toString('latin1', 4, 8) !== 'hdlr' ? Math.min(4, body.length) : 0;
}

/** Makes a box `free`, with the same size. Returns false if it already was. */
function blank(box: Buffer, body: Buffer): boolean {
  const isFree = EMPTY.has(box.toString('latin1', 4, 8));
  if (!isFree) box.write('free', 4, 'latin1');
  return fillZero(body) || !isFree;
}

/** Returns false if all were zero already. */
function fillZero(bytes: Buffer): boolean {
  if (bytes.every((byte) => byte === 0)) return false;
  bytes.fill(0);
  return true;
}

const EMPTY: ReadonlySet<string> = new Set(['free', 'skip', 'wide']);

/** Pictures, sound, a second picture for transparency, and time codes. */
const PLAYED_MEDIA: ReadonlySet<string> = new Set(['vide', 'soun', 'auxv', 'tmcd']);

/** Title, copyright, and the program that wrote it. */
const TEXTS: Rules = {
  '\xa9nam': 'text',
  '\xa9cpy': 'text',
  '\xa9too': 'text',
  '\xa9swr': 'text',
  cprt: 'text',
  name: 'text',
  titl: 'text',
};
const METADATA: Rules = { hdlr: 'keep', ilst: TEXTS };
const USER_DATA: Rules = { ...TEXTS, meta: METADATA };
const TRACK: Rules = {
  tkhd: 'keep',
  edts: 'keep',
  // Without references to tracks that are removed.
  tref: { tmcd: 'keep', auxl: 'keep' },
  tapt: 'keep',
  clip: 'keep',
  load: 'keep',
  mdia: { mdhd: 'keep', hdlr: 'keep', elng: 'keep', minf: 'keep' },
  udta: USER_DATA,
};
const MOVIE: Rules = { mvhd: 'keep', mvex: 'keep', iods: 'keep', trak: 'track', udta: USER_DATA };
