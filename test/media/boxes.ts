/** Builds boxes of the ISO base media file format, for films that no encoder would write. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

/** The same with a 64-bit size. */
export function longBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(1), Buffer.from(type, 'latin1'), u64(16 + body.length), body]);
}

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, 4 * index));
  return bytes;
}

export function u64(value: number): Buffer {
  return u32(Math.floor(value / 2 ** 32), value % 2 ** 32);
}

export const ftyp = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isommp42'));

export function mvhd(timescale: number, duration: number): Buffer {
  return box('mvhd', u32(0, 0, 0, timescale, duration), Buffer.alloc(80));
}

/** Version 1: 64-bit times. */
export function longMvhd(timescale: number, duration: number): Buffer {
  return box('mvhd', u32(0x0100_0000), u64(0), u64(0), u32(timescale), u64(duration), Buffer.alloc(80));
}

const UPRIGHT = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] as const;
export const QUARTER_TURN = [0, 0x1_0000, 0, -0x1_0000, 0, 0, 0, 0, 0x4000_0000] as const;

export function trak(options: {
  id?: number;
  media?: string;
  duration?: number;
  timescale?: number;
  media_duration?: number;
  matrix?: readonly number[];
  width?: number;
  height?: number;
}): Buffer {
  const { id = 1, media = 'vide', duration = 0, timescale = 1000, media_duration = 0 } = options;
  const { matrix = UPRIGHT, width = 640, height = 480 } = options;
  const tkhd = box(
    'tkhd',
    u32(7, 0, 0, id, 0, duration, 0, 0, 0, 0),
    u32(...matrix),
    u32(width * 65_536, height * 65_536),
  );
  const mdhd = box('mdhd', u32(0, 0, 0, timescale, media_duration, 0));
  const hdlr = box('hdlr', u32(0, 0), Buffer.from(media), Buffer.alloc(13));
  return box('trak', tkhd, box('mdia', mdhd, hdlr));
}

/** One fragment of one track; durations for each sample, or one for all of a count. */
export function moof(track_id: number, base: number, durations: readonly number[]): Buffer {
  const tfhd = box('tfhd', u32(0, track_id));
  const tfdt = box('tfdt', u32(0x0100_0000), u64(base));
  const trun = box('trun', u32(0x100, durations.length, ...durations));
  return box('moof', box('mfhd', u32(0, 1)), box('traf', tfhd, tfdt, trun));
}
