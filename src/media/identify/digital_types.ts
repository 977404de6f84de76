import type { FileReader } from './file_reader.js';
import { isText, isTextStart } from './text_probe.js';

type DigitalType = {
  content_type: string;
  /** The name of the type in a sentence. */
  label: string;
  matches(reader: FileReader, head: Buffer): boolean | Promise<boolean>;
};

/**
 * The types of the slot for digital files, by extension in lower case, as the marketplace lists them. Matched by their
 * signatures; the head is the first 4,100 bytes.
 */
export function findDigitalType(extension: string): DigitalType | undefined {
  return TYPES.get(extension);
}

/** Programs for Windows, Linux and macOS, recognized by their first bytes and not by their names. */
export function isProgram(head: Buffer): boolean {
  if (head.toString('latin1', 0, 2) === 'MZ') return head.includes(0);
  return PROGRAM_SIGNATURES.some((signature) => startsWith(head, signature));
}

const startsWith = (head: Buffer, signature: string, offset = 0): boolean =>
  head.toString('latin1', offset, offset + signature.length) === signature;

const bySignature =
  (...signatures: readonly string[]) =>
  (_reader: FileReader, head: Buffer): boolean =>
    signatures.some((signature) => startsWith(head, signature));

function isBitmap(_reader: FileReader, head: Buffer): boolean {
  // The two letters alone would match many texts; the size of the second header is one of seven.
  return startsWith(head, 'BM') && head.length >= 18 && BITMAP_HEADER_SIZES.has(head.readUInt32LE(14));
}

function isQuickTime(_reader: FileReader, head: Buffer): boolean {
  return QUICKTIME_FIRST_BOXES.some((type) => startsWith(head, type, 4));
}

/**
 * A tag before the sound, or a frame header: 11 one bits, a layer, and a bit rate and a sampling rate that
 * exist.
 */
function isMp3(_reader: FileReader, head: Buffer): boolean {
  if (startsWith(head, 'ID3')) return true;
  const [first = 0, second = 0, third = 0] = head;
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08;
  return isFrame && (second & 0x06) !== 0 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c;
}

/** The text form, or the binary one: no signature, but 84 bytes plus 50 for each triangle that they count. */
function isStl(reader: FileReader, head: Buffer): boolean {
  if (startsWith(head, 'solid') && head.includes('facet') && isTextStart(head)) return true;
  return head.length >= 84 && reader.size_bytes === 84 + 50 * head.readUInt32LE(80);
}

const PROGRAM_SIGNATURES = [
  '\x7fELF',
  '\xfe\xed\xfa\xce',
  '\xfe\xed\xfa\xcf',
  '\xce\xfa\xed\xfe',
  '\xcf\xfa\xed\xfe',
  '\xca\xfe\xba\xbe',
] as const;
const BITMAP_HEADER_SIZES: ReadonlySet<number> = new Set([12, 40, 52, 56, 64, 108, 124]);
const QUICKTIME_FIRST_BOXES = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'] as const;

const JPEG: DigitalType = {
  content_type: 'image/jpeg',
  label: 'a JPEG picture',
  matches: bySignature('\xff\xd8\xff'),
};
const ZIP_SIGNATURES = ['PK\x03\x04', 'PK\x05\x06'] as const;

const TYPES: ReadonlyMap<string, DigitalType> = new Map([
  ['bmp', { content_type: 'image/bmp', label: 'a BMP picture', matches: isBitmap }],
  [
    'doc',
    {
      content_type: 'application/msword',
      label: 'a Word document of the .doc form',
      matches: bySignature('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    },
  ],
  [
    'epub',
    { content_type: 'application/epub+zip', label: 'an EPUB book', matches: bySignature(...ZIP_SIGNATURES) },
  ],
  ['gif', { content_type: 'image/gif', label: 'a GIF picture', matches: bySignature('GIF87a', 'GIF89a') }],
  [
    'ibook',
    {
      content_type: 'application/x-ibooks+zip',
      label: 'an iBook',
      matches: bySignature(...ZIP_SIGNATURES),
    },
  ],
  ['jpeg', JPEG],
  ['jpg', JPEG],
  [
    'mobi',
    {
      content_type: 'application/x-mobipocket-ebook',
      label: 'a Mobipocket book',
      matches: (_reader, head) => startsWith(head, 'BOOKMOBI', 60),
    },
  ],
  ['mov', { content_type: 'video/quicktime', label: 'a QuickTime film', matches: isQuickTime }],
  ['mp3', { content_type: 'audio/mpeg', label: 'an MP3 file', matches: isMp3 }],
  [
    'mpeg',
    {
      content_type: 'video/mpeg',
      label: 'an MPEG film',
      matches: bySignature('\x00\x00\x01\xba', '\x00\x00\x01\xb3'),
    },
  ],
  ['pdf', { content_type: 'application/pdf', label: 'a PDF', matches: bySignature('%PDF-') }],
  [
    'png',
    {
      content_type: 'image/png',
      label: 'a PNG picture',
      matches: bySignature('\x89PNG\r\n\x1a\n'),
    },
  ],
  [
    'psp',
    {
      content_type: 'image/x-paintshoppro',
      label: 'a Paint Shop Pro picture',
      matches: bySignature('Paint Shop Pro Image File\n\x1a'),
    },
  ],
  ['rtf', { content_type: 'application/rtf', label: 'an RTF document', matches: bySignature('{\\rtf') }],
  ['stl', { content_type: 'model/stl', label: 'an STL model', matches: isStl }],
  ['txt', { content_type: 'text/plain', label: 'plain text', matches: (reader) => isText(reader) }],
  [
    'zip',
    { content_type: 'application/zip', label: 'a ZIP archive', matches: bySignature(...ZIP_SIGNATURES) },
  ],
]);
