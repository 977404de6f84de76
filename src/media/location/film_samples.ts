import { type Box, BoxError, findBox, readUInt32, readUInt64 } from '../video/iso_boxes.js';

/** A range of the file; the end is exclusive. */
export type Range = { start: number; end: number };

/**
 * The positions of a track's samples in the file, one chunk at a time, from the boxes of its sample table.
 * Throws BoxError.
 */
export function listSampleRanges(table: readonly Box[]): Range[] {
  const chunks = readChunkOffsets(table);
  const runs = readRuns(need(table, 'stsc'));
  const sumSizes = openSizes(table);
  const ranges: Range[] = [];
  let run = 0;
  let first_sample = 0;
  for (const [index, start] of chunks.entries()) {
    while ((runs[run + 1]?.first_chunk ?? Infinity) <= index + 1) run += 1;
    const count = runs[run]?.samples_per_chunk ?? 0;
    const size_bytes = sumSizes(first_sample, count);
    if (size_bytes > 0) ranges.push({ start, end: start + size_bytes });
    first_sample += count;
  }
  return ranges;
}

function readChunkOffsets(table: readonly Box[]): number[] {
  const short = findBox(table, 'stco');
  const bytes = short ?? need(table, 'co64');
  const count = readUInt32(bytes, 4);
  if (count > MAX_CHUNKS) throw new BoxError('too many chunks');
  return Array.from({ length: count }, (_, index) =>
    short ? readUInt32(bytes, 8 + 4 * index) : readUInt64(bytes, 8 + 8 * index),
  );
}

/** From a chunk on (counted from 1), the number of samples in each. */
function readRuns(bytes: Buffer): { first_chunk: number; samples_per_chunk: number }[] {
  const count = readUInt32(bytes, 4);
  if (count > MAX_CHUNKS) throw new BoxError('too many runs of chunks');
  return Array.from({ length: count }, (_, index) => ({
    first_chunk: readUInt32(bytes, 8 + 12 * index),
    samples_per_chunk: readUInt32(bytes, 12 + 12 * index),
  }));
}

/** Sums the sizes of `count` samples from a given one; each is read once, so that all chunks cost one pass. */
function openSizes(table: readonly Box[]): (first: number, count: number) => number {
  const bytes = need(table, 'stsz');
  const common_bytes = readUInt32(bytes, 4);
  const sample_count = readUInt32(bytes, 8);
  return (first, count) => {
    if (first + count > sample_count) throw new BoxError('more samples than sizes');
    if (common_bytes > 0) return common_bytes * count;
    let total = 0;
    for (let sample = first; sample < first + count; sample += 1) total += readUInt32(bytes, 12 + 4 * sample);
    return total;
  };
}

function need(table: readonly Box[], type: string): Buffer {
  const body = findBox(table, type);
  if (body === undefined) throw new BoxError(`no ${type}`);
  return body;
}

/** A film of 15 seconds has a few hundred. */
const MAX_CHUNKS = 20_000;
