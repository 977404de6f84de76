import type { MediaIdentity } from '../core/ports/media.js';
import type { FileReader } from './file_reader.js';
import { type BoxBudget, BoxError, type BoxHeader, parseBoxHeader } from './iso_boxes.js';
import { addFragment, type FragmentSpan, measureFragments } from './video_fragments.js';
import { type Movie, parseMovie } from './video_movie.js';

type VideoIdentity = NonNullable<MediaIdentity['video']>;

/**
 * Length, sound and picture size of an MP4 or MOV; undefined when its boxes cannot be read. Bounded by the budget: the
 * nesting is that of the five containers it enters, samples are never read.
 */
export async function probeVideo(reader: FileReader): Promise<VideoIdentity | undefined> {
  try {
    const { movie, spans } = await readTopLevel(reader);
    if (movie === undefined) return undefined;
    const duration_seconds = Math.max(movie.duration_seconds, measureFragments(movie, spans));
    if (!Number.isFinite(duration_seconds) || duration_seconds <= 0) return undefined;
    const { has_sound, width, height } = movie;
    return { duration_seconds, has_sound, width, height };
  } catch (error) {
    if (error instanceof BoxError) return undefined;
    throw error;
  }
}

async function readTopLevel(
  reader: FileReader,
): Promise<{ movie: Movie | undefined; spans: Map<number, FragmentSpan> }> {
  const budget: BoxBudget = { boxes_left: MAX_BOXES };
  const spans = new Map<number, FragmentSpan>();
  let movie: Movie | undefined;
  let fragment_bytes_left = MAX_FRAGMENTS_BYTES;
  let offset = 0;
  while (reader.size_bytes - offset >= 8) {
    const header = await readHeader(reader, offset, budget);
    if (header.type === 'moov') {
      if (movie !== undefined) throw new BoxError('two moov');
      movie = parseMovie(await readBody(reader, offset, header, MAX_MOOV_BYTES), budget);
    } else if (header.type === 'moof') {
      if (movie === undefined) throw new BoxError('moof before moov');
      fragment_bytes_left -= header.size_bytes;
      addFragment(spans, movie, await readBody(reader, offset, header, fragment_bytes_left), budget);
    }
    offset += header.size_bytes;
  }
  return { movie, spans };
}

async function readHeader(reader: FileReader, offset: number, budget: BoxBudget): Promise<BoxHeader> {
  const left_bytes = reader.size_bytes - offset;
  const bytes = await reader.read(offset, Math.min(16, left_bytes));
  if (bytes === undefined) throw new BoxError('file too short');
  return parseBoxHeader(bytes, left_bytes, budget);
}

async function readBody(
  reader: FileReader,
  offset: number,
  header: BoxHeader,
  limit_bytes: number,
): Promise<Buffer> {
  if (header.size_bytes > limit_bytes) throw new BoxError(`${header.type} too large`);
  const body = await reader.read(offset + header.header_bytes, header.size_bytes - header.header_bytes);
  if (body === undefined) throw new BoxError('file too short');
  return body;
}

const MAX_BOXES = 20_000;
const MAX_MOOV_BYTES = 16 * 1024 * 1024;
const MAX_FRAGMENTS_BYTES = 32 * 1024 * 1024;
