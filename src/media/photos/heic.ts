import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PhotoProblem } from '../../core/ports/media.js';
import { findColourProfile } from './colour_profile.js';

/** `data`: RGBA, 8 bits each, row by row, upright. `profile`: the ICC colour profile, where the file has one. */
export type DecodedHeic = {
  data: Uint8Array;
  width: number;
  height: number;
  profile: Buffer | undefined;
};

/** `max_memory_bytes`: what the decoder may use besides the file and the decoded picture. */
export type HeicBounds = { max_pixels: number; max_memory_bytes: number; deadline_ms: number };

/** The main photo of a HEIC file, decoded outside of the main thread, within bounds of time and memory. */
export async function decodeHeic(
  path: string,
  bounds: HeicBounds = BOUNDS,
): Promise<DecodedHeic | { problem: PhotoProblem }> {
  const bytes = await readFile(path);
  const decoded = await decodeInThread(bytes, bounds);
  return 'problem' in decoded ? decoded : { ...decoded, profile: findColourProfile(bytes) };
}

type Answer = Omit<DecodedHeic, 'profile'> | { problem: PhotoProblem };

async function decodeInThread(bytes: Buffer, bounds: HeicBounds): Promise<Answer> {
  const { deadline_ms, ...in_thread } = bounds;
  const worker = new Worker(WORKER, {
    workerData: { bytes, ...in_thread },
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    // The decoder writes to stdout what it finds wrong with a file. Over stdio that would break the protocol, so the output is kept
    // away.
    stdout: true,
    stderr: true,
    env: {},
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve) => {
      const fail = () => resolve({ problem: 'unreadable' });
      timer = setTimeout(fail, deadline_ms);
      worker.once('message', resolve);
      worker.once('error', fail);
      worker.once('exit', fail);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const WORKER = fileURLToPath(new URL('./heic_worker.mjs', import.meta.url));
/** Photos of phones have up to 48 megapixels, which take some 600 MB and, on a slow computer, 20 s. */
const BOUNDS = { max_pixels: 50_000_000, max_memory_bytes: 1024 * 1024 * 1024, deadline_ms: 60_000 };
