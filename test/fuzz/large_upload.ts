import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** The limit documented in the interface. */
export const LIMIT_BYTES = 100 * 1024 * 1024;

export type Target = { url: string; headers?: Record<string, string> };
export type Told = { status: number | undefined; body: unknown };

/**
 * Sends a picture of this many bytes, never holding it, and reads the answer; bytes still unsent when the
 * answer arrives are never sent. `form`: in the part `file`; `endless form`: one that is never closed;
 * `bare`: as the body itself.
 */
export async function uploadLarge(
  { url, headers = {} }: Target,
  size_bytes: number,
  shape: 'form' | 'endless form' | 'bare' = 'form',
): Promise<Told> {
  const content_type = shape === 'bare' ? 'image/gif' : `multipart/form-data; boundary=${BOUNDARY}`;
  const sent = request(url, { method: 'POST', headers: { ...headers, 'content-type': content_type } });
  // A caller refused in mid-body may find the connection closed while it still writes.
  sent.on('error', () => undefined);
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const over = Promise.race([answered, once(sent, 'close')]).then(() => 'over' as const);
  const write = (bytes: Buffer) => (sent.write(bytes) ? 'on' : Promise.race([once(sent, 'drain'), over]));
  const answering = answered.then(async ([response]) => ({
    status: response.statusCode,
    body: await json(response),
  }));
  await write(Buffer.concat([Buffer.from(shape === 'bare' ? '' : HEAD), PICTURE]));
  const end = buildEnd(size_bytes - PICTURE.length);
  for (let left = size_bytes - PICTURE.length - end.length; left > 0; left -= CHUNK.length) {
    if ((await write(left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK)) === 'over') break;
  }
  sent.write(end);
  if (shape === 'bare') sent.end();
  if (shape === 'form') sent.end(`\r\n--${BOUNDARY}--\r\n`);
  const told = await answering;
  sent.destroy();
  return told;
}

/** Two last blocks that make up the size, and the end of the picture. */
function buildEnd(data_bytes: number): Buffer {
  const left = 256 + ((data_bytes - 2) % 256);
  const blocks = [Math.floor(left / 2), Math.ceil(left / 2)].map((size) => {
    const block = Buffer.alloc(size, 0xff);
    block[0] = size - 1;
    return block;
  });
  return Buffer.concat([...blocks, Buffer.from([0, 0x3b])]);
}

const BOUNDARY = 'a-boundary-of-our-own';
const HEAD = [
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="file"; filename="large.gif"',
  'Content-Type: image/gif',
  '\r\n',
].join('\r\n');
/** The head of a GIF of 16 by 8 pixels, up to its data: blocks of 255 bytes, each preceded by its length. */
const PICTURE = Buffer.from('47494638396110000800800000000000ffffff2c00000000100008000002', 'hex');
const CHUNK = Buffer.alloc(64 * 1024, 0xff);
