/* Decodes one HEIC photo in a thread of its own, which ends afterwards. The decoder is WebAssembly, so that
   a hostile file can reach nothing of this process; its memory is limited here, because the limits of a
   thread do not cover it. */
import { parentPort, workerData } from 'node:worker_threads';

const { bytes, max_pixels, max_memory_bytes } = workerData;

const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65_536 > max_memory_bytes) throw new RangeError('too much memory');
  return grow.call(this, pages);
};

const answer = (message, transferred) => parentPort.postMessage(message, transferred);

const library = await import('libheif-js/wasm-bundle.js').catch(() => undefined);
if (library === undefined) answer({ problem: 'no_library' });
else decode(library.default);

function decode({ HeifDecoder }) {
  const images = new HeifDecoder().decode(bytes);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (image === undefined) {
    answer({ problem: 'unreadable' });
    return;
  }
  const width = image.get_width();
  const height = image.get_height();
  if (width * height > max_pixels) {
    answer({ problem: 'too_large' });
    return;
  }
  const data = new Uint8Array(width * height * 4);
  image.display({ data, width, height }, (shown) => {
    if (shown === null) answer({ problem: 'unreadable' });
    else answer({ data, width, height }, [data.buffer]);
  });
}
