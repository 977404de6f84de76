import type { MediaIdentity } from '../../core/ports/media.js';
import type { FileReader } from '../identify/file_reader.js';
import { type BoxBudget, BoxError } from './iso_boxes.js';
import { MAX_BOXES, MAX_MOOV_BYTES, readBoxBody, readBoxHeader } from './iso_reader.js';
import { addFragment, type FragmentSpan, measureFragments } from './video_fragments.js';
import { type Movie, parseMovie } from './video_movie.js';

type VideoIdentity = NonNullable<MediaIdentity['video']>;

/* Our own parser: the existing ones (mp4box, music-metadata, mediabunny) hung on crafted files when we tried
   them, and the process with them. This one has a budget of boxes and bytes; the fuzz tests check that it
   terminates in time. */

/**
 * Duration, sound and picture size of an MP4 or MOV; undefined if its boxes cannot be read. The budget bounds
 * the work: it goes no deeper than the five containers that it enters, and reads no samples.
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
    const header = await readBoxHeader(reader, offset, budget);
    if (header.type === 'moov') {
      if (movie !== undefined) throw new BoxError('two moov');
      movie = parseMovie(await readBoxBody(reader, offset, header, MAX_MOOV_BYTES), budget);
    } else if (header.type === 'moof') {
      if (movie === undefined) throw new BoxError('moof before moov');
      fragment_bytes_left -= header.size_bytes;
      addFragment(spans, movie, await readBoxBody(reader, offset, header, fragment_bytes_left), budget);
    }
    offset += header.size_bytes;
  }
  return { movie, spans };
}

const MAX_FRAGMENTS_BYTES = 32 * 1024 * 1024;
