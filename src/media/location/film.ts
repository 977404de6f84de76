import { MediaError } from '../../core/ports/media.js';
import type { FileReader } from '../identify/file_reader.js';
import { type BoxBudget, BoxError, type BoxHeader } from '../video/iso_boxes.js';
import { MAX_BOXES, MAX_MOOV_BYTES, readBoxBody, readBoxHeader } from '../video/iso_reader.js';
import { cleanMovie } from './film_movie.js';
import type { Range } from './film_samples.js';
import { createPartList, type Part } from './parts.js';

/**
 * The parts of an MP4 or MOV without its location. Only the boxes needed for playback stay unchanged, and
 * texts that name no place; the others become `free` boxes of zeros, so that everything else keeps its
 * offset. The samples of tracks that are neither picture nor sound (positions, subtitles of a drone) are
 * overwritten with zeros. Throws MediaError unreadable if the boxes are inconsistent.
 */
export async function planFilm(reader: FileReader): Promise<readonly Part[]> {
  try {
    const edits = await listEdits(reader);
    const parts = createPartList();
    let offset = 0;
    for (const { start, end, bytes } of edits.sort((a, b) => a.start - b.start)) {
      parts.keep(offset, start);
      if (bytes) parts.replace(bytes);
      parts.blank(end - start - (bytes?.length ?? 0));
      offset = end;
    }
    parts.keep(offset, reader.size_bytes);
    return parts.list();
  } catch (cause) {
    if (!(cause instanceof BoxError)) throw cause;
    throw new MediaError('unreadable', 'The boxes of the film do not add up.', { cause });
  }
}

/** A range that is replaced with these bytes, and with zeros for the rest. */
type Edit = Range & { bytes?: Buffer };

async function listEdits(reader: FileReader): Promise<Edit[]> {
  const budget: BoxBudget = { boxes_left: MAX_BOXES };
  const edits: Edit[] = [];
  const media: Range[] = [];
  const samples: Range[] = [];
  let hasFragments = false;
  let offset = 0;
  while (reader.size_bytes - offset >= 8) {
    const header = await readBoxHeader(reader, offset, budget);
    const start = offset + header.header_bytes;
    const end = offset + header.size_bytes;
    if (header.type === 'moov') {
      const movie = cleanMovie(await readBoxBody(reader, offset, header, MAX_MOOV_BYTES), budget);
      if (movie.bytes) edits.push({ start, end, bytes: movie.bytes });
      samples.push(...movie.samples);
    } else if (header.type === 'mdat') {
      media.push({ start, end });
    } else if (header.type === 'moof') {
      hasFragments = true;
    } else if (!PLAYED.has(header.type) && !(await isBlank(reader, header, start, end))) {
      edits.push({ start: offset, end, bytes: await readFreeHeader(reader, offset, header) });
    }
    offset = end;
  }
  if (!(await isZero(reader, offset, reader.size_bytes)))
    edits.push({ start: offset, end: reader.size_bytes });
  // We would have to work out where a fragment stores the samples of which track; no camera writes such
  // films.
  if (samples.length > 0 && hasFragments) throw new BoxError('fragments of a track of data');
  return [...edits, ...toEdits(samples, media)];
}

/** Ranges of samples, joined if they touch. Throws BoxError for one that is not inside the film's media. */
function toEdits(samples: readonly Range[], media: readonly Range[]): Edit[] {
  const edits: Edit[] = [];
  for (const { start, end } of [...samples].sort((a, b) => a.start - b.start)) {
    if (!media.some((box) => box.start <= start && end <= box.end)) throw new BoxError('samples elsewhere');
    const last = edits.at(-1);
    if (last && last.end >= start) last.end = Math.max(last.end, end);
    else edits.push({ start, end });
  }
  return edits;
}

async function readFreeHeader(reader: FileReader, offset: number, header: BoxHeader): Promise<Buffer> {
  const bytes = await reader.read(offset, header.header_bytes);
  if (bytes === undefined) throw new BoxError('file too short');
  const free = Buffer.from(bytes);
  free.write('free', 4, 'latin1');
  return free;
}

async function isBlank(
  reader: FileReader,
  { type }: BoxHeader,
  start: number,
  end: number,
): Promise<boolean> {
  return EMPTY.has(type) && (await isZero(reader, start, end));
}

async function isZero(reader: FileReader, start: number, end: number): Promise<boolean> {
  for (let offset = start; offset < end;) {
    const chunk = (await reader.readSome(offset))?.subarray(0, end - offset);
    if (chunk === undefined) throw new BoxError('file too short');
    if (chunk.some((byte) => byte !== 0)) return false;
    offset += chunk.length;
  }
  return true;
}

/** In addition to moov, mdat and moof: brands, and the positions of the fragments. */
const PLAYED: ReadonlySet<string> = new Set(['ftyp', 'styp', 'pdin', 'sidx', 'ssix', 'mfra']);
const EMPTY: ReadonlySet<string> = new Set(['free', 'skip', 'wide']);
