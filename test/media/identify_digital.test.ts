import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderMessage, writeText } from '../../src/core/issues/render.js';
import { identifyDigital } from '../../src/media/identify/identify_digital.js';
import { fixture, makeFolder } from './sample.js';

async function judge(filename: string, content: string | Buffer): Promise<string> {
  const path = join(await makeFolder(), 'file');
  await writeFile(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  const identity = await identifyDigital(path, filename);
  return identity.is_allowed
    ? identity.content_type
    : writeText(renderMessage({ ...identity.problem, at: 'file' }));
}

const program = `MZ\x90\0\x03\0\0\0${'\0'.repeat(200)}PE\0\0`;
const bitmap = `BM${'\0'.repeat(12)}\x28${'\0'.repeat(40)}`;
const compound = `\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${'\0'.repeat(100)}`;

function binaryStl(triangles: number, size = 84 + 50 * triangles, header = 'exported model'): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write(header);
  bytes.writeUInt32LE(triangles, 80);
  return bytes;
}

describe('identifyDigital', () => {
  it.each([
    ['pattern.pdf', 'application/pdf'],
    ['archive.zip', 'application/zip'],
    ['notes.txt', 'text/plain'],
    ['mug-front.jpg', 'image/jpeg'],
    ['mug-detail.png', 'image/png'],
    ['animation.gif', 'image/gif'],
    ['clip.mov', 'video/quicktime'],
  ])('accepts %s', async (name, content_type) => {
    const extension = name.slice(-3);
    expect(await identifyDigital(fixture(name), name)).toEqual({ is_allowed: true, content_type, extension });
  });

  it.each([
    ['a.bmp', bitmap, 'image/bmp'],
    ['a.DOC', compound, 'application/msword'],
    ['a.jpeg', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['a.mobi', `${'\0'.repeat(60)}BOOKMOBI`, 'application/x-mobipocket-ebook'],
    ['a.mp3', 'ID3\x04\0', 'audio/mpeg'],
    ['a.mp3', '\xff\xfb\x90\x64\0', 'audio/mpeg'],
    ['a.mpeg', '\0\0\x01\xba\x44', 'video/mpeg'],
    ['a.psp', `Paint Shop Pro Image File\n\x1a${'\0'.repeat(9)}`, 'image/x-paintshoppro'],
    ['a.rtf', '{\\rtf1 hello}', 'application/rtf'],
    ['a.ePUB', 'PK\x03\x04\x0a\0', 'application/epub+zip'],
    ['a.iBook', 'PK\x03\x04\x0a\0', 'application/x-ibooks+zip'],
    ['empty.zip', `PK\x05\x06${'\0'.repeat(18)}`, 'application/zip'],
    ['my.pattern.v2.pdf', '%PDF-1.7\n', 'application/pdf'],
    ['../../etc/a.pdf', '%PDF-1.7\n', 'application/pdf'],
    ['a.stl', 'solid mug\n facet normal 0 0 1\n', 'model/stl'],
    ['a.stl', binaryStl(12), 'model/stl'],
    ['a.stl', binaryStl(2, 184, 'solid but binary'), 'model/stl'],
    ['a.txt', 'gr\xfc\xdfe aus Latin-1\r\n\tEnde', 'text/plain'],
    ['a.txt', Buffer.from('Größe 10 € 🧶'), 'text/plain'],
    ['a.txt', Buffer.from('\ufeffUTF-16 Größe 🧶', 'utf16le'), 'text/plain'],
    ['a.txt', Buffer.from('\ufeffUTF-16', 'utf16le').swap16(), 'text/plain'],
    ['a.txt', `${'long line '.repeat(20_000)}\n`, 'text/plain'],
  ])('accepts %s by its content', async (filename, content, content_type) => {
    expect(await judge(filename, content)).toBe(content_type);
  });

  it.each([
    ['a.pdf', 'a PDF'],
    ['a.zip', 'a ZIP archive'],
    ['a.jpg', 'a JPEG picture'],
    ['a.mp3', 'an MP3 file'],
    ['a.mov', 'a QuickTime film'],
    ['a.stl', 'an STL model'],
    ['a.doc', 'a Word document of the .doc form'],
    ['a.epub', 'an EPUB book'],
    ['a.bmp', 'a BMP picture'],
  ])('checks the content of %s against its name', async (filename, label) => {
    const extension = filename.slice(1);
    const reason = `has the extension ${extension}, but its content is not ${label}`;
    expect(await judge(filename, 'just some words')).toBe(reason);
    expect(await judge(filename, `${' '.repeat(80)}BM`)).toBe(reason);
  });

  it.each([
    ['NUL', 'text\0text'],
    ['a control character', 'text\x01text'],
    ['NUL late in the file', `${'x'.repeat(150_000)}\0`],
    ['half a UTF-16 character', '\xff\xfea'],
    ['a lone surrogate in UTF-16', '\xff\xfe\x00\xd8a\0'],
    ['NUL in UTF-16', '\xff\xfea\0\0\0'],
  ])('refuses a .txt with %s as not being text', async (_what, content) => {
    expect(await judge('a.txt', content)).toBe('has the extension .txt, but its content is not plain text');
  });

  it.each([
    ['one byte too many', binaryStl(3, 235)],
    ['fewer triangles than counted', binaryStl(100, 184)],
    ['less than a header', binaryStl(0, 84).subarray(0, 83)],
  ])('refuses %s as an STL model', async (_what, content) => {
    expect(await judge('a.stl', content)).toMatch(/not an STL model/);
  });

  it.each(['a.pdf', 'a.txt', 'a.zip', 'a.stl', 'a.doc'])(
    'never accepts a program as %s',
    async (filename) => {
      const refusal = 'is a program, which the marketplace does not accept';
      expect(await judge(filename, program)).toBe(refusal);
      expect(await judge(filename, '\x7fELF\x02\x01\x01')).toBe(refusal);
      expect(await judge(filename, '\xcf\xfa\xed\xfe\x07')).toBe(refusal);
    },
  );

  it('accepts a binary STL model whose header looks like a program', async () => {
    expect(await judge('a.stl', binaryStl(1, 134, 'MZ'))).toMatch(/is a program/);
  });

  it.each([
    'a.exe',
    'a',
    '.pdf',
    'a.pdf.exe',
    'a.svg',
    'a.html',
    'a.docx',
    'a.pdf ',
    'a.pdf\0',
    'a.__proto__',
    '',
  ])('refuses the name %j', async (filename) => {
    expect(await judge(filename, '%PDF-1.7\n')).toBe(
      'must have one of these extensions: .bmp, .doc, .gif, .jpeg, .jpg, .mobi, .mov, .mp3, .mpeg, .pdf, .png, .psp, .rtf, .stl, .txt, .zip, .ePUB, .iBook',
    );
  });

  it('recognizes an empty file', async () => {
    expect(await judge('a.txt', '')).toBe('is empty; send a file with content');
  });
});
