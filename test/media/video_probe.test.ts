import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { probeVideo } from '../../src/media/video/video_probe.js';
import { box, ftyp, longBox, longMvhd, moof, mvhd, QUARTER_TURN, trak, u32 } from './boxes.js';
import { fixture, readerOf } from './sample.js';

const probe = (...boxes: readonly Buffer[]) => probeVideo(readerOf(Buffer.concat(boxes)));
const silent = { has_sound: false, width: 640, height: 480 };

describe('probeVideo', () => {
  it('reads headers of both versions, and 64-bit sizes', async () => {
    const short = box('moov', mvhd(600, 1500), trak({ duration: 1500 }));
    const long = longBox('moov', longMvhd(90_000, 900_000), trak({}));
    expect(await probe(ftyp, short)).toEqual({ duration_seconds: 2.5, ...silent });
    expect(await probe(ftyp, longBox('mdat', Buffer.alloc(99)), long)).toEqual({
      duration_seconds: 10,
      ...silent,
    });
  });

  it('takes a last box of size 0 as reaching to the end', async () => {
    const mdat = Buffer.concat([u32(0), Buffer.from('mdat'), Buffer.alloc(50)]);
    expect(await probe(ftyp, box('moov', mvhd(600, 600), trak({})), mdat)).toEqual({
      duration_seconds: 1,
      ...silent,
    });
  });

  it('swaps the sides of a film that was rotated by 90 degrees', async () => {
    const turned = box('moov', mvhd(600, 600), trak({ matrix: QUARTER_TURN }));
    expect(await probe(ftyp, turned)).toEqual({
      duration_seconds: 1,
      has_sound: false,
      width: 480,
      height: 640,
    });
  });

  it('detects a sound track wherever it is', async () => {
    const moov = box(
      'moov',
      mvhd(600, 600),
      trak({ id: 1 }),
      trak({ id: 2, media: 'soun', width: 0, height: 0 }),
    );
    expect(await probe(ftyp, moov)).toEqual({ duration_seconds: 1, ...silent, has_sound: true });
  });

  it('trusts the longest of the stated lengths', async () => {
    const moov = box('moov', mvhd(600, 600), trak({ duration: 12_000 }));
    expect(await probe(ftyp, moov)).toEqual({ duration_seconds: 20, ...silent });
  });

  it('falls back to the media if neither film nor track states a length', async () => {
    const moov = box('moov', mvhd(600, 0xffff_ffff), trak({ timescale: 50, media_duration: 200 }));
    expect(await probe(ftyp, moov)).toEqual({ duration_seconds: 4, ...silent });
  });

  it('adds up fragments, with and without a length for each sample', async () => {
    const trex = box('trex', u32(0, 1, 1, 250, 0, 0));
    const moov = box('moov', mvhd(600, 0), trak({}), box('mvex', trex));
    const defaults = box(
      'moof',
      box('traf', box('tfhd', u32(0, 1)), box('trun', u32(0, 8))),
      box('traf', box('tfhd', u32(0x8, 1, 500)), box('trun', u32(0x1, 2, 0))),
    );
    expect(await probe(ftyp, moov, moof(1, 5000, [400, 600]), moof(1, 6000, [1000]))).toEqual({
      duration_seconds: 2,
      ...silent,
    });
    expect(await probe(ftyp, moov, defaults)).toEqual({ duration_seconds: 3, ...silent });
  });

  it('reads the announced length of a fragmented film', async () => {
    const mvex = box('mvex', box('mehd', u32(0, 4200)));
    expect(await probe(ftyp, box('moov', mvhd(600, 0), trak({}), mvex))).toEqual({
      duration_seconds: 7,
      ...silent,
    });
  });

  it.each<[string, Buffer[]]>([
    ['no moov', [ftyp]],
    ['two moov', [box('moov', mvhd(600, 600)), box('moov', mvhd(600, 600))]],
    ['no mvhd', [box('moov', trak({}))]],
    ['a timescale of 0', [box('moov', mvhd(0, 600), trak({}))]],
    ['no length at all', [box('moov', mvhd(600, 0), trak({}))]],
    ['a track without media', [box('moov', mvhd(600, 600), box('trak', box('tkhd', Buffer.alloc(84))))]],
    ['a box that reaches beyond its parent', [box('moov', mvhd(600, 600), u32(4000), Buffer.from('trak'))]],
    ['a box that is smaller than its header', [box('moov', mvhd(600, 600), u32(4), Buffer.from('free'))]],
    ['an mdat that is cut off', [box('moov', mvhd(600, 600), trak({})), u32(4000), Buffer.from('mdat')]],
    ['a size beyond exact numbers', [u32(1), Buffer.from('mdat'), u32(0xffff_ffff, 0xffff_ffff)]],
    ['33 tracks', [box('moov', mvhd(600, 600), ...Array.from({ length: 33 }, (_, id) => trak({ id })))]],
    [
      'more than 20,000 boxes',
      [box('moov', mvhd(600, 600), trak({}), ...Array.from({ length: 20_001 }, () => box('free')))],
    ],
    [
      'a moov above 16 MiB',
      [box('moov', mvhd(600, 600), trak({}), box('free', Buffer.alloc(16 * 1024 * 1024)))],
    ],
    ['a fragment of no track', [box('moov', mvhd(600, 600), trak({})), moof(9, 0, [1])]],
    [
      'a run that lists fewer samples than it counts',
      [
        box('moov', mvhd(600, 0), trak({})),
        box('moof', box('traf', box('tfhd', u32(0, 1)), box('trun', u32(0x100, 0x7fff_ffff, 1)))),
      ],
    ],
  ])('refuses a film with %s', async (_what, boxes) => {
    expect(await probe(ftyp, ...boxes)).toBeUndefined();
  });

  it('reads the same with 32 tracks and 19,000 boxes', async () => {
    const tracks = Array.from({ length: 32 }, (_, id) => trak({ id }));
    const moov = box('moov', mvhd(600, 600), ...tracks, ...Array.from({ length: 19_000 }, () => box('free')));
    expect(await probe(ftyp, moov)).toEqual({ duration_seconds: 1, ...silent });
  });

  it.each(['clip.mp4', 'clip.mov', 'clip-with-sound.mp4', 'clip-fragmented.mp4'])(
    'returns for any mutation of %s, in a bounded number of reads',
    async (name) => {
      const original = await readFile(fixture(name));
      const places = findHeaderPlaces(original);
      const change = fc.tuple(
        fc.oneof(fc.nat(original.length - 1), fc.constantFrom(...places)),
        fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0xff)),
      );
      let read_count = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { minLength: 1, maxLength: 24 }),
          fc.integer({ min: 64, max: original.length * 4 }),
          async (changes, length) => {
            const bytes = Buffer.from(original);
            for (const [offset, value] of changes) bytes[offset] = value;
            const reader = readerOf(bytes.subarray(0, length));
            const video = await probeVideo(reader);
            if (video !== undefined) read_count += 1;
            const { duration_seconds = 1 } = video ?? {};
            expect(duration_seconds > 0 && Number.isFinite(duration_seconds)).toBe(true);
            expect(reader.count()).toBeLessThanOrEqual(20_001);
          },
        ),
        { numRuns: 2_000 },
      );
      expect(read_count).toBeGreaterThan(20);
    },
  );
});

/** The bytes of sizes, types and first fields of every box, where a change has the most effect. */
function findHeaderPlaces(bytes: Buffer): number[] {
  const types = [
    'moov',
    'mvhd',
    'trak',
    'tkhd',
    'mdia',
    'mdhd',
    'hdlr',
    'mvex',
    'trex',
    'moof',
    'traf',
    'trun',
    'tfhd',
  ];
  return types
    .map((type) => bytes.indexOf(type, 0, 'latin1'))
    .filter((index) => index >= 4)
    .flatMap((index) => Array.from({ length: 28 }, (_, step) => index - 4 + step))
    .filter((place) => place < bytes.length);
}
