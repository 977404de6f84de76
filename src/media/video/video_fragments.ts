import {
  type Box,
  type BoxBudget,
  BoxError,
  findBox,
  listBoxes,
  readUInt32,
  readUInt64,
} from './iso_boxes.js';
import type { Movie } from './video_movie.js';

/** The first and last point in time that the fragments of one track cover, in its media's units. */
export type FragmentSpan = { start: number; end: number };

/** Adds the samples of one `moof` box. Throws BoxError. */
export function addFragment(
  spans: Map<number, FragmentSpan>,
  movie: Movie,
  bytes: Buffer,
  budget: BoxBudget,
): void {
  for (const { type, body } of listBoxes(bytes, budget)) {
    if (type !== 'traf') continue;
    const boxes = listBoxes(body, budget);
    const header = parseTrackFragment(boxes);
    const track = movie.tracks.find((candidate) => candidate.track_id === header.track_id);
    if (track === undefined) throw new BoxError('fragment of no track');
    const sample_duration = header.sample_duration ?? track.default_sample_duration;
    const span = spans.get(track.track_id);
    const start = header.start ?? span?.end ?? 0;
    const end = start + sumRuns(boxes, sample_duration);
    spans.set(track.track_id, {
      start: Math.min(start, span?.start ?? start),
      end: Math.max(end, span?.end ?? end),
    });
  }
}

/** The longest track's seconds; 0 without fragments. */
export function measureFragments(movie: Movie, spans: ReadonlyMap<number, FragmentSpan>): number {
  const seconds = movie.tracks.map((track) => {
    const span = spans.get(track.track_id);
    return span === undefined ? 0 : (span.end - span.start) / track.timescale;
  });
  return Math.max(0, ...seconds);
}

function parseTrackFragment(boxes: readonly Box[]): {
  track_id: number;
  sample_duration: number | undefined;
  start: number | undefined;
} {
  const header = findBox(boxes, 'tfhd');
  if (header === undefined) throw new BoxError('no tfhd');
  const flags = readUInt32(header, 0);
  const offset = 8 + (flags & TFHD.base_data_offset ? 8 : 0) + (flags & TFHD.sample_description ? 4 : 0);
  const decode_time = findBox(boxes, 'tfdt');
  return {
    track_id: readUInt32(header, 4),
    sample_duration: flags & TFHD.sample_duration ? readUInt32(header, offset) : undefined,
    start: decode_time && (decode_time[0] === 1 ? readUInt64(decode_time, 4) : readUInt32(decode_time, 4)),
  };
}

function sumRuns(boxes: readonly Box[], sample_duration: number): number {
  let total = 0;
  for (const { type, body } of boxes) {
    if (type === 'trun') total += sumRun(body, sample_duration);
  }
  return total;
}

function sumRun(bytes: Buffer, sample_duration: number): number {
  const flags = readUInt32(bytes, 0);
  const sample_count = readUInt32(bytes, 4);
  if (!(flags & TRUN.sample_duration)) return sample_count * sample_duration;
  const first = 8 + (flags & TRUN.data_offset ? 4 : 0) + (flags & TRUN.first_sample_flags ? 4 : 0);
  const per_sample_fields = [TRUN.sample_duration, TRUN.sample_size, TRUN.sample_flags, TRUN.time_offset];
  const stride = 4 * per_sample_fields.filter((field) => flags & field).length;
  if (first + sample_count * stride > bytes.length) throw new BoxError('trun too short');
  let total = 0;
  for (let index = 0; index < sample_count; index += 1) total += readUInt32(bytes, first + index * stride);
  return total;
}

const TFHD = { base_data_offset: 0x1, sample_description: 0x2, sample_duration: 0x8 } as const;

const TRUN = {
  data_offset: 0x1,
  first_sample_flags: 0x4,
  sample_duration: 0x100,
  sample_size: 0x200,
  sample_flags: 0x400,
  time_offset: 0x800,
} as const;
