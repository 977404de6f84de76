import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { MAX_IMAGE_PIXELS, type PhotoProblem } from '../../core/ports/media.js';
import { READ_FORMATS } from './library.js';

/** `data`: a JPEG, upright, without metadata, on white. `is_transparent`: whether parts of the photo were. */
type DrawnPhoto = {
  data: Uint8Array;
  width: number;
  height: number;
  is_transparent: boolean;
  is_animated: boolean;
};

type DrawOptions = { is_heic: boolean; max_side?: number | undefined };

/**
 * `max_pixels` and `max_decoded_bytes` (pixels times channels times bytes per sample): for a WebP, AVIF or
 * HEIC. `max_streamed_pixels`: for a JPEG or PNG that is decoded row by row; `max_plain_pixels`: for one that
 * is not, and for a GIF. `max_decoder_bytes`: memory of the HEIC decoder. `max_memory_bytes`: memory of the
 * process.
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
 * Draws a photo in a process of its own, limited in processor time and memory: a busy computer makes no photo
 * fail, and a hostile file costs no more than its bounds. Returns no_library if the process cannot start.
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
      // Passes no secrets. A client built on Electron starts this service with its own executable.
      env: { ELECTRON_RUN_AS_NODE: '1' },
      serialization: 'advanced',
      // The decoders write their complaints about a file to stdout. Over stdio that would break the protocol.
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

/**
 * Phone photos have up to 48 megapixels in HEIC, which take some 600 MB and, on a slow computer, 20 s; and up
 * to 200 megapixels in JPEG.
 */
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
