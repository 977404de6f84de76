import type { Part } from './endpoint.js';
import { MAX_PARTS, UPLOAD_LIMIT_BYTES } from './body_limits.js';

const HEAD_END = Buffer.from('\r\n\r\n');

/** The parts of a multipart body that is completely in memory. Throws an Error if it is broken or too large. */
export function readParts(content_type: string, bytes: Buffer): Part[] {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(content_type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new Error('multipart without a boundary');
  const parts: Part[] = [];
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let at = delimiter.length - 2;
  if (!bytes.subarray(0, at).equals(delimiter.subarray(2))) throw new Error('not the form of multipart');
  while (bytes.toString('latin1', at, at + 2) === '\r\n') {
    const head_end = bytes.indexOf(HEAD_END, at);
    const end = bytes.indexOf(delimiter, head_end);
    if (head_end === -1 || end === -1) throw new Error('a part without an end');
    const content = bytes.subarray(head_end + HEAD_END.length, end);
    if (content.length > UPLOAD_LIMIT_BYTES || parts.length === MAX_PARTS) throw new Error('too large');
    parts.push(toPart(bytes.toString('utf8', at, head_end), content));
    at = end + delimiter.length;
  }
  if (bytes.toString('latin1', at, at + 2) !== '--') throw new Error('not the form of multipart');
  return parts;
}

function toPart(head: string, content: Buffer): Part {
  const fieldname = /;\s*name="([^"]*)"/i.exec(head)?.[1];
  if (fieldname === undefined) throw new Error('a part without a name');
  const filename = /;\s*filename="([^"]*)"/i.exec(head)?.[1];
  if (filename === undefined) return { type: 'field', fieldname, value: content.toString('utf8') };
  const mimetype = /^content-type:\s*([^\r\n;]+)/im.exec(head)?.[1] ?? 'application/octet-stream';
  return { type: 'file', fieldname, filename, mimetype, toBuffer: () => Promise.resolve(content) };
}
