/* Draws one photo as a JPEG in a process of its own, and exits. The process exits by itself when it has used
   up its processor time or memory, so a hostile file costs no more than that and harms nothing else. It
   receives one message and sends one: see draw_photo.ts. */
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

const CHECK_MS = 25;
/** The service ends this process as soon as it has the result. */
const EXIT_AFTER_MS = 1_000;

process.once('disconnect', () => process.exit());
process.once('message', (wanted) => {
  const timer = setInterval(() => {
    if (isExhausted(wanted.bounds)) answer({ problem: 'unreadable' });
  }, CHECK_MS);
  const answer = (message) => {
    clearInterval(timer);
    process.send(message);
    setTimeout(() => process.exit(), EXIT_AFTER_MS);
  };
  draw(wanted).then(answer, () => answer({ problem: 'unreadable' }));
});

function isExhausted({ max_cpu_ms, max_memory_bytes }) {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 > max_cpu_ms || process.memoryUsage.rss() > max_memory_bytes;
}

async function draw({ path, is_heic, max_side, formats, bounds }) {
  const library = await import('sharp').catch(() => undefined);
  if (library === undefined) return { problem: 'no_library' };
  const { default: open } = library;
  open.concurrency(1);
  open.cache(false);
  open.block({ operation: ['VipsForeignLoad'] });
  open.unblock({ operation: formats });
  const source = is_heic ? await openHeic(open, path, bounds) : await openOther(open, path, bounds);
  if ('problem' in source) return source;
  const { picture, is_transparent, is_animated } = source;
  if (max_side !== undefined) {
    picture.resize({ width: max_side, height: max_side, fit: 'inside', withoutEnlargement: true });
  }
  const drawing = picture.flatten({ background: '#ffffff' }).jpeg({ quality: bounds.quality });
  const { data, info } = await drawing.toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, is_transparent, is_animated };
}

async function openOther(open, path, bounds) {
  const options = { failOn: 'error', sequentialRead: true, limitInputPixels: false };
  const metadata = await open(path, options).metadata();
  if (isTooLarge(metadata, bounds)) return { problem: 'too_large' };
  const { format, hasAlpha, pages = 1 } = metadata;
  const isAnimated = pages > 1 && (format === 'webp' || format === 'gif');
  const picture = open(path, options).autoOrient();
  const isTransparent = hasAlpha && !(await picture.clone().stats()).isOpaque;
  return { picture, is_transparent: isTransparent, is_animated: isAnimated };
}

function isTooLarge({ width, height, channels, depth, format, isProgressive }, bounds) {
  const pixels = width * height;
  if (format === 'gif') return pixels > bounds.max_plain_pixels;
  if (format === 'jpeg' || format === 'png') {
    return pixels > (isProgressive ? bounds.max_plain_pixels : bounds.max_streamed_pixels);
  }
  return (
    pixels * channels * (SAMPLE_BYTES[depth] ?? 4) > bounds.max_decoded_bytes || pixels > bounds.max_pixels
  );
}

const SAMPLE_BYTES = { uchar: 1, ushort: 2 };

async function openHeic(open, path, bounds) {
  const decoded = await decodeHeic(await readFile(path), bounds);
  if ('problem' in decoded) return decoded;
  const { data, width, height } = decoded;
  const picture = open(data, { raw: { width, height, channels: 4 }, limitInputPixels: false });
  return { picture, is_transparent: isTransparent(data), is_animated: false };
}

/** @param data RGBA */
function isTransparent(data) {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}

/** In a thread of its own, since this one has to watch the time. */
function decodeHeic(bytes, { max_pixels, max_decoder_bytes }) {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./heic_worker.mjs', import.meta.url), {
      workerData: { bytes, max_pixels, max_memory_bytes: max_decoder_bytes },
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    });
    const fail = () => resolve({ problem: 'unreadable' });
    worker.once('message', resolve);
    worker.once('error', fail);
    worker.once('exit', fail);
  });
}
