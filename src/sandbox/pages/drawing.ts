import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 400;
const HEIGHT = 320;

export const DRAWN_SIZE = { width: WIDTH, height: HEIGHT } as const;

/** A placeholder PNG for seeded images and video stills: a mug on a table, in colors derived from the id. */
export function drawPicture(id: number): Buffer {
  const wall = toColor(id * 37, 0.18, 0.93);
  const table = toColor(id * 37 + 25, 0.3, 0.7);
  const vessel = toColor(id * 89 + 140, 0.55, 0.62);
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3));
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const color = isVessel(x, y) ? vessel : y > 235 ? table : wall;
      rows.set(color, y * (1 + WIDTH * 3) + 1 + x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // 8-bit RGB; default compression and filters, not interlaced.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    buildChunk('IHDR', header),
    buildChunk('IDAT', deflateSync(rows, { level: 1 })),
    buildChunk('IEND', Buffer.alloc(0)),
  ]);
}

function isVessel(x: number, y: number): boolean {
  const isBody = x >= 130 && x <= 250 && y >= 110 && y <= 255;
  const fromHandle = Math.hypot(x - 255, y - 175);
  return isBody || (fromHandle >= 30 && fromHandle <= 45 && x > 250);
}

function buildChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

function toColor(hue: number, saturation: number, lightness: number): [number, number, number] {
  const part = (offset: number): number => {
    const k = (offset + (hue % 360) / 30) % 12;
    const spread = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}
