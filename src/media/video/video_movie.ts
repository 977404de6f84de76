import {
  type Box,
  type BoxBudget,
  BoxError,
  findBox,
  listBoxes,
  readUInt32,
  readUInt64,
} from './iso_boxes.js';

/** Facts from the `moov` box. */
export type Movie = {
  /** 0 if it does not say (a fragmented file). */
  duration_seconds: number;
  has_sound: boolean;
  /** Size of the first picture track, after rotation, in pixels. */
  width: number | null;
  height: number | null;
  tracks: readonly Track[];
};

type Track = {
  track_id: number;
  /** `vide`, `soun` and others. */
  media: string;
  /** Units of the media per second. */
  timescale: number;
  /** For the samples of fragments that state none; in the media's units. */
  default_sample_duration: number;
  /** In the movie's units, after edits. */
  edited_duration: number;
  /** In the media's units, before edits. */
  media_duration: number;
  width: number;
  height: number;
};

/** Throws BoxError. */
export function parseMovie(bytes: Buffer, budget: BoxBudget): Movie {
  const boxes = listBoxes(bytes, budget);
  const header = parseDurationHeader(need(boxes, 'mvhd'));
  const extension = findBox(boxes, 'mvex');
  const extension_boxes = extension === undefined ? [] : listBoxes(extension, budget);
  const default_durations = parseDefaultDurations(extension_boxes);
  const track_bodies = boxes.filter((box) => box.type === 'trak');
  if (track_bodies.length > MAX_TRACKS) throw new BoxError('too many tracks');
  const tracks = track_bodies.map((box) => parseTrack(box.body, default_durations, budget));

  const picture = tracks.find((track) => track.media === 'vide' && track.width > 0 && track.height > 0);
  return {
    duration_seconds: measureMovie(header, tracks, extension_boxes),
    has_sound: tracks.some((track) => track.media === 'soun'),
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    tracks,
  };
}

type DurationHeader = { timescale: number; duration: number };

function measureMovie(
  header: DurationHeader,
  tracks: readonly Track[],
  extension_boxes: readonly Box[],
): number {
  const fragments_header = findBox(extension_boxes, 'mehd');
  const fragments_duration = fragments_header === undefined ? 0 : readVersioned(fragments_header, 4, 4);
  // The longest duration counts: a header that claims less than a track has would otherwise pass the limit.
  const duration = Math.max(
    header.duration,
    fragments_duration,
    ...tracks.map((track) => track.edited_duration),
  );
  if (duration > 0) return duration / header.timescale;
  return Math.max(0, ...tracks.map((track) => track.media_duration / track.timescale));
}

function parseTrack(bytes: Buffer, default_durations: ReadonlyMap<number, number>, budget: BoxBudget): Track {
  const boxes = listBoxes(bytes, budget);
  const header = need(boxes, 'tkhd');
  const hasLongTimes = isLong(header);
  const track_id = readUInt32(header, hasLongTimes ? 20 : 12);
  const media_boxes = listBoxes(need(boxes, 'mdia'), budget);
  const media_header = parseDurationHeader(need(media_boxes, 'mdhd'));
  const handler = need(media_boxes, 'hdlr');
  return {
    track_id,
    media: handler.toString('latin1', 8, 12),
    timescale: media_header.timescale,
    default_sample_duration: default_durations.get(track_id) ?? 0,
    edited_duration: readVersioned(header, 20, 28),
    media_duration: media_header.duration,
    ...parsePictureSize(header.subarray(hasLongTimes ? 52 : 40)),
  };
}

/** A matrix of nine numbers, then width and height in 16.16; a quarter turn swaps the two. */
function parsePictureSize(bytes: Buffer): { width: number; height: number } {
  const width = Math.round(readUInt32(bytes, 36) / 65_536);
  const height = Math.round(readUInt32(bytes, 40) / 65_536);
  const isTurned = readUInt32(bytes, 0) === 0 && readUInt32(bytes, 4) !== 0 && readUInt32(bytes, 16) === 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** `mvhd` and `mdhd` begin alike. */
function parseDurationHeader(bytes: Buffer): DurationHeader {
  const timescale = readUInt32(bytes, isLong(bytes) ? 20 : 12);
  if (timescale === 0) throw new BoxError('timescale of 0');
  return { timescale, duration: readVersioned(bytes, 16, 24) };
}

function parseDefaultDurations(boxes: readonly Box[]): Map<number, number> {
  const durations = new Map<number, number>();
  for (const { type, body } of boxes) {
    if (type === 'trex') durations.set(readUInt32(body, 4), readUInt32(body, 12));
  }
  return durations;
}

/** A duration of 32 or 64 bits, depending on the box's version; all ones means unknown and is returned as 0. */
function readVersioned(bytes: Buffer, short_offset: number, long_offset: number): number {
  if (!isLong(bytes)) {
    const value = readUInt32(bytes, short_offset);
    return value === ALL_ONES ? 0 : value;
  }
  const isUnknown =
    readUInt32(bytes, long_offset) === ALL_ONES && readUInt32(bytes, long_offset + 4) === ALL_ONES;
  return isUnknown ? 0 : readUInt64(bytes, long_offset);
}

function isLong(bytes: Buffer): boolean {
  return bytes[0] === 1;
}

function need(boxes: readonly Box[], type: string): Buffer {
  const body = findBox(boxes, type);
  if (body === undefined) throw new BoxError(`no ${type}`);
  return body;
}

const MAX_TRACKS = 32;
const ALL_ONES = 0xffff_ffff;
