import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import { makeFolder, readMemory, startReference, startServe } from '../harness/processes.mjs';

/*
 * An upload of just under 100 MiB, the largest, compared with a server that pipes a body through SHA-256 to a
 * file.
 */

const ROUNDS = 31;
const CHUNK = Buffer.alloc(64 * 1024, 0xff);
const CHUNKS = 1_599;
const BOUNDARY = 'a-boundary-of-our-own';
/**
 * The head of a GIF of 16 by 8 pixels, up to its data: blocks of 255 bytes, each preceded by its length, and
 * an end.
 */
const PICTURE = Buffer.from('47494638396110000800800000000000ffffff2c00000000100008000002', 'hex');
const PICTURE_END = Buffer.from([0, 0x3b]);
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.gif"\r\nContent-Type: image/gif\r\n\r\n`;
const MIB = CHUNKS / 16;

export async function measure() {
  const folder = await makeFolder();
  const server = await startServe(join(folder.path, 'data'));
  const bare = await startReference('upload.mjs', join(folder.path, 'bare'));
  const ours_to = {
    url: `${server.url}/api/v1/uploads`,
    headers: { 'x-service-api-key': server.key, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    head: PART,
    end: `\r\n--${BOUNDARY}--\r\n`,
  };
  const bare_to = { url: bare.url, headers: { 'content-type': 'image/gif' }, head: '', end: '' };
  const rises = [];
  const toRun =
    (name, { pid }, target) =>
    async () => {
      // Resets the peak of memory to the current use.
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      const memory = readMemory(pid);
      const begin = performance.now();
      await upload(target);
      const rate = MIB / ((performance.now() - begin) / 1000);
      if (name === 'ours') rises.push(readMemory(pid, 'VmHWM') - memory);
      return rate;
    };
  const rates = await alternate(ROUNDS, {
    ours: toRun('ours', server, ours_to),
    reference: toRun('reference', bare, bare_to),
  });
  await Promise.all([server.stop(), bare.stop()]);
  await folder.remove();
  const rest = { against: 'a pipe through SHA-256 to a file', target: { least: 0.5 } };
  return [
    { what: 'upload of 100 MB: rate', unit: 'MiB/s', ...rest, ...rates, needs_quiet: true },
    {
      what: 'upload of 100 MB: rise of resident memory',
      against: 'before it',
      unit: 'MiB',
      ours: rises,
      reference: rises.map(() => 0),
      target: { most_more: 64 },
    },
  ];
}

async function upload({ url, headers, head, end }) {
  const sent = request(url, { method: 'POST', headers });
  const answered = once(sent, 'response');
  sent.write(Buffer.concat([Buffer.from(head), PICTURE]));
  for (let left = CHUNKS; left > 0; left -= 1) {
    if (!sent.write(CHUNK)) await once(sent, 'drain');
  }
  sent.end(Buffer.concat([PICTURE_END, Buffer.from(end)]));
  const [answer] = await answered;
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`the upload was answered with ${answer.statusCode}`);
}
