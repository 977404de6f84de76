import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFilm } from '../../../src/media/location/film.js';
import { probeVideo } from '../../../src/media/video/video_probe.js';
import { box, ftyp, longBox, moof, mvhd, trak, u32, u64 } from '../boxes.js';
import { failureOf, fixture, readerOf } from '../sample.js';
import { applyParts } from './apply.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const KEY = 'com.apple.quicktime.location.ISO6709';
const PLACE = '+52.5163+013.3777/';
const clean = async (bytes: Buffer): Promise<Buffer> => applyParts(bytes, await planFilm(readerOf(bytes)));

/** Text of QuickTime's user data: length, language, text. */
const text = (type: string, value: string): Buffer =>
  box(type, Buffer.from([0, value.length, 0x55, 0xc4]), latin1(value));
const loci = box(
  'loci',
  u32(0),
  latin1('\x15\xc7Berlin\0\0'),
  u32(0xd6_0000, 0x34_8000, 0),
  latin1('Earth\0\0'),
);
/** Keyed metadata as a phone writes it. */
const keyed = box(
  'meta',
  box('hdlr', u32(0, 0), latin1('mdta'), Buffer.alloc(13)),
  box('keys', u32(0, 1), box('mdta', latin1(KEY))),
  box('ilst', box('\0\0\0\x01', box('data', u32(1, 0), latin1(PLACE)))),
);
/** Its remains in user data, where a handler may stay. */
const keyless = box(
  'meta',
  box('hdlr', u32(0, 0), latin1('mdta'), Buffer.alloc(13)),
  box('free', Buffer.alloc(8 + 8 + KEY.length)),
  box('ilst', box('free', Buffer.alloc(8 + 8 + PLACE.length))),
);
const itunes = (...items: readonly Buffer[]): Buffer =>
  box('meta', u32(0), box('hdlr', u32(0, 0), latin1('mdirappl'), Buffer.alloc(9)), box('ilst', ...items));
const XMP_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
const uuid = box('uuid', XMP_ID, latin1('<rdf exif:GPSLatitude="52,31N"/>'));

type Table = {
  chunks: readonly number[];
  runs: readonly (readonly [number, number])[];
  sizes: readonly number[];
};

/** A track of samples that are neither picture nor sound. */
function dataTrack(
  { chunks, runs, sizes }: Table,
  options: { media?: string; is_long?: boolean } = {},
): Buffer {
  const stbl = box(
    'stbl',
    box('stsc', u32(0, runs.length), ...runs.map(([first, count]) => u32(first, count, 1))),
    new Set(sizes).size === 1
      ? box('stsz', u32(0, sizes[0] ?? 0, sizes.length))
      : box('stsz', u32(0, 0, sizes.length, ...sizes)),
    options.is_long
      ? box('co64', u32(0, chunks.length), ...chunks.map((chunk) => u64(chunk)))
      : box('stco', u32(0, chunks.length, ...chunks)),
  );
  const hdlr = box('hdlr', u32(0, 0), latin1(options.media ?? 'meta'), Buffer.alloc(13));
  const mdhd = box('mdhd', u32(0, 0, 0, 1000, 1000, 0));
  return box('trak', box('tkhd', Buffer.alloc(84)), box('mdia', mdhd, hdlr, box('minf', stbl)));
}

const MOVIE_HEAD = mvhd(600, 600);
const film = (...inside: readonly Buffer[]): Buffer =>
  Buffer.concat([ftyp, box('moov', MOVIE_HEAD, trak({}), ...inside), box('mdat', latin1('the pictures'))]);

/** The remains of a removed box. */
const gone = (removed: Buffer): Buffer => box('free', Buffer.alloc(removed.length - 8));

