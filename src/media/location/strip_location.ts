import type { StagedFile } from '../../core/ports/media.js';
import type { DiskSpace } from '../disk_space.js';
import { type FileReader, withFileReader } from '../identify/file_reader.js';
import { planFilm } from './film.js';
import { planGif } from './gif.js';
import { planJpeg } from './jpeg.js';
import { isUnchanged, type Part, readParts } from './parts.js';
import { planPng } from './png.js';
import { discardStaged, stageSource } from '../staging.js';

/* Our own code, since existing tools re-encode the picture (sharp, which may also be missing), must be
   installed as programs (exiftool, ffmpeg), or know only JPEG and hold all of it in memory (piexifjs). Here
   picture and sound stay unchanged byte for byte. */

/**
 * Walks the file twice: once to learn which ranges stay, once to copy them; only metadata is held in memory.
 * The original is discarded once the cleaned file is complete, and is kept if that fails.
 */
export async function stripLocation(
  staged: StagedFile,
  content_type: string,
  { staging_dir, disk }: { staging_dir: string; disk: DiskSpace },
): Promise<StagedFile> {
  const plan = PLANS[content_type];
  if (plan === undefined) return staged;
  const cleaned = await withFileReader(staged.path, async (reader) => {
    const parts = await plan(reader);
    if (isUnchanged(parts, reader.size_bytes)) return staged;
    const limit_bytes = reader.size_bytes;
    const options = { staging_dir, disk, limit_bytes, expected_bytes: limit_bytes };
    return await stageSource(readParts(reader, parts), options);
  });
  if (cleaned !== staged) await discardStaged(staged);
  return cleaned;
}

const PLANS: Readonly<Record<string, (reader: FileReader) => Promise<readonly Part[]>>> = {
  'image/jpeg': planJpeg,
  'image/png': planPng,
  'image/apng': planPng,
  'image/gif': planGif,
  'video/mp4': planFilm,
  'video/quicktime': planFilm,
};
