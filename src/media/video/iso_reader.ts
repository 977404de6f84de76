import type { FileReader } from '../identify/file_reader.js';
import { type BoxBudget, BoxError, type BoxHeader, parseBoxHeader } from './iso_boxes.js';

/** Maximum number of boxes in one film; one with more is not a film of 15 seconds. */
export const MAX_BOXES = 20_000;
export const MAX_MOOV_BYTES = 16 * 1024 * 1024;

/** Throws BoxError. */
export async function readBoxHeader(
  reader: FileReader,
  offset: number,
  budget: BoxBudget,
): Promise<BoxHeader> {
  const left_bytes = reader.size_bytes - offset;
  const bytes = await reader.read(offset, Math.min(16, left_bytes));
  if (bytes === undefined) throw new BoxError('file too short');
  return parseBoxHeader(bytes, left_bytes, budget);
}

/** The box's contents; valid until the next read. Throws BoxError if they are larger than the limit. */
export async function readBoxBody(
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
