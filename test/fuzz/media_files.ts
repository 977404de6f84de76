import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { box, ftyp, moof, mvhd, trak, u32 } from '../media/boxes.js';
import { buildExif } from '../media/exif.js';
import type { Random } from './random.js';

type Seed = { name: string; bytes: Buffer };

/** Every kind of file that has a probe: the tests' files, and some that take a lot of work for their size. */
export function buildMediaSeeds(): Seed[] {
  const folder = join(import.meta.dirname, '../fixtures');
  const files = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  return [...files, ...buildHeavySeeds()];
}

function buildHeavySeeds(): Seed[] {
  const pixels = Buffer.alloc(200_000, 0xff);
  const frame = Buffer.from('ffc0000b080010001001011100', 'hex');
  const scan = Buffer.from('ffda0008010100003f00', 'hex');
  const exif = buildExif();
  const app = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 8]), Buffer.from('Exif\0\0'), exif]);
  const empty = Array.from({ length: 15_000 }, () => box('free'));
  const tracks = Array.from({ length: 32 }, (_, index) => trak({ id: index + 1, duration: 600 }));
  const samples = Array.from({ length: 100_000 }, () => 1);
  return [
    { name: 'markers.jpg', bytes: Buffer.concat([Buffer.from('ffd8', 'hex'), app, frame, scan, pixels]) },
    { name: 'chunks.png', bytes: buildPng(8_000) },
    { name: 'blocks.gif', bytes: buildGif(20_000) },
    {
      name: 'boxes.mp4',
      bytes: Buffer.concat([
        ftyp,
        box('moov', mvhd(600, 600), ...tracks, ...empty),
        ...empty.slice(0, 3_000),
      ]),
    },
    {
      name: 'samples.mp4',
      bytes: Buffer.concat([
        ftyp,
        box('moov', mvhd(600, 600), trak({ timescale: 10_000 })),
        moof(1, 0, samples),
      ]),
    },
    { name: 'positions.mov', bytes: buildPositions(50_000) },
  ];
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), body]);
  return Buffer.concat([u32(body.length), named, u32(crc32(named))]);
}

function buildPng(count: number): Buffer {
  const texts = Array.from({ length: count }, (_, index) =>
    chunk('tEXt', Buffer.from(`Title\0mug ${index}`)),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000010000000080802000000', 'hex')),
    ...texts,
    chunk('IDAT', Buffer.alloc(64, 1)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function buildGif(count: number): Buffer {
  const comment = Buffer.from('21fe036d756700', 'hex');
  return Buffer.concat([
    Buffer.from('47494638396110000800800000000000ffffff', 'hex'),
    ...Array.from({ length: count }, () => comment),
    Buffer.from('2c00000000100008000002024401003b', 'hex'),
  ]);
}

/** A film with a data track, each sample in its own chunk. */
function buildPositions(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const build = (start: number) =>
    box(
      'trak',
      box('tkhd', Buffer.alloc(84)),
      box(
        'mdia',
        box('mdhd', u32(0, 0, 0, 1000, 1000, 0)),
        box('hdlr', u32(0, 0), Buffer.from('meta'), Buffer.alloc(13)),
        box(
          'minf',
          box(
            'stbl',
            box('stsc', u32(0, 1, 1, 10, 1)),
            box('stsz', u32(0, 0, count, ...numbers.map(() => 4))),
            box(
              'stco',
              u32(0, count / 10, ...numbers.slice(0, count / 10).map((index) => start + 40 * index)),
            ),
          ),
        ),
      ),
    );
  const mdat = box('mdat', Buffer.alloc(4 * count, 0x35));
  return Buffer.concat([ftyp, mdat, box('moov', mvhd(600, 600), trak({}), build(ftyp.length + 8))]);
}

/** Changed bytes, mostly near the start and near names of boxes and chunks; ranges cut, doubled or moved. */
export function mutateBytes({ bytes }: Seed, random: Random): Buffer {
  let changed = Buffer.from(bytes);
  for (let left = 1 + random.int(random.pick([2, 8, 40])); left > 0; left -= 1) {
    changed = random.pick(CHANGES)(changed, random);
  }
  return changed;
}

type Change = (bytes: Buffer, random: Random) => Buffer<ArrayBuffer>;

const EDGES = [0, 1, 2, 7, 8, 0x7f, 0x80, 0xd9, 0xda, 0xfe, 0xff] as const;

function pickPlace(bytes: Buffer, random: Random): number {
  if (bytes.length === 0) return 0;
  if (random.chance(0.4)) return random.int(Math.min(bytes.length, 256));
  if (random.chance(0.5)) {
    const found = bytes.indexOf(random.pick(NAMES), random.int(bytes.length), 'latin1');
    if (found >= 4) return Math.min(found - 4 + random.int(28), bytes.length - 1);
  }
  return random.int(bytes.length);
}

const setByte: Change = (bytes, random) => {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) {
    copy[pickPlace(copy, random)] = random.chance(0.5) ? random.pick(EDGES) : random.int(256);
  }
  return copy;
};

const setNumber: Change = (bytes, random) => {
  const copy = Buffer.from(bytes);
  const place = pickPlace(copy, random);
  if (place + 4 <= copy.length) {
    copy.writeUInt32BE(random.pick([0, 1, 8, 16, copy.length, 0x7fff_ffff, 0xffff_ffff]), place);
  }
  return copy;
};

const cut: Change = (bytes, random) => Buffer.from(bytes.subarray(0, random.int(bytes.length + 1)));

const remove: Change = (bytes, random) => {
  const place = pickPlace(bytes, random);
  return Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1 + random.int(64))]);
};

const double: Change = (bytes, random) => {
  const place = pickPlace(bytes, random);
  const end = place + 1 + random.int(2_000);
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(place)]);
};

const CHANGES: readonly Change[] = [
  setByte,
  setByte,
  setByte,
  setByte,
  setNumber,
  setNumber,
  cut,
  remove,
  double,
];

const NAMES =
  'ftyp moov mvhd trak tkhd mdia mdhd hdlr stsc stsz stco moof trun IHDR IDAT eXIf Exif JFIF NETSCAPE \xff\xda \xff\xc0 !\xfe'.split(
    ' ',
  );
