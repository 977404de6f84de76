import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeExifLocation } from '../../src/media/location/exif.js';
import { planJpeg } from '../../src/media/location/jpeg.js';
import { planPng } from '../../src/media/location/png.js';
import { buildExif, readExif } from './exif.js';
import { failureOf, fixture, makeMedia, readerOf } from './sample.js';

const LIMIT = { limit_bytes: 10_000_000 };
const ORIENTATION = 0x0112;
const GPS = 0x8825;

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function segment(code: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin1(part) : part)));
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

const START = latin1('\xff\xd8');
const JFIF = segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0');
const FRAME = segment(0xc0, '\x08\0\x10\0\x10\x01\x01\x11\0');
/** A scan with stuffed, restart and fill bytes, tables and a second scan; then the end of the image. */
const SCANS = Buffer.concat([
  segment(0xda, '\x01\x01\0\0\x3f\0'),
  latin1('ab\xff\0cd\xff\xd0ef\xff\xff\xd7gh'),
  segment(0xc4, 'table'),
  segment(0xda, '\x01\x01\0\0\x3f\0'),
  latin1('second\xff\0scan\xff\xd9'),
]);
const jpeg = (...metadata: readonly Buffer[]): Buffer =>
  Buffer.concat([START, JFIF, ...metadata, FRAME, SCANS]);
const exifSegment = (tiff: Buffer): Buffer => segment(0xe1, 'Exif\0\0', tiff);

function chunk(type: string, body: Buffer | string): Buffer {
  const typed = Buffer.concat([latin1(type), typeof body === 'string' ? latin1(body) : body]);
  const bytes = Buffer.alloc(8 + typed.length);
  bytes.writeUInt32BE(typed.length - 4, 0);
  typed.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(typed), 4 + typed.length);
  return bytes;
}

const PNG_START = Buffer.concat([
  latin1('\x89PNG\r\n\x1a\n'),
  chunk('IHDR', '\0\0\0\x01\0\0\0\x01\x08\0\0\0\0'),
]);
const PNG_END = Buffer.concat([chunk('IDAT', 'pixels'), chunk('IEND', '')]);
const png = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([PNG_START, ...chunks, PNG_END]);

async function strip(bytes: Buffer, content_type = 'image/jpeg'): Promise<Buffer> {
  const { media, listStaged } = await makeMedia();
  const staged = await media.stage(Readable.from([bytes]), LIMIT);
  const cleaned = await media.stripLocation(staged, content_type);
  expect(await listStaged()).toHaveLength(1);
  const cleaned_bytes = await readFile(cleaned.path);
  expect(cleaned.size_bytes).toBe(cleaned_bytes.length);
  expect(cleaned.path === staged.path).toBe(cleaned_bytes.equals(bytes));
  expect(cleaned.sha256).toBe(createHash('sha256').update(cleaned_bytes).digest('hex'));
  return cleaned_bytes;
}

/** From the first scan on: the parts that determine the pixels, with the tables before them. */
function findScans(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.indexOf(Buffer.from([0xff, 0xdb])));
}

function findExif(bytes: Buffer): Buffer {
  const at = bytes.indexOf('Exif\0\0');
  return bytes.subarray(at + 6, at - 2 + bytes.readUInt16BE(at - 2));
}

