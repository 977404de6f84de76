import type { MediaIdentity, OpenedBlob } from '../../../ports/index.js';
import type { PlannedFile } from '../plan.js';
import { getFile } from './attempt.js';
import type { SentImage } from './recognize_image.js';
import type { Publishing } from './step.js';

type FilePorts = Pick<Publishing['ports'], 'blobs' | 'media'>;

/** The marks by which a sent photo is recognised among those of a listing. */
export async function describeSentImage(
  { ports }: { ports: FilePorts },
  file: PlannedFile,
  since_epoch_s: number,
): Promise<SentImage> {
  const { open } = await getFile({ ports }, file);
  const kept = await open();
  if (!kept) throw new Error('a kept image went while it was looked at');
  const { width, height } = await identifyKept(ports, kept);
  return { width, height, since_epoch_s, alt_text: file.alt_text };
}

/** A picture's size is read here and there in it, which takes a file. */
async function identifyKept(
  { media }: Pick<FilePorts, 'media'>,
  { stream, size_bytes }: OpenedBlob,
): Promise<MediaIdentity> {
  const staged = await media.stage(stream, { limit_bytes: size_bytes });
  try {
    return await media.identify(staged.path);
  } finally {
    await media.discard(staged);
  }
}
