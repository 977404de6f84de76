import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { MediaFile } from '../core/ports/index.js';

export type FormValue = string | number | boolean | readonly (string | number)[] | undefined;
export type FormFields = Readonly<Record<string, FormValue>>;

/** A body that can be sent again: a stream is opened anew each time. */
export type EncodedBody = { headers: Record<string, string>; open: () => string | Readable };

/** The marketplace's forms: a list is one comma-separated value, a boolean is true or false, what is undefined is not sent. */
export function encodeForm(fields: FormFields): EncodedBody {
  const text = toSearchParams(fields).toString();
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    open: () => text,
  };
}

export function encodeJson(value: unknown): EncodedBody {
  const text = JSON.stringify(value);
  return { headers: { 'content-type': 'application/json' }, open: () => text };
}

export function toSearchParams(fields: FormFields): URLSearchParams {
  const sent = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
  );
  return new URLSearchParams(sent);
}

/** The file is read from disk while it is sent; its length is told beforehand. */
export function encodeMultipart(part: string, file: MediaFile, fields: FormFields): EncodedBody {
  const boundary = `listing-${randomBytes(12).toString('hex')}`;
  const texts = [...toSearchParams(fields)].map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${texts.join('')}--${boundary}\r\n` +
      `content-disposition: form-data; name="${part}"; filename="${toHeaderName(file.filename)}"\r\n` +
      `content-type: ${file.content_type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size_bytes + tail.length),
    },
    open: () => Readable.from(readAll(head, file.path, tail)),
  };
}

async function* readAll(head: Buffer, path: string, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  yield tail;
}

/** A file name that cannot end its header early, in the characters that every parser takes. */
function toHeaderName(filename: string): string {
  return filename.replace(/[^A-Za-z0-9._ -]/g, '_').slice(0, 100) || 'file';
}