describe('removeExifLocation', () => {
  it.each(['II', 'MM'] as const)('removes only the GPS directory and its values (%s)', (order) => {
    const tiff = buildExif({ order });
    const cleaned = removeExifLocation(tiff) ?? Buffer.alloc(0);
    const before = readExif(tiff);
    expect(before.has(GPS)).toBe(true);
    before.delete(GPS);
    expect(readExif(cleaned)).toEqual(before);
    expect([cleaned.length, cleaned.includes('SECRET'), tiff.includes('SECRET')]).toEqual([
      tiff.length,
      false,
      true,
    ]);
  });

  it('returns the same buffer if there is nothing to remove', () => {
    const cleaned = removeExifLocation(buildExif()) ?? Buffer.alloc(0);
    expect(removeExifLocation(cleaned)).toBe(cleaned);
  });

  it('erases a thumbnail that has its own metadata', () => {
    const thumbnail = Buffer.concat([START, exifSegment(buildExif({ thumbnail: latin1('x') }))]);
    const cleaned = removeExifLocation(buildExif({ thumbnail })) ?? Buffer.alloc(0);
    expect([cleaned.includes('SECRET'), readExif(cleaned).get(ORIENTATION)?.[0]]).toEqual([false, 6]);
  });

  it.each([
    ['no byte order', latin1('XX*\0\x08\0\0\0')],
    ['a directory outside', latin1('II*\0\xff\xff\0\0')],
    ['more entries than bytes', latin1('II*\0\x08\0\0\0\xff\xff\0\0')],
    ['nothing', Buffer.alloc(0)],
  ])('cannot read %s', (_what, tiff) => {
    expect(removeExifLocation(tiff)).toBeUndefined();
  });

  it('finishes for directories that point at themselves, and for any mutation', () => {
    const original = buildExif();
    const change = fc.tuple(fc.oneof(fc.nat(original.length - 1), fc.nat(70)), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 16 }), (changes) => {
        const tiff = Buffer.from(original);
        for (const [offset, value] of changes) tiff[offset] = value;
        const cleaned = removeExifLocation(tiff);
        expect([undefined, tiff.length]).toContain(cleaned?.length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('stripLocation of a JPEG', () => {
  it.each(['mug-front.jpg', 'mug-side.jpg'])(
    'removes the location from %s and leaves the pixels byte for byte',
    async (name) => {
      const original = await readFile(fixture(name));
      const exif_before = readExif(findExif(original));
      expect(exif_before.has(GPS)).toBe(true);
      const cleaned = await strip(original);
      const exif = readExif(findExif(cleaned));
      exif_before.delete(GPS);
      expect(exif).toEqual(exif_before);
      expect(findScans(cleaned)).toEqual(findScans(original));
      expect([cleaned.includes('Paris'), cleaned.includes('Photoshop 3.0'), cleaned.includes('GPS')]).toEqual(
        [false, false, false],
      );
    },
  );

  it('finds nothing to do the second time', async () => {
    const cleaned = await strip(await readFile(fixture('mug-side.jpg')));
    expect(await strip(cleaned)).toEqual(cleaned);
  });

  it('keeps a picture without metadata as the same file', async () => {
    const original = await readFile(fixture('photo-01.jpg'));
    expect(await strip(original)).toEqual(original);
  });

  it('keeps orientation, colors and other harmless metadata', async () => {
    const harmless = [
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', '<x:xmpmeta xmp:CreatorTool="Paint"/>'),
      segment(0xe2, 'ICC_PROFILE\0\x01\x01profile'),
      segment(0xec, 'Ducky\0\x01'),
      segment(0xee, 'Adobe\0d\0\0\0\0\x01'),
      segment(0xfe, 'made by hand'),
      Buffer.from([0xff, 0xff]),
    ];
    const cleaned = await strip(jpeg(exifSegment(buildExif({ orientation: 6 })), ...harmless));
    const exif = findExif(cleaned);
    expect(readExif(exif).get(ORIENTATION)).toEqual(Buffer.from([6, 0]));
    expect(cleaned).toEqual(jpeg(exifSegment(exif), ...harmless));
  });

  it.each([
    ['XMP with coordinates', segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', '<rdf exif:GPSLatitude="1"/>')],
    [
      'XMP with a city',
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', '<photoshop:City>Rome</photoshop:City>'),
    ],
    [
      'XMP with a place in UTF-16',
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.from('<Iptc4xmpExt:LocationShown>', 'utf16le')),
    ],
    ['extended XMP', segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', 'anything')],
    ['IPTC', segment(0xed, 'Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x08\x1c\x02\x5a\0\x03Ulm')],
    ['an index of further pictures', segment(0xe2, 'MPF\0II*\0')],
    ['a segment of a camera maker', segment(0xe6, 'GoPro\0GPS5')],
    ['content credentials', segment(0xeb, 'JP\0\x01')],
    ['a comment that names a place', segment(0xfe, 'Latitude 52.5')],
    ['EXIF that cannot be read', segment(0xe1, 'Exif\0\0', 'broken')],
  ])('drops %s', async (_what, metadata) => {
    expect(await strip(jpeg(metadata))).toEqual(jpeg());
  });

  it('drops metadata between scans, and everything after the end', async () => {
    const late = Buffer.concat([
      START,
      JFIF,
      FRAME,
      SCANS.subarray(0, -2),
      exifSegment(latin1('broken')),
      latin1('\xff\xd9'),
    ]);
    const behind = Buffer.concat([jpeg(), jpeg(exifSegment(buildExif())), latin1('....ftypmp42')]);
    expect(await strip(late)).toEqual(jpeg());
    expect(await strip(behind)).toEqual(jpeg());
  });

  it.each([
    ['ends before its scans', jpeg().subarray(0, 40)],
    ['is cut off within its scans', jpeg().subarray(0, -8)],
    ['has no end', jpeg().subarray(0, -2)],
    ['has an end and no scan', Buffer.concat([START, JFIF, FRAME, latin1('\xff\xd9')])],
    ['has no marker where one must be', Buffer.concat([START, JFIF, latin1('no marker')])],
    ['has a segment without length', Buffer.concat([START, latin1('\xff\xe1\0\x01')])],
  ])('throws unreadable for a file that %s, and leaves it staged', async (_what, bytes) => {
    const { media, listStaged } = await makeMedia();
    const staged = await media.stage(Readable.from([bytes]), LIMIT);
    expect(await failureOf(media.stripLocation(staged, 'image/jpeg'))).toBe('unreadable');
    expect(await listStaged()).toHaveLength(1);
  });

  it('holds only a few EXIF segments at a time, however many there are', async () => {
    const many = Array.from({ length: 50 }, () => exifSegment(buildExif()));
    const parts = await planJpeg(readerOf(jpeg(...many)));
    expect(parts.filter((part) => Buffer.isBuffer(part))).toHaveLength(4);
  });

  it('finds markers that span the borders of its reads', async () => {
    const scan = Buffer.concat([latin1('\xff\0'), Buffer.alloc(65_000, 7)]);
    for (const shift of [0, 1, 2, 3, 600, 601]) {
      const pixels = Buffer.concat([Buffer.alloc(shift, 1), scan, scan, latin1('\xff\xd0'), scan]);
      const body = Buffer.concat([START, JFIF, FRAME, segment(0xda, '\x01'), pixels, latin1('\xff\xd9')]);
      expect((await strip(Buffer.concat([body, latin1('behind')]))).equals(body)).toBe(true);
    }
  });
});

describe('planJpeg', () => {
  it('reads a scan one window at a time, even if every byte could start a marker', async () => {
    const reader = readerOf(
      Buffer.concat([START, segment(0xda, '\x01'), Buffer.alloc(5_000_000, 0xff), latin1('\xd9')]),
    );
    expect(await planJpeg(reader)).toEqual([{ start: 0, end: reader.size_bytes }]);
    expect(reader.count()).toBeLessThan(250);
  });
});

describe('stripLocation of a PNG', () => {
  it('removes the location from a picture and leaves the pixels byte for byte', async () => {
    const original = await readFile(fixture('mug-detail.png'));
    const cleaned = await strip(original, 'image/png');
    const chunks = listChunks(cleaned);
    const pixels = (bytes: Buffer): Buffer[] =>
      listChunks(bytes)
        .filter(({ type }) => type === 'IDAT' || type === 'PLTE')
        .map(({ bytes }) => bytes);
    expect(pixels(cleaned)).toEqual(pixels(original));
    expect(chunks.every(({ is_crc_right }) => is_crc_right)).toBe(true);
    const exif = chunks.find(({ type }) => type === 'eXIf');
    expect(
      exif && [readExif(exif.bytes).has(GPS), readExif(exif.bytes).get(ORIENTATION)?.includes(1)],
    ).toEqual([false, true]);
    expect([
      original.includes('Rome'),
      cleaned.includes('Rome'),
      chunks.some(({ type }) => type === 'iTXt'),
    ]).toEqual([true, false, false]);
    expect(await strip(cleaned, 'image/png')).toEqual(cleaned);
  });

  it('keeps display settings and harmless texts', async () => {
    const original = png(
      chunk('gAMA', '\0\0\xb1\x8f'),
      chunk('iCCP', 'p\0\0x'),
      chunk('tEXt', 'Title\0A mug'),
      chunk('pHYs', '\0\0\0\x01\0\0\0\x01\x01'),
    );
    expect(await strip(original, 'image/png')).toEqual(original);
  });

  it.each([
    ['XMP', chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0<x/>')],
    ['a raw profile', chunk('zTXt', 'Raw profile type exif\0\0x')],
    ['a raw profile in the open', chunk('tEXt', 'Raw profile type APP1\0\nexif\n')],
    ['XMP in the open', chunk('tEXt', 'XML:com.adobe.xmp\0<x/>')],
    ['a text that names a place', chunk('tEXt', 'Comment\0City: Ulm')],
    ['a text too long to scan', chunk('tEXt', `Comment\0${'x'.repeat(70_000)}`)],
    ['content credentials', chunk('caBX', 'x')],
    ['EXIF that cannot be read', chunk('eXIf', 'broken')],
  ])('drops %s', async (_what, metadata) => {
    expect(await strip(png(metadata), 'image/png')).toEqual(png());
  });

  it('drops everything after the end', async () => {
    expect(await strip(Buffer.concat([png(), latin1('PK\x03\x04')]), 'image/png')).toEqual(png());
  });

  it.each([
    ['no end', png().subarray(0, -12)],
    ['a chunk that reaches beyond', Buffer.concat([PNG_START, latin1('\0\xff\xff\xffIDAT')])],
  ])('throws unreadable for a file with %s', async (_what, bytes) => {
    const { media } = await makeMedia();
    const staged = await media.stage(Readable.from([bytes]), LIMIT);
    expect(await failureOf(media.stripLocation(staged, 'image/png'))).toBe('unreadable');
  });
});

describe('stripLocation', () => {
  it('leaves other types alone', async () => {
    const original = await readFile(fixture('mug-front.jpg'));
    expect(await strip(original, 'application/pdf')).toEqual(original);
    expect(await strip(original, 'image/webp')).toEqual(original);
  });

  it.each([
    ['a JPEG', jpeg(exifSegment(buildExif()), segment(0xe2, 'ICC_PROFILE\0')), planJpeg],
    ['a PNG', png(chunk('eXIf', buildExif()), chunk('tEXt', 'Title\0mug')), planPng],
  ])('finishes in a bounded number of reads for any mutation of %s', async (_what, original, plan) => {
    const change = fc.tuple(
      fc.nat(original.length - 1),
      fc.oneof(fc.nat(255), fc.constantFrom(0, 0xff, 0xda, 0xd9)),
    );
    let planned_count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const bytes = Buffer.from(original);
        for (const [offset, value] of changes) bytes[offset] = value;
        const reader = readerOf(bytes);
        const outcome = await failureOf(plan(reader));
        if (outcome === 'no failure') planned_count += 1;
        expect(['no failure', 'unreadable']).toContain(outcome);
        expect(reader.count()).toBeLessThan(4 * original.length);
      }),
      { numRuns: 1_000 },
    );
    expect(planned_count).toBeGreaterThan(50);
  });
});

function listChunks(bytes: Buffer): { type: string; bytes: Buffer; is_crc_right: boolean }[] {
  const chunks = [];
  for (let offset = 8; offset < bytes.length;) {
    const end = offset + 8 + bytes.readUInt32BE(offset);
    const isCrcRight = bytes.readUInt32BE(end) === crc32(bytes.subarray(offset + 4, end));
    chunks.push({
      type: bytes.toString('latin1', offset + 4, offset + 8),
      bytes: bytes.subarray(offset + 8, end),
      is_crc_right: isCrcRight,
    });
    offset = end + 4;
  }
  return chunks;
}
