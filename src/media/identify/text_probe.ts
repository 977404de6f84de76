import type { FileReader } from './file_reader.js';

/**
 * Whether a whole file is text: valid UTF-8, or valid UTF-16 after its byte order mark, or one byte per
 * character; in each case without NUL and without control characters that no text has.
 */
export async function isText(reader: FileReader): Promise<boolean> {
  const mark = (await reader.read(0, Math.min(2, reader.size_bytes)))?.toString('latin1');
  const encoding = UTF16_MARKS[mark ?? ''];
  // To this test, UTF-8 also looks like one byte per character, so it needs no test of its own.
  return encoding === undefined ? await hasTextBytes(reader) : await hasTextUnits(reader, encoding);
}

/** The same test for the first bytes of a file that must be ASCII-like. */
export function isTextStart(head: Buffer): boolean {
  return !head.some((byte) => isControl(byte));
}

async function hasTextBytes(reader: FileReader): Promise<boolean> {
  for await (const chunk of readChunks(reader)) {
    if (!isTextStart(chunk)) return false;
  }
  return true;
}

async function hasTextUnits(reader: FileReader, encoding: 'utf-16le' | 'utf-16be'): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of readChunks(reader)) {
      if (hasControl(decoder.decode(chunk, { stream: true }))) return false;
    }
    return !hasControl(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function* readChunks(reader: FileReader): AsyncGenerator<Buffer> {
  let offset = 0;
  while (offset < reader.size_bytes) {
    const chunk = await reader.readSome(offset);
    // The file was truncated in the meantime.
    if (chunk === undefined) return;
    offset += chunk.length;
    yield chunk;
  }
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (isControl(text.charCodeAt(index))) return true;
  }
  return false;
}

/** Tab to carriage return, the old end-of-file character and escape do appear in text files. */
function isControl(code: number): boolean {
  return (code < 0x20 && !(code >= 0x09 && code <= 0x0d) && code !== 0x1a && code !== 0x1b) || code === 0x7f;
}

const UTF16_MARKS: Readonly<Record<string, 'utf-16le' | 'utf-16be'>> = {
  '\xff\xfe': 'utf-16le',
  '\xfe\xff': 'utf-16be',
};
