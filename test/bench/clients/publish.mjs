/*
 * The calls of a published listing by undici only, with the same files from disk: with its FormData, which
 * reads each file while sending it, or, for the minimum, framed manually, with each file read at once into
 * the same memory.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openAsBlob, openSync, readSync } from 'node:fs';
import { FormData, Pool } from 'undici';
import { timeCalls } from '../harness/processes.mjs';

/** For a file, with the bytes before and after it. */
let memory;

/** Publishes a listing this many times. Returns the milliseconds of processor time of one. */
export function open({ url, headers, shop, listing, paths, image_bytes, is_by_hand }) {
  memory = Buffer.alloc(image_bytes + 1_000);
  const pool = new Pool(url, { connections: 1 });
  const toBody = is_by_hand ? readImage : openImage;
  return {
    run: (times) => timeCalls(times, () => publish(pool, headers, shop, listing, paths, toBody)),
    close: () => pool.close(),
  };
}

async function publish(pool, headers, shop, listing, paths, toBody) {
  const own = `/shops/${shop.shop_id}/listings`;
  const { listing_id } = await send('POST', own, {
    type: 'application/x-www-form-urlencoded',
    content: new URLSearchParams({
      ...listing,
      type: 'physical',
      shipping_profile_id: shop.shipping_profile_id,
      return_policy_id: shop.return_policy_id,
      readiness_state_id: shop.processing_profile_id,
    }).toString(),
  });
  for (const [index, path] of paths.entries()) {
    await send('POST', `${own}/${listing_id}/images`, await toBody(path, index + 1));
  }
  await send('GET', `/listings/${listing_id}?includes=Images`);

  async function send(method, path, { type, size_bytes, content } = {}) {
    const { statusCode, body } = await pool.request({
      method,
      path: `/v3/application${path}`,
      headers: {
        ...headers,
        ...(type && { 'content-type': type }),
        ...(size_bytes && { 'content-length': String(size_bytes) }),
      },
      body: content,
    });
    const answer = await body.json();
    if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${JSON.stringify(answer)}`);
    return answer;
  }
}

async function openImage(path, rank) {
  const content = new FormData();
  content.append('rank', String(rank));
  content.append('image', await openAsBlob(path, { type: 'image/jpeg' }), 'a.jpg');
  return { content };
}

function readImage(path, rank) {
  const boundary = randomUUID();
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="rank"\r\n\r\n${rank}\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n` +
    'content-type: image/jpeg\r\n\r\n';
  const file = openSync(path, 'r');
  let used = memory.write(head);
  used += readSync(file, memory, used, memory.length - used, 0);
  closeSync(file);
  used += memory.write(`\r\n--${boundary}--\r\n`, used);
  const content = memory.subarray(0, used);
  return { type: `multipart/form-data; boundary=${boundary}`, size_bytes: used, content };
}
