import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planGif } from '../../../src/media/location/gif.js';
import { failureOf, fixture, readerOf } from '../sample.js';
import { applyParts } from './apply.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** Data in blocks of up to 255 bytes, each preceded by its length. */
function blocks(data: Buffer | string): Buffer {
  const bytes = typeof data === 'string' ? latin1(data) : data;
  const parts: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; offset += 255) {
    const part = bytes.subarray(offset, offset + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat([...parts, Buffer.from([0])]);
}

const HEAD = Buffer.concat([latin1('GIF89a'), hex('10000800800000'), hex('000000ffffff')]);
const CONTROL = Buffer.concat([hex('21f9'), blocks(hex('04001400'))]);
const PICTURE = Buffer.concat([hex('2c000000001000080000'), hex('02'), blocks(Buffer.alloc(600, 0x21))]);
const END = hex('3b');
const application = (name: string, data: Buffer | string): Buffer =>
  Buffer.concat([hex('21ff0b'), latin1(name), blocks(data)]);
const comment = (text: string): Buffer => Buffer.concat([hex('21fe'), blocks(text)]);
/** As written in practice: the raw bytes, then a trailer that ends any walk over blocks. */
const XMP = Buffer.concat([
  hex('21ff0b'),
  latin1('XMP DataXMP<x:xmpmeta exif:GPSLatitude="52,31N"/>'),
  hex('01'),
  Buffer.from(Array.from({ length: 256 }, (_, index) => 255 - index)),
  hex('00'),
]);
const gif = (...more: readonly Buffer[]): Buffer => Buffer.concat([HEAD, ...more, CONTROL, PICTURE, END]);

const clean = async (bytes: Buffer): Promise<Buffer> => applyParts(bytes, await planGif(readerOf(bytes)));

describe('planGif', () => {
  it.each([
    ['XMP', XMP],
    ['a comment', comment('Berlin, 52.5 13.4')],
    ['an extension of some program', application('MGK8BIM0000', 'place')],
    ['an extension without a name', Buffer.concat([hex('21ff'), blocks('short')])],
    ['an unknown extension', Buffer.concat([hex('21aa'), blocks('place')])],
  ])('drops %s, before and after the picture', async (_what, metadata) => {
    expect(await clean(gif(metadata))).toEqual(gif());
    expect(await clean(Buffer.concat([HEAD, PICTURE, metadata, END]))).toEqual(
      Buffer.concat([HEAD, PICTURE, END]),
    );
  });

  it('keeps a picture without metadata as the same file', async () => {
    const repeated = gif(application('NETSCAPE2.0', hex('010000')), application('ICCRGBG1012', 'colours'));
    for (const original of [gif(), repeated, await readFile(fixture('animation.gif'))]) {
      expect(await planGif(readerOf(original))).toEqual([{ start: 0, end: original.length }]);
    }
  });

  it('drops everything after the end', async () => {
    expect(await clean(Buffer.concat([gif(), latin1('PK\x03\x04 GPS')]))).toEqual(gif());
  });

  it.each([
    ['nothing but a header', HEAD],
    ['an end and no picture', Buffer.concat([HEAD, CONTROL, END])],
    ['a picture that is cut off', gif().subarray(0, -100)],
    ['a picture without an end', gif().subarray(0, -1)],
    ['junk behind the picture', Buffer.concat([gif().subarray(0, -1), latin1('junk')])],
    ['less than a header', HEAD.subarray(0, 9)],
    ['junk where the picture must be', Buffer.concat([HEAD, latin1('junk')])],
  ])('throws unreadable for %s', async (_what, bytes) => {
    expect(await failureOf(planGif(readerOf(bytes)))).toBe('unreadable');
  });

  it('reads a picture one window at a time', async () => {
    const long = Buffer.concat([HEAD, PICTURE.subarray(0, 11), Buffer.alloc(8_000_000, 7), hex('003b')]);
    const reader = readerOf(long);
    expect(await planGif(reader)).toEqual([{ start: 0, end: long.length }]);
    expect(reader.count()).toBeLessThan(250);
  });

  it('finishes in a bounded number of reads for any mutation', async () => {
    const original = gif(XMP, application('NETSCAPE2.0', hex('010000')));
    const change = fc.tuple(
      fc.nat(original.length - 1),
      fc.oneof(fc.nat(255), fc.constantFrom(0, 0x21, 0x2c)),
    );
    let planned_count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const bytes = Buffer.from(original);
        for (const [offset, value] of changes) bytes[offset] = value;
        const reader = readerOf(bytes);
        const outcome = await failureOf(planGif(reader));
        if (outcome === 'no failure') planned_count += 1;
        expect(['no failure', 'unreadable']).toContain(outcome);
        expect(reader.count()).toBeLessThan(4 * original.length);
      }),
      { numRuns: 2_000 },
    );
    expect(planned_count).toBeGreaterThan(100);
  });
});