describe('planFilm', () => {
  it.each([
    ['a place in user data', box('udta', text('\xa9xyz', PLACE)), box('udta', gone(text('\xa9xyz', PLACE)))],
    ['a place in 3GPP user data', box('udta', loci), box('udta', gone(loci))],
    ['a place under a key', keyed, gone(keyed)],
    ['a place under a key in user data', box('udta', keyed), box('udta', keyless)],
    [
      'a title that names a place, next to a harmless one',
      box('udta', text('\xa9nam', 'GPS 52.5'), text('\xa9cpy', 'Mug & Co.')),
      box('udta', gone(text('\xa9nam', 'GPS 52.5')), text('\xa9cpy', 'Mug & Co.')),
    ],
    [
      'a place among the items of a player',
      box('udta', itunes(text('\xa9xyz', PLACE), text('\xa9too', 'Lavf'))),
      box('udta', itunes(gone(text('\xa9xyz', PLACE)), text('\xa9too', 'Lavf'))),
    ],
    ['XMP', uuid, gone(uuid)],
    ['an unknown box', box('GPS ', latin1(PLACE)), gone(box('GPS ', latin1(PLACE)))],
    ['data that an editor left in free space', box('free', latin1(PLACE)), gone(box('free', latin1(PLACE)))],
    [
      'a place after the last box',
      box('udta', text('\xa9cpy', 'x'), latin1('52.5')),
      box('udta', text('\xa9cpy', 'x'), u32(0)),
    ],
  ])('removes %s inside a movie', async (_what, metadata, left) => {
    const original = film(metadata);
    const cleaned = await clean(original);
    expect(cleaned.length).toBe(original.length);
    expect(cleaned.includes('52.5')).toBe(false);
    expect(cleaned).toEqual(film(left));
    expect(await clean(cleaned)).toEqual(cleaned);
  });

  it('removes them from a track too, and keeps its display settings', async () => {
    const inside = trak({}).subarray(8);
    const shown = [box('tapt', u32(1)), box('tref', box('tmcd', u32(3)))];
    const metadata = [box('udta', text('\xa9xyz', PLACE)), keyed, uuid, box('tref', box('cdsc', u32(2)))];
    const left = [
      box('udta', gone(text('\xa9xyz', PLACE))),
      gone(keyed),
      gone(uuid),
      box('tref', gone(box('cdsc', u32(2)))),
    ];
    expect(await clean(film(box('trak', inside, ...shown, ...metadata)))).toEqual(
      film(box('trak', inside, ...shown, ...left)),
    );
  });

  it.each([
    ['XMP', uuid],
    ['metadata', keyed],
    ['user data', box('udta', text('\xa9xyz', PLACE))],
    ['a box of a camera maker, of 64 bits', longBox('SEFT', latin1(PLACE))],
    ['free space', box('free', Buffer.concat([Buffer.alloc(70_000), latin1(PLACE)]))],
  ])('removes %s next to the movie, wherever it is', async (_what, metadata) => {
    for (const original of [
      Buffer.concat([film(), metadata]),
      Buffer.concat([ftyp, metadata, film().subarray(ftyp.length)]),
    ]) {
      const cleaned = await clean(original);
      expect([cleaned.length, cleaned.includes('52.5')]).toEqual([original.length, false]);
      expect(cleaned.includes('the pictures')).toBe(true);
      expect(await probeVideo(readerOf(cleaned))).toEqual(await probeVideo(readerOf(original)));
      expect(await clean(cleaned)).toEqual(cleaned);
    }
  });

  it('removes a last box that reaches to the end, and bytes that are not a box', async () => {
    const open = Buffer.concat([u32(0), latin1(`SEFT${PLACE}`)]);
    const cleaned = await clean(Buffer.concat([film(), open]));
    expect(cleaned).toEqual(Buffer.concat([film(), u32(0), latin1('free'), Buffer.alloc(PLACE.length)]));
    expect(await clean(Buffer.concat([film(), latin1('52.5')]))).toEqual(Buffer.concat([film(), u32(0)]));
  });

  it.each(['clip.mp4', 'clip.mov', 'clip-fragmented.mp4', 'clip-rotated.mp4', 'clip-with-sound.mp4'])(
    'leaves %s unchanged as the same file',
    async (name) => {
      const original = await readFile(fixture(name));
      expect(await planFilm(readerOf(original))).toEqual([{ start: 0, end: original.length }]);
    },
  );

  it('removes the location from a real film, and changes nothing else', async () => {
    const original = await readFile(fixture('clip.mov'));
    const at = original.indexOf('moov', 0, 'latin1') - 4;
    const added = [box('udta', text('\xa9xyz', PLACE)), keyed];
    const left = [box('udta', gone(text('\xa9xyz', PLACE))), gone(keyed)];
    // Its movie box is at the end, so boxes can be added without moving its pictures.
    const withBoxes = (boxes: readonly Buffer[]) =>
      Buffer.concat([original.subarray(0, at), box('moov', original.subarray(at + 8), ...boxes)]);
    expect(await clean(withBoxes(added))).toEqual(withBoxes(left));
  });
});

