import type { MediaIdentity } from '../../core/ports/media.js';
import { type FileReader, withFileReader } from './file_reader.js';
import { findImageSize } from './image_size.js';
import { probeVideo } from '../video/video_probe.js';

/** Identifies a file by its bytes alone. SVG and XML are text and have no type here. */
export async function identify(path: string): Promise<MediaIdentity> {
  return await withFileReader(path, identifyBytes);
}

async function identifyBytes(reader: FileReader): Promise<MediaIdentity> {
  const type = await findType(reader);
  if (type === undefined) {
    return { content_type: null, extension: null, width: null, height: null, video: null };
  }
  const size = await findImageSize(reader, type.content_type);
  return {
    ...type,
    width: size?.width ?? null,
    height: size?.height ?? null,
    video: VIDEO_TYPES.has(type.content_type) ? ((await probeVideo(reader)) ?? null) : null,
  };
}

/** The type that the first 4,100 bytes tell. */
export async function findType(
  reader: FileReader,
): Promise<{ content_type: string; extension: string } | undefined> {
  const head = await reader.read(0, Math.min(HEAD_BYTES, reader.size_bytes));
  if (head === undefined) return undefined;
  // Loaded when it is first needed: few processes look at a file.
  const { fileTypeFromBuffer } = await import('file-type');
  // The library throws for some files that break off inside a header.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined || MARKUP_TYPES.has(found.mime)) return undefined;
  // M4V is the same container as MP4, under a vendor's brand.
  if (found.mime === 'video/x-m4v') return { content_type: 'video/mp4', extension: 'mp4' };
  return { content_type: found.mime, extension: found.ext };
}

const HEAD_BYTES = 4100;
const VIDEO_TYPES: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime']);
const MARKUP_TYPES: ReadonlySet<string> = new Set(['application/xml', 'image/svg+xml']);
