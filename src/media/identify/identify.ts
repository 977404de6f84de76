import type { MediaIdentity } from '../../core/ports/media.js';
import { type FileReader, withFileReader } from './file_reader.js';
import { findImageSize } from './image_size.js';
import { probeVideo } from '../video/video_probe.js';

/** Identifies a file by its bytes. SVG and XML are text and have no type here. */
export async function identify(path: string): Promise<MediaIdentity> {
  return await withFileReader(path, identifyBytes);
}

async function identifyBytes(reader: FileReader): Promise<MediaIdentity> {
  const type = await findType(reader);
  if (type === undefined) {
    return {
      content_type: null,
      extension: null,
      width: null,
      height: null,
      may_be_transparent: false,
      video: null,
    };
  }
  const size = await findImageSize(reader, type.content_type);
  return {
    ...type,
    width: size?.width ?? null,
    height: size?.height ?? null,
    may_be_transparent: await mayBeTransparent(reader, type.content_type),
    video: VIDEO_TYPES.has(type.content_type) ? ((await probeVideo(reader)) ?? null) : null,
  };
}

/** The type according to the first 4,100 bytes. */
export async function findType(
  reader: FileReader,
): Promise<{ content_type: string; extension: string } | undefined> {
  const head = await reader.read(0, Math.min(HEAD_BYTES, reader.size_bytes));
  if (head === undefined) return undefined;
  // Loaded when it is first needed: few processes identify a file.
  const { fileTypeFromBuffer } = await import('file-type');
  // The library throws for some files that break off inside a header.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return findByStart(head);
  if (MARKUP_TYPES.has(found.mime)) return undefined;
  // M4V is the same container as MP4, under a vendor's brand.
  if (found.mime === 'video/x-m4v') return { content_type: 'video/mp4', extension: 'mp4' };
  return { content_type: found.mime, extension: found.ext };
}

/**
 * Types that the library does not recognize: a TIFF whose directory is at its end, as in most, and a web
 * page.
 */
function findByStart(head: Buffer): { content_type: string; extension: string } | undefined {
  const start = head.toString('latin1', 0, WEB_PAGE_CHARS);
  if (TIFF_STARTS.some((signature) => start.startsWith(signature)))
    return { content_type: 'image/tiff', extension: 'tif' };
  if (WEB_PAGE.test(start)) return { content_type: 'text/html', extension: 'html' };
  return undefined;
}

const HEAD_BYTES = 4100;
const TIFF_STARTS = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];
const WEB_PAGE_CHARS = 512;
/** After a byte order mark, white space and one comment. */
const WEB_PAGE = /^(?:\xef\xbb\xbf)?\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head)\b/i;
const VIDEO_TYPES: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime']);
const MARKUP_TYPES: ReadonlySet<string> = new Set(['application/xml', 'image/svg+xml']);

/** Whether the header of a PNG or GIF allows transparent pixels. Many such files have none. */
async function mayBeTransparent(reader: FileReader, content_type: string): Promise<boolean> {
  // Each frame of a GIF has its own flag.
  if (content_type === 'image/gif') return true;
  if (content_type !== 'image/png') return false;
  const color_type = (await reader.read(COLOR_TYPE_AT, 1))?.[0] ?? 0;
  return (color_type & HAS_ALPHA) !== 0 || (await hasTransparentColor(reader));
}

/** Searches for tRNS, which comes before the pixels. */
async function hasTransparentColor(reader: FileReader): Promise<boolean> {
  let offset = SIGNATURE_BYTES;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const head = await reader.read(offset, 8);
    const type = head?.toString('latin1', 4, 8);
    if (head === undefined || type === 'IDAT') return false;
    if (type === 'tRNS') return true;
    offset += CHUNK_BYTES + head.readUInt32BE(0);
  }
  return false;
}

const SIGNATURE_BYTES = 8;
const COLOR_TYPE_AT = 25;
const HAS_ALPHA = 4;
/** Bytes of a chunk besides its content: length, type and checksum. */
const CHUNK_BYTES = 12;
const MAX_CHUNKS = 1_000;