const build = (mdat: Buffer, last: Buffer): Buffer =>
  Buffer.concat([ftyp, mdat, box('moov', MOVIE_HEAD, trak({}), last)]);

describe('planFilm for a data track', () => {
  const PICTURES = latin1('pictures');
  const media = box('mdat', PICTURES, latin1('52.5,13.4|'), PICTURES, latin1('52.6,13.5|52.7,13.6|'));
  const start = ftyp.length + 8;
  const left = box('mdat', PICTURES, Buffer.alloc(10), PICTURES, Buffer.alloc(20));
  const SIZES = { equal: [10, 10, 10], different: [9, 11, 10] } as const;
  const second = start + 2 * PICTURES.length + 10;
  const chunks = [start + PICTURES.length, second];

  it.each([
    ['positions', { media: 'meta' }],
    ['subtitles', { media: 'sbtl' }],
    ['an unknown kind, with offsets of 64 bits', { media: 'xyz ', is_long: true }],
  ])('removes a track of %s with its samples', async (_what, options) => {
    const track = dataTrack(
      {
        chunks,
        runs: [
          [1, 1],
          [2, 2],
        ],
        sizes: SIZES.equal,
      },
      options,
    );
    const cleaned = await clean(build(media, track));
    expect(cleaned).toEqual(build(left, gone(track)));
    expect(await clean(cleaned)).toEqual(cleaned);
  });

  it('adds up samples of different sizes', async () => {
    const track = dataTrack({
      chunks: [start, second],
      runs: [
        [1, 2],
        [2, 1],
      ],
      sizes: SIZES.different,
    });
    const cleaned = await clean(build(media, track));
    const body = Buffer.concat([Buffer.alloc(20), media.subarray(28, 8 + 26), Buffer.alloc(10)]);
    expect(cleaned.subarray(start, start + 36)).toEqual(body);
    expect(cleaned.subarray(start + 36, start + 46).toString('latin1')).toBe('52.7,13.6|');
  });

  it.each([
    ['samples outside of the media', { chunks: [4], runs: [[1, 1]], sizes: [10] }],
    ['samples beyond the end', { chunks: [chunks[0] ?? 0], runs: [[1, 1]], sizes: [1_000] }],
    ['more samples than sizes', { chunks, runs: [[1, 9]], sizes: [1, 2] }],
  ] as const)('throws unreadable for %s', async (_what, table) => {
    const original = build(media, dataTrack(table));
    expect(await failureOf(planFilm(readerOf(original)))).toBe('unreadable');
  });

  it('throws unreadable if such a track continues in fragments', async () => {
    const track = dataTrack({ chunks, runs: [[1, 1]], sizes: [10, 10] });
    const original = Buffer.concat([build(media, track), moof(1, 0, [1])]);
    expect(await failureOf(planFilm(readerOf(original)))).toBe('unreadable');
  });
});

it('planFilm finishes quickly for any mutation, with a file of the same length that reads as the same film', async () => {
  const track = dataTrack({ chunks: [ftyp.length + 8], runs: [[1, 2]], sizes: [5, 5] });
  const original = Buffer.concat([
    ftyp,
    box('mdat', latin1('52.5,13.4|')),
    box('moov', MOVIE_HEAD, trak({}), track, keyed, box('udta', text('\xa9xyz', PLACE))),
    uuid,
  ]);
  const change = fc.tuple(
    fc.nat(original.length - 1),
    fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 8, 0x7f, 0xff)),
  );
  let cleaned_count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const bytes = Buffer.from(original);
      for (const [offset, value] of changes) bytes[offset] = value;
      const reader = readerOf(bytes);
      const outcome = await failureOf(planFilm(reader));
      expect(['no failure', 'unreadable']).toContain(outcome);
      expect(reader.count()).toBeLessThan(20_100);
      if (outcome === 'unreadable') return;
      cleaned_count += 1;
      const cleaned = await clean(bytes);
      expect(cleaned.length).toBe(bytes.length);
      expect(await clean(cleaned)).toEqual(cleaned);
    }),
    { numRuns: 1_000 },
  );
  expect(cleaned_count).toBeGreaterThan(30);
});
