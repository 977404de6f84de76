import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { MAX_IMAGE_PIXELS, type PhotoProblem } from '../../core/ports/media.js';
import { READ_FORMATS } from './library.js';

/** `data`: a JPEG, upright, without metadata, on white. `is_transparent`: parts of the photo were. */
type DrawnPhoto = {
  data: Uint8Array;
  width: number;
  height: number;
  is_transparent: boolean;
  is_animated: boolean;
};

type DrawOptions = { is_heic: boolean; max_side?: number | undefined };

/**
 * `max_pixels` and `max_decoded_bytes` (pixels times channels times bytes of a sample): of a WebP, AVIF or HEIC.
 * `max_streamed_pixels`: of a JPEG or PNG that is decoded row by row; `max_plain_pixels`: of one that is not, and of a GIF.
 * `max_decoder_bytes`: what the HEIC decoder takes. `max_memory_bytes`: what the process takes.
 */
type DrawBounds = {
  max_pixels: number;
  max_plain_pixels: number;
  max_streamed_pixels: number;
  max_decoded_bytes: number;
  max_decoder_bytes: number;
  max_memory_bytes: number;
  max_cpu_ms: number;
  deadline_ms: number;
  quality: number;
};

/**
 * Draws a photo in a process of its own, which is held to processor time and memory: other work on the computer makes no photo fail,
 * and a hostile file costs what its bounds say. Answers no_library if the process cannot start.
 */
export async function drawPhoto(
  path: string,
  options: DrawOptions,
  bounds: DrawBounds = DRAW_BOUNDS,
): Promise<DrawnPhoto | { problem: PhotoProblem }> {
  let child: ChildProcess;
  try {
    child = fork(WORKER, [], {
      execArgv: [],
      // No secret goes there. A client that is built on Electron starts this service with its own program.
      env: { ELECTRON_RUN_AS_NODE: '1' },
      serialization: 'advanced',
      // The decoders write to stdout what they find wrong with a file. Over stdio that would break the protocol.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  } catch {
    return { problem: 'no_library' };
  }
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      const fail = (): void => resolve({ problem: 'unreadable' });
      timer = setTimeout(fail, bounds.deadline_ms);
      child.once('message', (message) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own process, from photo_worker.mjs
        resolve(message as DrawnPhoto | { problem: PhotoProblem });
      });
      child.once('error', () => resolve({ problem: child.pid === undefined ? 'no_library' : 'unreadable' }));
      child.once('exit', fail);
      child.send({ path, ...options, formats: READ_FORMATS, bounds }, () => undefined);
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

const WORKER = fileURLToPath(new URL('./photo_worker.mjs', import.meta.url));
const MEGABYTE = 1024 * 1024;

/** Photos of phones have up to 48 megapixels in HEIC, which take some 600 MB and, on a slow computer, 20 s; and up to 200 in JPEG. */
export const DRAW_BOUNDS: DrawBounds = {
  max_pixels: 50_000_000,
  max_plain_pixels: MAX_IMAGE_PIXELS,
  max_streamed_pixels: 200_000_000,
  max_decoded_bytes: 200_000_000,
  max_decoder_bytes: 1024 * MEGABYTE,
  max_memory_bytes: 1280 * MEGABYTE,
  max_cpu_ms: 30_000,
  deadline_ms: 120_000,
  quality: 90,
};
